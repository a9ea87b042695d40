class PolicyError extends Error {
  constructor(message, { code = 'E_POLICY', ...options } = {}) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    Error.captureStackTrace?.(this, PolicyError);
  }

  get [Symbol.toStringTag]() {
    return 'PolicyError';
  }
}

class DeniedError extends PolicyError {}

function chain(error) {
  const parts = [];
  for (let current = error; current; current = current.cause) parts.push(`${current}`);
  return parts.join(' < ');
}

function outer() {
  return inner();
}

function inner() {
  const holder = {};
  Error.captureStackTrace(holder, inner);
  return holder.stack;
}

function sites() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 2;
    Error.prepareStackTrace = (_, list) => list.map((site) => site.getFunctionName());
    return new Error().stack;
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

const tools = {
  chain() {
    try {
      try {
        JSON.parse('{');
      } catch (cause) {
        throw new DeniedError('unreadable', { cause, code: 'E_JSON' });
      }
    } catch (cause) {
      const error = new PolicyError('no decision', { cause });
      return `${chain(error).replace(/JSON.*/, 'JSON')}; ${error.cause.code}; ${error.cause instanceof PolicyError}; ${Object.prototype.toString.call(error)}`;
    }
  },
  async any() {
    const error = await Promise.any([Promise.reject(new RangeError('a')), Promise.reject(new DeniedError('b'))]).catch((reason) => reason);
    return `${error.name} of ${error.errors.map((each) => each.name)}`;
  },
  stack: () => /at (\w+)/.exec(outer())[1],
  sites: () => sites().join(),
  throw() {
    throw new DeniedError('thrown');
  },
  reject: () => Promise.reject(new PolicyError('rejected')),
  string() {
    throw 'only a text';
  },
};

export default {
  run(point, { toolName }) {
    const told = tools[toolName]();
    return told instanceof Promise ? told.then((reason) => ({ action: 'block', reason })) : { action: 'block', reason: told };
  },
};
