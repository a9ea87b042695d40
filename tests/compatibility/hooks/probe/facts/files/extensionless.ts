import { kind } from "./typed"; export default kind;
