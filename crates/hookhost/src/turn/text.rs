//! Two readers, two types: what is written for the model does not end up before the user by mistake, nor the other way
//! round.

use std::fmt;

use serde::Serialize;

macro_rules! text_for {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            pub(crate) fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The text, owned.
            pub fn into_string(self) -> String {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

text_for! {
    /// Text for the model: what goes into the history and into the next request.
    ModelText
}

text_for! {
    /// Text for the user: what is shown.
    UserText
}
