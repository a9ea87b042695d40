let pretty = null
let why
try {
  pretty = require('surely-not-installed-pretty-printer')
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND') throw error
  why = error.code + ' ' + /'([^']+)'/.exec(error.message)[1]
}

function colors () {
  return require('tiny-colors')
}

module.exports = {
  createHook: () => ({
    run (point, { toolName }) {
      if (toolName === 'broken') require('is-broken')
      if (toolName === 'os') {
        const { platform } = require('node:os')
        return { action: platform() === process.platform ? 'allow' : 'block' }
      }
      const found = require.resolve('tiny-colors', { paths: [__dirname] }).split(/[\\/]/).slice(-2).join('/')
      const line = pretty ? pretty('x') : colors().red('blocked')
      return { action: 'block', reason: `${line} ${why} ${found} ${require.resolve('fs')}` }
    }
  })
}
