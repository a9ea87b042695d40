//! An archive against the `.sha256` file beside it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The file that holds the sum of `archive`.
pub(crate) fn sum_file(archive: &Path) -> PathBuf {
    let mut name = archive.as_os_str().to_owned();
    name.push(".sha256");
    name.into()
}

/// Checks `archive` against the sum beside it. The error says what is wrong, as the end of a sentence about the file.
pub(crate) fn verify(archive: &Path) -> Result<(), String> {
    let sum_file = sum_file(archive);
    let text = match fs::read_to_string(&sum_file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(format!("no {} beside it to check it against", name(&sum_file)));
        }
        Err(error) => return Err(format!("cannot read {} ({error})", name(&sum_file))),
    };
    // As `sha256sum` writes it: the sum, then the name of the file.
    let stated = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    if stated.len() != 64 || !stated.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(format!("{} holds no SHA-256 sum", name(&sum_file)));
    }
    let actual = sum(archive).map_err(|error| format!("cannot be read ({error})"))?;
    if actual != stated {
        return Err(format!("its SHA-256 is {actual}, but {} says {stated}", name(&sum_file)));
    }
    Ok(())
}

fn sum(file: &Path) -> io::Result<String> {
    let mut hasher = HashWriter(Sha256::new());
    io::copy(&mut File::open(file)?, &mut hasher)?;
    Ok(hasher.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Lets `io::copy` feed a hash.
struct HashWriter(Sha256);

impl io::Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn name(file: &Path) -> std::path::Display<'_> {
    file.file_name().map_or(file, Path::new).display()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    /// The verdict on a file that holds `abc`, with `sum` beside it.
    fn verdict(sum: Option<&str>) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("v8.a.gz");
        fs::write(&archive, "abc").unwrap();
        if let Some(sum) = sum {
            fs::write(sum_file(&archive), sum).unwrap();
        }
        verify(&archive)
    }

    #[test]
    fn the_right_sum_is_accepted_as_tools_write_it() {
        for sum in [ABC.to_owned(), format!("{ABC}  v8.a.gz\n"), format!("{} *v8.a.gz\r\n", ABC.to_uppercase())] {
            assert_eq!(verdict(Some(&sum)), Ok(()), "{sum:?}");
        }
    }

    #[test]
    fn a_wrong_sum_is_named_with_the_right_one() {
        let other = "0".repeat(64);
        assert_eq!(verdict(Some(&other)), Err(format!("its SHA-256 is {ABC}, but v8.a.gz.sha256 says {other}")));
    }

    #[test]
    fn an_archive_without_a_sum_is_refused() {
        assert_eq!(verdict(None), Err("no v8.a.gz.sha256 beside it to check it against".into()));
        for sum in ["", "\n", "v8.a.gz", &ABC[1..]] {
            assert_eq!(verdict(Some(sum)), Err("v8.a.gz.sha256 holds no SHA-256 sum".into()), "{sum:?}");
        }
    }
}
