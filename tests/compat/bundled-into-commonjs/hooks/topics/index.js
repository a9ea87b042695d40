"use strict";
var __defProp = Object.defineProperty;
var __names = Object.getOwnPropertyNames;
var __commonJS = (files, made) => function __require() {
  if (!made) files[__names(files)[0]]((made = { exports: {} }).exports, made);
  return made.exports;
};
var __export = (target, all) => {
  for (var name in all) __defProp(target, name, { get: all[name], enumerable: true });
};
var __toCommonJS = (namespace) => {
  var target = __defProp({}, "__esModule", { value: true });
  for (let name of __names(namespace)) __defProp(target, name, { get: () => namespace[name], enumerable: true });
  return target;
};
var __toESM = (module) => module && module.__esModule ? module : Object.assign(Object.create(null), module, { default: module });

// node_modules/stem/index.js
var require_stem = __commonJS({
  "node_modules/stem/index.js"(exports2, module2) {
    var util = require("util");
    module2.exports = util.deprecate ? stem : null;
    function stem(word) {
      return word.toLowerCase().replace(/(?:ings?|s)$/, "");
    }
  }
});

// src/index.ts
var src_exports = {};
__export(src_exports, {
  createHook: () => createHook,
  default: () => src_default
});
module.exports = __toCommonJS(src_exports);
var import_node_path = require("node:path");
var import_stem = __toESM(require_stem());
function createHook({ topics }) {
  const stems = new Set(topics.map((topic) => (0, import_stem.default)(topic)));
  return {
    run(_point, { text, source }) {
      const words = text.match(/\p{L}+/gu) ?? [];
      const found = words.filter((word) => stems.has((0, import_stem.default)(word)));
      if (found.length === 0) return { action: "allow" };
      const from = (0, import_node_path.basename)(__filename);
      return source === "cli" ? { action: "ask", reason: found.join() } : { action: "block", reason: `${found.join()} by ${from}` };
    }
  };
}
var src_default = createHook;
// So that Node finds the names in the text:
0 && (module.exports = {
  createHook
});
