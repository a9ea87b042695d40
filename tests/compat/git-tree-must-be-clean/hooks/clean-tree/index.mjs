import { spawnSync } from 'child_process'
import { writeFileSync } from 'fs'

export const createHook = () => ({
  run(point, payload) {
    if (payload.toolName === 'touch') {
      writeFileSync(payload.args.path, '')
      return { action: 'allow' }
    }
    const { scope } = payload.args
    const result = spawnSync('git', ['-c', 'core.quotePath=false', 'status', '--porcelain', '-z', '--', scope], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' },
    })
    if (result.error) throw result.error
    if (result.status !== 0) {
      const kind = result.stderr.split(':')[0]
      return { action: 'block', reason: `git failed with ${result.status}, signal ${result.signal}: ${kind}` }
    }
    const changed = result.stdout.split('\0').filter(Boolean).map((entry) => entry.slice(3))
    return changed.length === 0
      ? { action: 'allow' }
      : { action: 'block', reason: `Not committed yet in ${scope}: ${changed.join(', ')}` }
  },
})
