//! Which fixtures are run.

use regex::Regex;

/// Chooses fixtures by a part of their title, or by a regular expression between slashes. The title is
/// `<file> > <name>`, with the hook's name after it in parentheses.
#[derive(Debug, Clone)]
pub struct Filter(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Part(String),
    Pattern(Regex),
}

impl Filter {
    /// Reads what was typed.
    ///
    /// # Errors
    /// It begins and ends with a slash, and what is between is no regular expression.
    pub fn parse(text: &str) -> Result<Self, regex::Error> {
        match text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).filter(|it| !it.is_empty()) {
            Some(pattern) => Ok(Self(Kind::Pattern(Regex::new(pattern)?))),
            None => Ok(Self(Kind::Part(text.to_owned()))),
        }
    }

    /// Whether a fixture is run.
    pub fn fits(&self, file: &str, name: &str, hook: Option<&str>) -> bool {
        let hook = hook.map(|hook| format!(" ({hook})")).unwrap_or_default();
        let title = format!("{} > {name}{hook}", file.replace('\\', "/"));
        match &self.0 {
            Kind::Part(part) => title.contains(part.as_str()),
            Kind::Pattern(pattern) => pattern.is_match(&title),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Filter;

    #[test]
    fn a_title_is_file_name_and_hook() {
        for (filter, fits) in [
            ("guard", true),
            ("a.fixture", true),
            ("blocks", true),
            ("/blocks \\(guard\\)$/", true),
            ("/^blocks/", false),
            ("Guard", false),
        ] {
            let filter = Filter::parse(filter).unwrap();
            assert_eq!(filter.fits("x/a.fixture.json", "it blocks", Some("guard")), fits, "{filter:?}");
        }
        assert!(Filter::parse("/(/").is_err());
    }
}
