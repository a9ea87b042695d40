import assert, { AssertionError, deepEqual, strict, throws } from 'node:assert';
import strictAssert from 'node:assert/strict';

async function selfTest() {
  deepEqual({ a: 1 }, { a: '1' });
  strict.deepEqual(new Map([[1, { b: 2 }]]), new Map([[1, { b: 2 }]]));
  throws(() => strictAssert.equal(1, '1'), { name: 'AssertionError', code: 'ERR_ASSERTION' });
  await assert.rejects(async () => assert.fail('no'), /no/);
  assert.match('abc', /b/);
  try {
    strictAssert.deepEqual({ a: 1, b: [2] }, { a: 1, b: [3] });
  } catch (error) {
    const { actual, expected, operator, generatedMessage } = error;
    return `${error instanceof AssertionError} ${JSON.stringify(actual)} ${JSON.stringify(expected)} ${operator} ${generatedMessage}`;
  }
  return 'no error';
}

export const createHook = () => ({
  run(point, { toolName, args }) {
    if (toolName === 'self-test') return selfTest().then((reason) => ({ action: 'block', reason }));
    assert(args, 'there are no args');
    strictAssert.ok(args.amount > 0, 'amount must be positive');
    strictAssert.deepEqual(Object.keys(args).sort(), ['amount', 'to']);
    return { action: 'ask', reason: `Pay ${args.amount}?` };
  },
});
