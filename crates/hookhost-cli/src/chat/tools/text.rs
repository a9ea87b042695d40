//! Text that may be cut off.

use std::string::FromUtf8Error;

/// The text of some bytes, of which only the beginning may be there.
pub(super) fn whole_characters(mut bytes: Vec<u8>, is_cut: bool) -> Result<String, FromUtf8Error> {
    if is_cut
        && let Err(error) = std::str::from_utf8(&bytes)
        && error.error_len().is_none()
    {
        // A character that the cut has gone through.
        bytes.truncate(error.valid_up_to());
    }
    String::from_utf8(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_was_cut_through_goes() {
        let text = "a🦀";
        for cut in 1..5 {
            let bytes = text.as_bytes()[..cut].to_vec();
            assert_eq!(whole_characters(bytes.clone(), true).as_deref(), Ok("a"), "{cut}");
            assert_eq!(whole_characters(bytes, false).is_ok(), cut == 1, "{cut}");
        }
        assert_eq!(whole_characters(text.into(), true).as_deref(), Ok(text));
        whole_characters(b"a\xffb".to_vec(), true).unwrap_err();
    }
}
