// Called once with the config while it is loaded; what it returns then is no hook, so it is `run` itself.
export default () => ({ action: "block", reason: "always" });
