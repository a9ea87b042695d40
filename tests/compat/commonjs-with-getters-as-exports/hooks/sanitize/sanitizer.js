"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.SanitizeHook = exports.createHook = void 0;
const node_util_1 = require("node:util");
class SanitizeHook {
    constructor() {
        this.count = 0;
    }
    run(_point, payload) {
        if (typeof payload.result !== "string") {
            return { action: "block", reason: `not a text: ${(0, node_util_1.inspect)(payload.result)} after ${this.count}` };
        }
        const result = payload.result.replace(/<script\b[^]*?<\/script>/gi, () => {
            this.count++;
            return "";
        });
        return result === payload.result ? { action: "allow" } : { action: "modify", payload: { result } };
    }
}
exports.SanitizeHook = SanitizeHook;
const createHook = () => new SanitizeHook();
exports.createHook = createHook;
