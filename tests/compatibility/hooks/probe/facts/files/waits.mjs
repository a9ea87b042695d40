await null; export const kind = "ES module";
