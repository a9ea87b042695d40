import { kind } from "./typed.ts"; export default kind;
