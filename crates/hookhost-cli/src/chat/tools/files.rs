//! Reading and writing files in one folder.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::model::ToolSpec;
use super::text::whole_characters;
use super::{ROOT, spec};

pub(super) const READ: &str = "read_file";
pub(super) const WRITE: &str = "write_file";

/// Of a longer file, so many bytes are read.
const READ_BYTES: u64 = 256 << 10;
/// No longer text is written.
const WRITE_BYTES: usize = 1 << 20;

/// A folder that no path leads out of: neither `..` nor a symbolic link nor an absolute path.
pub(super) struct Files {
    dir: Arc<Dir>,
    folder: PathBuf,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadFile {
    path: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WriteFile {
    path: String,
    content: String,
}

impl Files {
    /// `folder` is the canonical path.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(folder, ambient_authority())?;
        // A file opens as well, for all that the system minds.
        dir.entries()?;
        Ok(Self { dir: Arc::new(dir), folder: folder.to_owned() })
    }

    pub(super) fn specs(&self) -> [ToolSpec; 2] {
        let path = json!({ "type": "string", "description": "Under /workspace, or relative to it" });
        [
            spec(READ, "Reads a text file under /workspace, up to 256 KiB of it.", json!({ "path": path }), &["path"]),
            spec(
                WRITE,
                "Writes a text file under /workspace, up to 1 MiB, in place of the one that is there. Makes missing folders.",
                json!({ "path": path, "content": { "type": "string" } }),
                &["path", "content"],
            ),
        ]
    }

    /// `{"content": ".."}`, with a `note` if that is not all of the file.
    pub(super) async fn read(&self, ReadFile { path }: ReadFile) -> Result<Value, String> {
        let name = self.name_of(&path)?;
        self.with_dir(move |dir| {
            let problem = |error| problem("read", &path, error);
            // Before it is opened: opening a pipe waits for someone to write.
            let metadata = dir.metadata(&name).map_err(problem)?;
            if metadata.is_dir() {
                return Err(format!("`{path}` is a folder: list it with `shell`"));
            }
            if !metadata.is_file() {
                return Err(format!("`{path}` is no file"));
            }
            let file = dir.open(&name).map_err(problem)?;
            let mut bytes = Vec::new();
            (&file).take(READ_BYTES).read_to_end(&mut bytes).map_err(problem)?;
            let length = file.metadata().map_err(problem)?.len();
            let is_cut = bytes.len() as u64 == READ_BYTES && length > READ_BYTES;
            let content = whole_characters(bytes, is_cut).map_err(|_| format!("`{path}` is no UTF-8 text"))?;
            if !is_cut {
                return Ok(json!({ "content": content }));
            }
            let note = format!("cut off: these are the first {} of {length} bytes", content.len());
            Ok(json!({ "content": content, "note": note }))
        })
        .await
    }

    /// `{"written": bytes}`
    pub(super) async fn write(&self, WriteFile { path, content }: WriteFile) -> Result<Value, String> {
        if content.len() > WRITE_BYTES {
            let length = content.len();
            return Err(format!("the content has {length} bytes, and at most {WRITE_BYTES} are written: write less"));
        }
        let name = self.name_of(&path)?;
        self.with_dir(move |dir| {
            let problem = |error| problem("write", &path, error);
            match dir.metadata(&name) {
                Ok(there) if there.is_dir() => return Err(format!("`{path}` is a folder: name a file in it")),
                // Writing to a pipe waits for someone to read.
                Ok(there) if !there.is_file() => return Err(format!("`{path}` is no file")),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if let Some(parent) = name.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                        dir.create_dir_all(parent).map_err(problem)?;
                    }
                }
                Err(error) => return Err(problem(error)),
            }
            dir.create(&name).and_then(|mut file| file.write_all(content.as_bytes())).map_err(problem)?;
            Ok(json!({ "written": content.len() }))
        })
        .await
    }

    /// The path relative to the folder. What it leads to is not known yet.
    fn name_of(&self, path: &str) -> Result<PathBuf, String> {
        let below_root = path.strip_prefix(ROOT).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let name = match below_root {
            Some(rest) => PathBuf::from(rest.trim_start_matches('/')),
            None => match Path::new(path).strip_prefix(&self.folder) {
                Ok(rest) => rest.to_owned(),
                Err(_) if Path::new(path).has_root() => return Err(outside(path)),
                Err(_) => PathBuf::from(path),
            },
        };
        Ok(if name.as_os_str().is_empty() { PathBuf::from(".") } else { name })
    }

    async fn with_dir(
        &self,
        work: impl FnOnce(&Dir) -> Result<Value, String> + Send + 'static,
    ) -> Result<Value, String> {
        let dir = self.dir.clone();
        match tokio::task::spawn_blocking(move || work(&dir)).await {
            Ok(done) => done,
            Err(error) => Err(format!("the tool failed: {error}")),
        }
    }
}

fn outside(path: &str) -> String {
    format!("`{path}` leads out of {ROOT}: only what is under it can be read and written")
}

