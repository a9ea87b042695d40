//! `hookhost token`: somebody new may call the service.

use hookhost::exit;
use hookhost_server::NewToken;
use serde_json::json;

use crate::args::{Format, Global, Token};
use crate::output::{Outcome, Problem};
use crate::style::{self, paint};

pub(crate) fn token(global: &Global, args: &Token) -> Result<Outcome, Problem> {
    let NewToken { token, sha256, .. } = NewToken::make().map_err(|error| Problem::failed(error.to_string()))?;
    let entry = json!({ "name": args.name, "role": args.role.as_str(), "sha256": sha256 });
    if global.format == Format::Json {
        return Outcome::json(&json!({ "token": token, "entry": entry }), exit::OK);
    }
    let text = format!("{}  {token}\n{}  {entry}\n", paint(style::STRONG, "token"), paint(style::STRONG, "entry"),);
    Ok(Outcome { text, code: exit::OK })
}
