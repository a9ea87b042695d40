// Usage: node lint.cjs --stdin-filename NAME < source
const name = process.argv[process.argv.indexOf('--stdin-filename') + 1];
const RULES = [[/\bvar\b/, 'no-var'], [/[^=!]==[^=]/, 'eqeqeq'], [/\bdebugger\b/, 'no-debugger']];

let source = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => (source += chunk));
process.stdin.on('end', () => {
  if (source === 'CRASH') throw new Error('the linter has a bug');
  const findings = source.split('\n').flatMap((line, index) =>
    RULES.filter(([regex]) => regex.test(line)).map(([, rule]) => ({ name, line: index + 1, rule })),
  );
  console.log(JSON.stringify(findings));
  process.exitCode = findings.length > 0 ? 1 : 0;
});
