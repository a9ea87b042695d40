//! `hookhost completions`.

use crate::support::hookhost;

#[test]
fn every_shell_has_some() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = hookhost(&format!("completions {shell}"));
        assert_eq!(ran.code, Some(0), "{shell}");
        assert!(ran.stderr.is_empty(), "{shell}: {}", ran.stderr);
        for word in ["hookhost", "check", "list", "run", "payload", "strict"] {
            assert!(ran.stdout.contains(word), "{shell} completes {word}");
        }
    }
}

#[test]
fn another_shell_is_refused_with_those_there_are() {
    insta::assert_snapshot!(hookhost("completions tcsh"));
}
