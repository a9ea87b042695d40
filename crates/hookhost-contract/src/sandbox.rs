//! Whether a hook's capabilities are a promise or a border.

words! {
    /// What a hook's capabilities mean to the host that runs it. `store:read` is enforced in both.
    ///
    /// It is no sandbox of the operating system: it says what the engine offers to a hook and which answers count. What
    /// it is and what it is not: `docs/design/sandbox.md`.
    #[non_exhaustive]
    Sandbox as "sandbox" {
        /// Capabilities state intent, and nothing is refused for the lack of one. The default of a host.
        Advisory = "advisory",
        /// What a hook does without the capability for it fails, and its fail policy decides: the network, `ctx.env`,
        /// files outside of its package, and answers that it may not give (`Point::modify_capability`,
        /// `Point::stop_capability`).
        Enforced = "enforced",
    }
}

impl Default for Sandbox {
    /// [`Sandbox::Advisory`].
    fn default() -> Self {
        Self::Advisory
    }
}
