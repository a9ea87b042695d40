//! What the model can do: files and a shell in one folder, and two tools that only pretend.
//!
//! Reading and writing files stay in the folder whatever a path says. The shell does not: it begins there, with the rights of
//! whoever runs the command, and is no sandbox of the operating system.

mod demo;
mod files;
mod shell;
mod text;

use std::io;
use std::path::{Path, PathBuf};

use demo::Demo;
use files::Files;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use shell::Shell;

use super::model::ToolSpec;

/// The folder's name to the model, wherever it is. The path-guard hook knows it by this name.
const ROOT: &str = "/workspace";

/// The tools, and what they work on.
pub(crate) struct Tools {
    files: Files,
    shell: Shell,
    demo: Demo,
}

/// The folder that the tools were to work in cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the tools cannot work in `{}`: {problem}", .path.display())]
pub(crate) struct NoWorkFolder {
    path: PathBuf,
    problem: io::Error,
}

impl Tools {
    /// Tools that work in a folder, which must be there.
    pub(crate) fn open(work: &Path) -> Result<Self, NoWorkFolder> {
        let no_folder = |problem| NoWorkFolder { path: work.to_owned(), problem };
        let folder = dunce::canonicalize(work).map_err(no_folder)?;
        let files = Files::open(&folder).map_err(no_folder)?;
        Ok(Self { files, shell: Shell::new(folder), demo: Demo::default() })
    }

    /// What the model is told of them.
    pub(crate) fn specs(&self) -> Vec<ToolSpec> {
        self.files.specs().into_iter().chain([self.shell.spec()]).chain(self.demo.specs()).collect()
    }

    /// Runs one. The error is for the model, as it is. Dropped, a command ends; reading and writing a file do not wait.
    pub(crate) async fn run(&self, name: &str, args: &Value) -> Result<Value, String> {
        match name {
            files::READ => self.files.read(read(name, args)?).await,
            files::WRITE => self.files.write(read(name, args)?).await,
            shell::SHELL => self.shell.run(read(name, args)?).await,
            demo::TRANSFER => self.demo.transfer(read(name, args)?),
            demo::SET_SUBMISSION => self.demo.set_submission(read(name, args)?),
            _ => {
                let known: Vec<_> = self.specs().iter().map(|spec| spec.name).collect();
                Err(format!("there is no tool `{name}`: use one of {}", known.join(", ")))
            }
        }
    }
}

/// A tool's arguments.
fn read<T: DeserializeOwned>(name: &str, args: &Value) -> Result<T, String> {
    T::deserialize(args).map_err(|error| format!("the arguments of `{name}` are not right: {error}"))
}

/// A tool that takes an object with these properties.
fn spec(name: &'static str, description: &'static str, properties: Value, required: &[&str]) -> ToolSpec {
    let parameters = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    ToolSpec { name, description, parameters }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_the_model_gets_wrong_is_told_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let tools = Tools::open(folder.path()).unwrap();
        for (name, args, expected) in [
            (
                "rm",
                json!({}),
                "there is no tool `rm`: use one of read_file, write_file, shell, payments__transfer, store__submissions__set",
            ),
            ("read_file", json!({}), "the arguments of `read_file` are not right: missing field `path`"),
            (
                "read_file",
                json!({ "path": "a", "lines": 3 }),
                "the arguments of `read_file` are not right: unknown field `lines`, expected `path`",
            ),
            (
                "shell",
                json!({ "command": ["ls"] }),
                "the arguments of `shell` are not right: invalid type: sequence, expected a string",
            ),
        ] {
            assert_eq!(tools.run(name, &args).await.unwrap_err(), expected);
        }
    }

    /// Each tool takes what its description promises, and nothing else.
    #[tokio::test]
    async fn what_is_required_is_what_is_missed() {
        let folder = tempfile::tempdir().unwrap();
        let tools = Tools::open(folder.path()).unwrap();
        let specs = tools.specs();
        assert_eq!(specs.len(), 5);
        for ToolSpec { name, parameters, .. } in specs {
            let error = tools.run(name, &json!({})).await.unwrap_err();
            let first = parameters["required"][0].as_str().unwrap();
            assert!(error.ends_with(&format!("missing field `{first}`")), "{error}");

            let error = tools.run(name, &json!({ "noSuch": 1 })).await.unwrap_err();
            let known = parameters["properties"].as_object().unwrap().keys();
            assert!(error.contains("unknown field `noSuch`"), "{error}");
            for known in known {
                assert!(error.contains(&format!("`{known}`")), "{error}");
            }
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        let error = Tools::open(&missing).err().unwrap().to_string();
        assert!(error.contains(&missing.display().to_string()), "{error}");

        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(Tools::open(&file).is_err());
    }
}