fn problem(what: &str, path: &str, error: io::Error) -> String {
    // The system itself gives a number with its refusals; cap-std's own have none.
    if error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none() {
        return outside(path);
    }
    format!("cannot {what} `{path}`: {error}")
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// The folder `work` in another folder, and the tools on it.
    fn files() -> Result<(TempDir, PathBuf, Files), Box<dyn Error>> {
        let around = tempfile::tempdir()?;
        let work = dunce::canonicalize(around.path())?.join("work");
        fs::create_dir(&work)?;
        let files = Files::open(&work)?;
        Ok((around, work, files))
    }

    async fn read(files: &Files, path: &str) -> Result<Value, String> {
        files.read(ReadFile { path: path.to_owned() }).await
    }

    async fn write(files: &Files, path: &str, content: &str) -> Result<Value, String> {
        files.write(WriteFile { path: path.to_owned(), content: content.to_owned() }).await
    }

    #[tokio::test]
    async fn the_folder_has_three_names() {
        let (_around, work, files) = files().unwrap();
        let absolute = work.join("sub/a.txt").display().to_string();
        for (path, content) in
            [("sub/a.txt", "relative, é"), ("/workspace/sub/a.txt", "virtual"), (&absolute, "absolute")]
        {
            let written = write(&files, path, content).await.unwrap();
            assert_eq!(written, json!({ "written": content.len() }));
            for path in ["sub/a.txt", "./sub/../sub/a.txt", "/workspace//sub/a.txt", &absolute] {
                assert_eq!(read(&files, path).await.unwrap(), json!({ "content": content }), "{path}");
            }
        }
        assert_eq!(fs::read_to_string(work.join("sub/a.txt")).unwrap(), "absolute");
    }

    #[tokio::test]
    async fn no_path_leads_out() {
        let (around, work, files) = files().unwrap();
        let secret = around.path().join("secret");
        fs::write(&secret, "secret").unwrap();
        fs::create_dir(around.path().join("workers")).unwrap();
        fs::create_dir(work.join("sub")).unwrap();
        let sibling = around.path().join("workers/new").display().to_string();
        let absolute = secret.display().to_string();
        let up = format!("{}/../secret", work.display());
        for path in [
            "../secret",
            "/workspace/../secret",
            "sub/../../secret",
            "/etc/passwd",
            "/workspace2/a",
            &absolute,
            &up,
            &sibling,
        ] {
            for result in [read(&files, path).await, write(&files, path, "x").await] {
                let error = result.unwrap_err();
                assert_eq!(error, outside(path), "{path}");
            }
        }
        assert_eq!(fs::read_to_string(secret).unwrap(), "secret");
        assert!(!fs::exists(sibling).unwrap());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn no_link_leads_out() {
        use std::os::unix::fs::symlink;

        let (around, work, files) = files().unwrap();
        let secret = around.path().join("secret");
        fs::write(&secret, "secret").unwrap();
        symlink(&secret, work.join("absolute")).unwrap();
        symlink("../secret", work.join("relative")).unwrap();
        symlink("..", work.join("up")).unwrap();
        symlink("../new", work.join("dangling")).unwrap();
        symlink("/proc/self/root", work.join("magic")).unwrap();
        for path in ["absolute", "relative", "up/secret", "dangling", "magic/etc/passwd", "up/made/new"] {
            for result in [read(&files, path).await, write(&files, path, "x").await] {
                assert_eq!(result.unwrap_err(), outside(path), "{path}");
            }
        }
        assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
        let around: Vec<_> = fs::read_dir(around.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(around.len(), 2, "something was made outside: {around:?}");

        // Within the folder, links work.
        fs::write(work.join("a"), "a").unwrap();
        symlink("a", work.join("b")).unwrap();
        assert_eq!(read(&files, "b").await.unwrap(), json!({ "content": "a" }));
    }

    /// Opening one would wait for whoever is at its other end.
    #[cfg(unix)]
    #[tokio::test]
    async fn a_pipe_is_no_file() {
        let (_around, work, files) = files().unwrap();
        assert!(std::process::Command::new("mkfifo").arg(work.join("pipe")).status().unwrap().success());
        for result in [read(&files, "pipe").await, write(&files, "pipe", "x").await] {
            assert_eq!(result.unwrap_err(), "`pipe` is no file");
        }
    }

    #[tokio::test]
    async fn a_long_file_is_cut_in_whole_characters() {
        let (_around, work, files) = files().unwrap();
        let limit = usize::try_from(READ_BYTES).unwrap();
        fs::write(work.join("fits"), "x".repeat(limit)).unwrap();
        let fits = read(&files, "fits").await.unwrap();
        assert_eq!(fits["content"].as_str().unwrap().len(), limit);
        assert_eq!(fits.get("note"), None);

        fs::write(work.join("long"), format!("{}éé", "x".repeat(limit - 1))).unwrap();
        let long = read(&files, "long").await.unwrap();
        assert_eq!(long["content"].as_str().unwrap(), "x".repeat(limit - 1));
        assert_eq!(long["note"], "cut off: these are the first 262143 of 262147 bytes");

        let error = write(&files, "big", &"x".repeat(WRITE_BYTES + 1)).await.unwrap_err();
        assert_eq!(error, "the content has 1048577 bytes, and at most 1048576 are written: write less");
        assert!(!fs::exists(work.join("big")).unwrap());
        write(&files, "big", &"x".repeat(WRITE_BYTES)).await.unwrap();
    }

    #[tokio::test]
    async fn what_is_no_text_file_is_told() {
        let (_around, work, files) = files().unwrap();
        fs::write(work.join("binary"), b"a\xff").unwrap();
        assert_eq!(read(&files, "binary").await.unwrap_err(), "`binary` is no UTF-8 text");
        for path in [".", "/workspace", "/workspace/", ""] {
            assert!(read(&files, path).await.unwrap_err().contains("is a folder: list it with `shell`"), "{path}");
            assert!(write(&files, path, "x").await.unwrap_err().contains("is a folder: name a file in it"), "{path}");
        }
        let error = read(&files, "missing").await.unwrap_err();
        assert!(error.starts_with("cannot read `missing`: "), "{error}");
        let error = write(&files, "binary/a", "x").await.unwrap_err();
        assert!(error.starts_with("cannot write `binary/a`: "), "{error}");
        assert!(read(&files, "a\0b").await.is_err());
    }
}
