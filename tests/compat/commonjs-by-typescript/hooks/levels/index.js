"use strict";
var __getters = function (target, source) {
    Object.keys(source).forEach(function (name) {
        if (name !== "default") Object.defineProperty(target, name, { enumerable: true, get: function () { return source[name]; } });
    });
    return target;
};
var __star = function (module) {
    if (module && module.__esModule) return module;
    var namespace = __getters({}, module);
    namespace["default"] = module;
    return namespace;
};
var __default = function (module) {
    return module && module.__esModule ? module : { "default": module };
};
var __async = function (self, body) {
    return new Promise(function (resolve, reject) {
        var steps = body.call(self);
        function go(method, value) {
            var step;
            try { step = steps[method](value); } catch (error) { return reject(error); }
            if (step.done) return resolve(step.value);
            Promise.resolve(step.value).then(go.bind(null, "next"), go.bind(null, "throw"));
        }
        go("next");
    });
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.createHook = createHook;
const fs = __star(require("fs"));
const path_1 = __default(require("path"));
var Level;
(function (Level) {
    Level[Level["low"] = 0] = "low";
    Level[Level["high"] = 1] = "high";
})(Level || (Level = {}));
function createHook() {
    return {
        run(_point, payload) {
            return __async(this, function* () {
                const text = yield fs.promises.readFile(path_1.default.join(process.cwd(), "levels.json"), "utf8");
                const { owner } = JSON.parse(text);
                const level = Level[payload.args.level];
                switch (level) {
                    case Level.low:
                        return { action: "allow" };
                    case Level.high:
                        return { action: "ask", reason: `${Level[level]} needs ${owner}` };
                    default:
                        throw new Error(`no such level: ${payload.args.level}`);
                }
            });
        },
    };
}
