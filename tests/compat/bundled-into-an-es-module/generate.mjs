// Wrote hooks/mixed-scripts/index.mjs, once: about 100 KB in the shape that a bundler gives CommonJS packages inside of an
// ES module, with require from createRequire. The tables are made from what Node knows of Unicode.
//
//   node generate.mjs

import { writeFileSync } from 'node:fs';

const LAST = 0x2ffff;
const SCRIPTS = [
  'Arabic', 'Armenian', 'Bengali', 'Cherokee', 'Coptic', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek',
  'Gujarati', 'Han', 'Hangul', 'Hebrew', 'Hiragana', 'Kannada', 'Katakana', 'Khmer', 'Lao', 'Latin', 'Malayalam',
  'Mongolian', 'Myanmar', 'Sinhala', 'Tamil', 'Telugu', 'Thai', 'Tibetan',
];

const CATEGORIES = ['Ll', 'Lm', 'Lo', 'Lt', 'Lu', 'Mc', 'Mn', 'Nd', 'Nl', 'No', 'Pd', 'Po', 'Sc', 'Sk', 'Sm', 'So'];

/** The code points that fit, as pairs of first and last. */
function ranges(fits) {
  const found = [];
  for (let point = 0; point <= LAST; point++) {
    if (!fits(String.fromCodePoint(point))) continue;
    if (found.length > 0 && found.at(-1)[1] === point - 1) found.at(-1)[1] = point;
    else found.push([point, point]);
  }
  return found;
}

/** Letters that decompose into others of Latin or Greek, and what those are without their marks. */
function lookalikes() {
  const table = {};
  for (let point = 0x80; point <= LAST; point++) {
    const letter = String.fromCodePoint(point);
    if (!/^\p{L}$/u.test(letter)) continue;
    const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '');
    if (plain !== letter && /^[a-z\p{Script=Greek}]{1,3}$/iu.test(plain)) table[point.toString(16)] = plain;
  }
  return table;
}

const ascii = (text) => text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const wrapped = (list) => list.join(', ').replace(/(.{90,110}?,) /g, '$1\n      ');

function tableModule(name, path, body) {
  return `
// node_modules/${path}
var ${name} = __commonJS({
  "node_modules/${path}"(exports, module) {
${body}
  }
});
`;
}

const scriptModules = SCRIPTS.map((script) => {
  const regex = new RegExp(`^\\p{Script=${script}}$`, 'u');
  const list = ranges((letter) => regex.test(letter)).map(([from, to]) => `[${from}, ${to}]`);
  const body = `    module.exports = [\n      ${wrapped(list)}\n    ];`;
  return tableModule(`require_${script}`, `script-ranges/data/${script}.js`, body);
});

const categoryModules = CATEGORIES.map((category) => {
  const regex = new RegExp(`^\\p{${category}}$`, 'u');
  const list = ranges((letter) => regex.test(letter)).flat().map((point) => `0x${point.toString(16)}`);
  const body = `    module.exports = [\n      ${wrapped(list)}\n    ];`;
  return tableModule(`require_${category}`, `letter-categories/lib/${category.toLowerCase()}.js`, body);
});

const entries = Object.entries(lookalikes()).map(([point, plain]) => `${JSON.stringify(point)}: ${ascii(JSON.stringify(plain))}`);
const lookalikeModule = tableModule(
  'require_lookalikes',
  'plain-letters/table.js',
  `    module.exports = {\n      ${wrapped(entries)}\n    };`,
);

