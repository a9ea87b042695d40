//! Who calls, and what they may do.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// What a token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A program: a chat loop, CI. May look, test and ask for decisions.
    ApiKey,
    /// A person who runs the service. May do the same, and reload.
    Operator,
    /// A user of the agent. May do nothing here: the loop asks, not its users.
    EndUser,
}

/// What a route needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Right {
    /// To look, to test, to ask for decisions.
    Use,
    /// To change what the service does.
    Operate,
}

impl Role {
    /// Every name, as files and tokens write it.
    pub const NAMES: [&'static str; 3] = ["api-key", "operator", "end-user"];

    /// The name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ApiKey => "api-key",
            Self::Operator => "operator",
            Self::EndUser => "end-user",
        }
    }

    pub(crate) fn may(self, right: Right) -> bool {
        match right {
            Right::Use => matches!(self, Self::ApiKey | Self::Operator),
            Right::Operate => self == Self::Operator,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A name that is no role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown role `{0}`: write one of `api-key`, `operator`, `end-user`")]
pub struct UnknownRole(pub String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        [Self::ApiKey, Self::Operator, Self::EndUser]
            .into_iter()
            .find(|role| role.as_str() == name)
            .ok_or_else(|| UnknownRole(name.to_owned()))
    }
}

/// Somebody who has shown a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The token's name, or the subject of a JWT.
    pub(crate) name: String,
    pub(crate) role: Role,
}

#[cfg(test)]
mod tests {
    use super::{Right, Role};

    #[test]
    fn every_role_reads_as_it_is_written() {
        for name in Role::NAMES {
            assert_eq!(name.parse::<Role>().unwrap().to_string(), name);
            assert_eq!(serde_json::from_value::<Role>(name.into()).unwrap().as_str(), name);
        }
        assert!("Operator".parse::<Role>().is_err());
    }

    #[test]
    fn what_each_may() {
        let may = |role: Role| (role.may(Right::Use), role.may(Right::Operate));
        assert_eq!(may(Role::ApiKey), (true, false));
        assert_eq!(may(Role::Operator), (true, true));
        assert_eq!(may(Role::EndUser), (false, false));
    }
}
