import fs from 'fs'
import path from 'path'

const LOCKS = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'package-lock.json': 'npm', 'bun.lockb': 'bun' }

const detect = (dir) => {
  for (const [file, manager] of Object.entries(LOCKS)) {
    if (fs.existsSync(path.join(dir, file))) return manager
  }
  return null
}

const version = (dir) => JSON.parse(fs.readFileSync(path.join(dir, 'package.json'), 'utf-8')).packageManager

export const createHook = () => {
  const root = process.cwd()
  const wanted = detect(root)

  return async (point, { toolName, args }) => {
    const match = /^(npm|yarn|pnpm)\s+(.*)$/.exec(args.command)
    if (!wanted || !match || match[1] === wanted) return { action: 'allow' }
    if (match[1] === 'yarn') {
      return { action: 'block', reason: `This project uses ${version(root)}, not yarn. Use ${wanted}.` }
    }
    const rest = match[2].replace(/^install (?=\S)/, 'add ').replace(/\s--save-dev\b/, ' -D')
    return { action: 'modify', payload: { args: { ...args, command: `${wanted} ${rest}` } } }
  }
}
