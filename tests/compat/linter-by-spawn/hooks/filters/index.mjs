import { spawn } from 'node:child_process'
import { once } from 'node:events'

function filter(command, args, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, LC_ALL: 'C' } })
    const chunks = []
    let errors = ''
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.setEncoding('utf8').on('data', (text) => { errors += text })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, errors, output: Buffer.concat(chunks).toString('utf8') }))
    child.stdin.end(input)
  })
}

async function firstLine(command, args) {
  const child = spawn(command, args)
  child.stdin.end()
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  const [code] = child.exitCode === null ? await once(child, 'close') : [child.exitCode]
  return `${text.split('\n')[0]} (${code})`
}

async function cancelled() {
  const controller = new AbortController()
  const child = spawn('sleep', ['60'], { signal: controller.signal })
  await once(child, 'spawn')
  setImmediate(() => controller.abort())
  const [error] = await once(child, 'error')
  const [code, signal] = await once(child, 'close')
  return `${error.name} ${error.code}, code ${code}, signal ${signal}, killed ${child.killed}`
}

const handlers = {
  async format({ text }) {
    const { output } = await filter('sort', ['-u'], text)
    return { action: 'modify', payload: { args: { text: output } } }
  },
  async grep({ text, pattern }) {
    const { code, output } = await filter('grep', ['-n', pattern], text)
    return code === 0 ? { action: 'block', reason: `found ${output.trim()}` } : { action: 'ask', reason: `grep exits with ${code}` }
  },
  wait: async () => ({ action: 'block', reason: await cancelled() }),
  nothing: async () => {
    const line = await firstLine('echo', ['hello', 'there'])
    const failed = await filter('surely-no-such-program', [], '').catch((error) => `${error.code} ${error.syscall}`)
    return { action: 'block', reason: `${line}; ${failed}` }
  },
}

export const createHook = () => (point, payload) => handlers[payload.toolName](payload.args)
