//! Runs every case in `tests/cases` through the command. What it prints must be what the library decides.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use hookhost::{Decision, Tier};
use hookhost_tests::{Case, CaseCall, Fault, assert_decisions, workspace_root};

fn command(call: &Path) -> Result<(), Fault> {
    let case = Case::read(call)?;
    // Each command has a host of its own, so nothing is left of the call before; and its tier is the command line's.
    if case.stateful || case.tier.is_some_and(|tier| tier != Tier::Node) {
        return Ok(());
    }
    let mut decisions = Vec::new();
    for call in &case.calls {
        let folder = tempfile::tempdir()?;
        let args = arguments(&case, call, folder.path())?;
        let output = Command::new(env!("CARGO_BIN_EXE_hookhost"))
            .current_dir(workspace_root())
            .args(args)
            .write_stdin(serde_json::to_vec(&call.payload)?)
            .output()?;
        let printed = String::from_utf8(output.stdout)?;
        let said = String::from_utf8(output.stderr)?;
        let decision: Decision =
            serde_json::from_str(&printed).map_err(|error| format!("{error}, in {printed}\n{said}"))?;
        assert_eq!(output.status.code(), Some(CaseCall::exit_code(decision.action)), "{printed}");
        decisions.push(printed);
    }
    assert_decisions(&case, &decisions);
    Ok(())
}

/// The call as a command; its files go to `folder`.
fn arguments(case: &Case, call: &CaseCall, folder: &Path) -> Result<Vec<OsString>, Fault> {
    let mut args: Vec<OsString> =
        ["run", call.point.as_str(), "--payload", "-", "--format", "json"].map(Into::into).into();
    args.extend(["--project".into(), case.folder.clone().into_os_string()]);
    let mut flag = |flag: &str, value: &str| args.extend([flag.into(), value.into()]);
    flag("--sandbox", case.sandbox.as_str());
    if let Some(hook) = &call.hook {
        flag("--hook", hook);
    }
    if let Some(scope_id) = &call.scope_id {
        flag("--scope-id", scope_id);
    }
    for (key, value) in call.context.iter().flatten() {
        flag("--context", &format!("{key}={value}"));
    }
    if let Some(caller) = &call.caller {
        flag("--caller", &format!("source={}", caller.source));
        for (field, id) in [("user", &caller.user_id), ("org", &caller.org_id)] {
            if let Some(id) = id {
                flag("--caller", &format!("{field}={id}"));
            }
        }
    }
    for (name, value) in &case.env {
        flag("--env", &format!("{name}={value}"));
    }
    if let Some(stores) = &case.stores {
        let file = folder.join("stores.json");
        fs::write(&file, serde_json::to_vec(stores)?)?;
        args.extend(["--store".into(), file.into_os_string()]);
    }
    Ok(args)
}

datatest_stable::harness! {
    { test = command, root = "../../tests/cases", pattern = r"call\.json$" },
}
