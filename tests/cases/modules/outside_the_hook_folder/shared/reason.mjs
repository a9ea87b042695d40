export const reason = "from a folder of the project";