const text = `import { createRequire as __createRequire } from 'node:module';
import { fileURLToPath as __fileURLToPath } from 'node:url';
const require = __createRequire(import.meta.url);
const __filename = __fileURLToPath(import.meta.url);
const __dirname = __fileURLToPath(new URL('.', import.meta.url));
var __defProp = Object.defineProperty;
var __names = Object.getOwnPropertyNames;
var __require = typeof require !== "undefined" ? require : (name) => {
  throw Error('there is no require for "' + name + '"');
};
var __commonJS = (files, made) => function __init() {
  return made || (0, files[__names(files)[0]])((made = { exports: {} }).exports, made), made.exports;
};
var __toESM = (module, target) => {
  target = module != null ? Object.create(Object.getPrototypeOf(module)) : {};
  if (!module || !module.__esModule) __defProp(target, "default", { value: module, enumerable: true });
  for (let key of __names(module)) {
    if (key !== "default" && !Object.hasOwn(target, key)) __defProp(target, key, { get: () => module[key], enumerable: true });
  }
  return target;
};
${scriptModules.join('')}
// node_modules/script-ranges/index.js
var require_script_ranges = __commonJS({
  "node_modules/script-ranges/index.js"(exports, module) {
    "use strict";
    var tables = {
      ${SCRIPTS.map((script) => `${script}: require_${script}()`).join(',\n      ')}
    };
    exports.names = Object.keys(tables);
    exports.scriptOf = function scriptOf(point) {
      return exports.names.find(function (name) {
        var list = tables[name], low = 0, high = list.length - 1;
        while (low <= high) {
          var middle = (low + high) >> 1;
          if (point < list[middle][0]) high = middle - 1;
          else if (point > list[middle][1]) low = middle + 1;
          else return true;
        }
        return false;
      });
    };
  }
});
${categoryModules.join('')}
// node_modules/letter-categories/index.js
var require_letter_categories = __commonJS({
  "node_modules/letter-categories/index.js"(exports, module) {
    var lists = [${CATEGORIES.map((category) => `["${category}", require_${category}]`).join(', ')}];
    module.exports = function categoryOf(letter) {
      var point = letter.codePointAt(0);
      for (var i = 0; i < lists.length; i++) {
        var list = lists[i][1]();
        for (var j = 0; j < list.length; j += 2) if (point >= list[j] && point <= list[j + 1]) return lists[i][0];
      }
    };
  }
});
${lookalikeModule}
// node_modules/plain-letters/index.js
var require_plain_letters = __commonJS({
  "node_modules/plain-letters/index.js"(exports, module) {
    var table = require_lookalikes();
    var util = __require("util");
    function plain(text) {
      return Array.from(text, function (letter) {
        var found = table[letter.codePointAt(0).toString(16)];
        return found === undefined ? letter : found;
      }).join("");
    }
    plain[util.inspect.custom] = function () {
      return "plain(" + Object.keys(table).length + ")";
    };
    module.exports = plain;
    module.exports.default = plain;
    module.exports.size = Object.keys(table).length;
  }
});

// src/index.ts
var import_script_ranges = __toESM(require_script_ranges());
var import_letter_categories = __toESM(require_letter_categories());
var import_plain_letters = __toESM(require_plain_letters());
import { basename } from "node:path";
import { inspect } from "node:util";
var WORD = /[\\p{L}\\p{M}]{2,}/gu;
function scripts(word) {
  const found = /* @__PURE__ */ new Set();
  for (const letter of word) {
    const name = (0, import_script_ranges.scriptOf)(letter.codePointAt(0));
    if (name) found.add(name);
  }
  return [...found].sort();
}
function createHook({ allowed = [] } = {}) {
  const fine = new Set(allowed.map((list) => [...list].sort().join()));
  return {
    run(_point, { text }, ctx) {
      for (const [word] of text.matchAll(WORD)) {
        const mixed = scripts(word);
        if (mixed.length < 2 || fine.has(mixed.join())) continue;
        ctx.log(inspect(import_plain_letters.default));
        return { action: "block", reason: \`\${word} mixes \${mixed.join(" and ")} (\${basename(__filename)}, \${import_script_ranges.names.length} scripts, \${[...word].map((letter) => (0, import_letter_categories.default)(letter)).join("")})\` };
      }
      const plain = (0, import_plain_letters.default)(text);
      return plain === text ? { action: "allow" } : { action: "modify", payload: { text: plain } };
    }
  };
}
var src_default = createHook;
export {
  createHook,
  src_default as default,
  scripts
};
`;
writeFileSync(new URL('hooks/mixed-scripts/index.mjs', import.meta.url), text);
console.log(`${text.length} characters`);
