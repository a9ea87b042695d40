exports.__esModule = true; exports.default = "inner"; exports.named = 1;
