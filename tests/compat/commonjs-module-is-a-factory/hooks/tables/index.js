module.exports = function (options) {
  var tables = new Set(options.tables)
  module.exports.made++

  return {
    run: async function (point, payload) {
      if (!tables.has(payload.args.table)) return { action: 'allow' }
      return { action: 'ask', reason: 'Write to ' + payload.args.table + '? (' + module.exports.made + ' made, ' + arguments.length + ' arguments)' }
    }
  }
}

module.exports.made = 0
module.exports.version = '1.0'
