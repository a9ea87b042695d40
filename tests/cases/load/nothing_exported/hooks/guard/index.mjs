const run = () => ({ action: "allow" });
run();
