/******/ (function (modules) {
/******/   var installed = {};
/******/   function __bundle_require__(id) {
/******/     if (installed[id]) return installed[id].exports;
/******/     var module = (installed[id] = { i: id, l: false, exports: {} });
/******/     modules[id].call(module.exports, module, module.exports, __bundle_require__);
/******/     module.l = true;
/******/     return module.exports;
/******/   }
/******/   __bundle_require__.d = function (exports, name, getter) {
/******/     Object.defineProperty(exports, name, { enumerable: true, get: getter });
/******/   };
/******/   module.exports = __bundle_require__(0);
/******/ })([
/* 0 */
function (module, exports, __bundle_require__) {
  var lines = __bundle_require__(1);
  var fs = __bundle_require__(2);
  var path = __bundle_require__(3);
  module.exports.createHook = function () {
    var rules = lines.read(fs.readFileSync(path.join(__dirname, 'rules.yml'), 'utf8'));
    return {
      run: function (point, payload) {
        var rule = rules.find(function (candidate) { return candidate.test(payload.args.query); });
        return rule ? { action: rule.action, reason: rule.reason } : { action: 'allow' };
      }
    };
  };
},
/* 1 */
function (module, exports, __bundle_require__) {
  "use strict";
  __bundle_require__.d(exports, "read", function () { return read; });
  function read(text) {
    return text.split('\n').filter(Boolean).map(function (line) {
      var parts = /^(\S+)(?: without (\w+))?: (\w+) - (.*)$/.exec(line);
      var verb = new RegExp('^\\s*(' + parts[1] + ')\\b', 'i');
      var but = parts[2] && new RegExp('\\b' + parts[2] + '\\b', 'i');
      return {
        action: parts[3],
        reason: parts[4],
        test: function (query) { return verb.test(query) && !(but && but.test(query)); }
      };
    });
  }
},
/* 2 */ function (module) { module.exports = require("fs"); },
/* 3 */ function (module) { module.exports = require("path"); }
/******/ ]);
