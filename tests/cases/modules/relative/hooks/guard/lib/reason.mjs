import { place } from "../place.js";

export const reason = `from ${place}`;
