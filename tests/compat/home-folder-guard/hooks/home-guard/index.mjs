import os from 'node:os'
import path from 'node:path'

const HIDDEN = /(^|[\\/])\.[^\\/.]/

function expand(input) {
  return input
    .replace(/^~(?=$|\/)/, os.homedir())
    .replace(/\$\{?([A-Z_]+)\}?/g, (all, name) => {
      const value = process.env[name]
      if (value === undefined) throw new ReferenceError(`${name} is not set`)
      return value
    })
}

export default function createHook() {
  const temporary = path.resolve(os.tmpdir())

  const run = (point, payload) => {
    let target
    try {
      target = path.resolve(expand(payload.args.path))
    } catch (e) {
      return { action: 'block', reason: `${e.name}: ${e.message}` }
    }
    const fromHome = path.relative(os.homedir(), target)
    if (!fromHome.startsWith('..')) {
      const what = HIDDEN.test(fromHome) ? 'a dot file' : 'a file'
      return { action: 'block', reason: `${fromHome} is ${what} of the user's home` }
    }
    const { dir, name, ext } = path.parse(target)
    if (payload.args.path.includes('..')) {
      const clean = path.format({ dir: path.relative(process.cwd(), dir), name: `${name}-checked`, ext })
      return { action: 'modify', payload: { args: { path: clean } }, note: target.startsWith(temporary) ? 'tmp' : 'cwd' }
    }
    return { action: 'allow' }
  }
  return { run }
}
