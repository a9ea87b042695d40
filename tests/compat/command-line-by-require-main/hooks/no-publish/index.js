#!/usr/bin/env node
'use strict'

const fs = require('fs')

function decide (input) {
  const command = (input.args && input.args.command) || ''
  if (!/\b(npm|yarn|pnpm)\s+publish\b/.test(command)) return { action: 'allow' }
  return command.includes('--dry-run')
    ? { action: 'ask', reason: 'A dry run of publish. Sure?' }
    : { action: 'block', reason: 'Publishing is done by CI.' }
}

function main () {
  const input = JSON.parse(fs.readFileSync(0, 'utf8'))
  const decision = decide(input)
  process.stdout.write(JSON.stringify(decision) + '\n')
  process.exit(decision.action === 'block' ? 2 : 0)
}

if (require.main === module) {
  main()
} else {
  module.exports = { createHook, decide }
}

function createHook () {
  return { run: (point, payload) => decide(payload) }
}
