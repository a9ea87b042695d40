// Modules that Node 20 or a hook may not have: each is imported where it is used.

const load = async (name) => (await import(`node:${name}`)).default;

export const checks = {
  cluster: {
    isPrimary: async () => [(await load('cluster')).isPrimary, (await load('cluster')).isMaster, (await load('cluster')).isWorker],
    workers: async () => (await load('cluster')).workers,
    settings: async () => (await load('cluster')).settings,
    fork: async () => typeof (await load('cluster')).fork,
    setupPrimary: async () => (await load('cluster')).setupPrimary({}),
  },
  domain: {
    create: async () => {
      const domain = (await load('domain')).create();
      return new Promise((resolve) => {
        domain.on('error', (error) => resolve(error.message));
        domain.run(() => domain.emit('error', new Error('x')));
      });
    },
    createDomain: async () => typeof (await load('domain')).createDomain().run,
    Domain: async () => typeof (await load('domain')).Domain,
  },
  inspector: {
    Session: async () => {
      const { Session } = await load('inspector');
      const session = new Session();
      session.connect();
      const seen = await new Promise((resolve, reject) => session.post('Runtime.evaluate', { expression: '1 + 1' }, (error, found) => (error ? reject(error) : resolve(found.result.value))));
      session.disconnect();
      return seen;
    },
    url: async () => (await load('inspector')).url(),
    open: async () => {
      const inspector = await load('inspector');
      inspector.open(0, '127.0.0.1');
      inspector.close();
    },
    console: async () => typeof (await load('inspector')).console.log,
  },
  'inspector/promises': {
    Session: async () => {
      const { Session } = await load('inspector/promises');
      const session = new Session();
      session.connect();
      const { result } = await session.post('Runtime.evaluate', { expression: '1 + 1' });
      session.disconnect();
      return result.value;
    },
  },
  repl: {
    start: async () => {
      const { PassThrough } = await import('node:stream');
      const input = new PassThrough();
      const output = new PassThrough();
      const server = (await load('repl')).start({ input, output, prompt: '> ', terminal: false });
      let seen = '';
      output.on('data', (chunk) => (seen += chunk));
      input.write('1 + 1\n');
      await new Promise((resolve) => setTimeout(resolve, 100));
      server.close();
      return seen;
    },
    builtinModules: async () => Array.isArray((await load('repl')).builtinModules),
  },
  trace_events: {
    createTracing: async () => {
      const tracing = (await load('trace_events')).createTracing({ categories: ['v8'] });
      return [tracing.enabled, tracing.categories];
    },
    getEnabledCategories: async () => (await load('trace_events')).getEnabledCategories(),
  },
  wasi: {
    WASI: async () => {
      const { WASI } = await load('wasi');
      return Object.keys(new WASI({ version: 'preview1' }).getImportObject());
    },
  },
  'node:test': {
    test: async () => {
      const { test, mock } = await import('node:test');
      const told = mock.fn(() => 5);
      return [typeof test, told(), told.mock.calls.length];
    },
    'mock: timers': async () => {
      const { mock } = await import('node:test');
      mock.timers.enable({ apis: ['setTimeout'] });
      let fired = false;
      setTimeout(() => (fired = true), 1000);
      mock.timers.tick(1000);
      mock.timers.reset();
      return fired;
    },
  },
  'node:test/reporters': { spec: async () => Object.keys(await import('node:test/reporters')).filter((name) => name !== 'default').sort() },
  'node:sea': { isSea: async () => (await load('sea')).isSea() },
  'node:sqlite': {
    DatabaseSync: async () => {
      const { DatabaseSync } = await load('sqlite');
      const database = new DatabaseSync(':memory:');
      database.exec('CREATE TABLE t (a INTEGER, b TEXT)');
      database.prepare('INSERT INTO t VALUES (?, ?)').run(1, 'x');
      const rows = database.prepare('SELECT * FROM t').all().map((row) => ({ ...row }));
      database.close();
      return rows;
    },
  },
};
