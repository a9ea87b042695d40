export const place = "two files away";
