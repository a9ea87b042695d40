export default { action: "allow" };
