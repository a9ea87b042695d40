"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.version = void 0;
var sanitizer_1 = require("./sanitizer");
Object.defineProperty(exports, "createHook", { enumerable: true, get: function () { return sanitizer_1.createHook; } });
Object.defineProperty(exports, "SanitizeHook", { enumerable: true, get: function () { return sanitizer_1.SanitizeHook; } });
exports.version = "3.2.1";
