// The page of `hookhost serve` in a real browser, as somebody uses it. tests/tests/page.rs starts the service, with the hooks
// in tests/page/hooks and a token for an operator, and runs this.

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';

import puppeteer from 'puppeteer-core';

const { HOOKHOST_PAGE, HOOKHOST_CHROMIUM, HOOKHOST_TOKEN, HOOKHOST_SCREENSHOTS } = process.env;

let browser;
let page;
let wrong;

before(async () => {
  // What Chromium locks itself into is not to be had in a container, or as root.
  browser = await puppeteer.launch({ executablePath: HOOKHOST_CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
});

after(() => browser?.close());

beforeEach(async (context) => {
  page = await (await browser.createBrowserContext()).newPage();
  page.setDefaultTimeout(30_000);
  await page.setViewport({ width: 1200, height: 900 });
  wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    // A refused request is one that a test provokes.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) wrong.push(message.text());
  });
  context.after(async () => {
    if (HOOKHOST_SCREENSHOTS) {
      await mkdir(HOOKHOST_SCREENSHOTS, { recursive: true });
      await page.screenshot({ path: join(HOOKHOST_SCREENSHOTS, `${context.name.replace(/\W+/g, '-')}.png`), fullPage: true });
    }
    await page.browserContext().close();
    assert.deepEqual(wrong, [], 'nothing goes wrong in the page');
  });
});

/** Opens the page and shows the token. */
async function signIn() {
  await page.goto(HOOKHOST_PAGE);
  await page.waitForSelector('#sign-in:not([hidden])');
  await page.type('#token', HOOKHOST_TOKEN);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#hooks tbody tr');
  await page.waitForFunction(() => document.querySelector('#live-state').innerText === 'connected');
}

const text = (selector) => page.$eval(selector, (element) => element.innerText);
const texts = (selector) => page.$$eval(selector, (elements) => elements.map((element) => element.innerText));

/** Waits until an element shows a text. */
const shows = (selector, part) =>
  page.waitForFunction((selector, part) => document.querySelector(selector)?.innerText.includes(part), {}, selector, part);

/** Fills in the payload and runs it with the keyboard. */
async function run(payload) {
  await page.$eval('#decision', (element) => element.replaceChildren());
  await page.$eval('#payload', (element) => (element.value = ''));
  await page.focus('#payload');
  await page.keyboard.sendCharacter(typeof payload === 'string' ? payload : JSON.stringify(payload));
  await page.keyboard.down('Control');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
}

const verdict = async () => {
  await page.waitForSelector('#decision .verdict');
  return page.$eval('#decision .verdict', (element) => element.innerText);
};

test('a token is asked for, and a wrong one is said to be wrong', async () => {
  await page.goto(HOOKHOST_PAGE);
  await page.waitForSelector('#sign-in:not([hidden])');
  assert.equal(await page.$eval(':focus', (element) => element.id), 'token');
  await page.type('#token', 'nobody-0123456789abcdef');
  await page.keyboard.press('Enter');
  await shows('#notice', 'this token is unknown');
  await page.type('#token', HOOKHOST_TOKEN);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#hooks tbody tr');
  assert.equal(await page.$('#sign-in:not([hidden])'), null);
  await page.click('#forget');
  await page.waitForSelector('#sign-in:not([hidden])');
});

test('hooks are shown in their order, with their state, and what was skipped', async () => {
  await signIn();
  const rows = await texts('#hooks tbody tr');
  assert.deepEqual(await page.$$eval('#hooks tbody tr', (rows) => rows.map((row) => row.dataset.hook)), [
    'rewriter', 'second-rewriter', 'watcher', 'asker', 'blocker', 'last', 'cannot-start', 'sleeper',
  ]);
  assert.match(rows[0], /ready/);
  assert.match(rows[2], /observes/);
  assert.match(rows[6], /failing\s+load_failed: Error: not today/);
  assert.match(rows[7], /disabled/);
  assert.match(await text('#problems'), /skipped\s+hooks\/broken\/hook\.json:1:13\s+unknown point/);
});

test('a call is drawn step by step', async () => {
  await signIn();
  await run({ toolName: 'shell', args: { command: 'rm -r notes', deep: true } });
  assert.match(await verdict(), /^block at preToolUse by blocker$/i);
  const steps = await page.$$eval('.chain > li', (steps) => steps.map((step) => [step.dataset.step, step.dataset.answer]));
  assert.deepEqual(steps, [
    ['rewriter', 'modify'], ['second-rewriter', 'modify'], ['watcher', 'block'], ['asker', 'ask'], ['blocker', 'block'],
  ]);
  assert.match(await text('#decision'), /The chain ended here/);
  // Each rewrite is shown against what the step before left.
  assert.match(await text('[data-step=rewriter] .diff'), /- {3}"command": "rm -r notes",\n\+ {3}"command": "rm -ir notes",/);
  assert.match(await text('[data-step=second-rewriter] .diff'), /- {3}"command": "rm -ir notes",\n\+ {3}"command": "rm -irv notes",/);
  assert.match(await text('[data-step=watcher]'), /observes: does not count/);
  assert.match(await text('[data-step=asker]'), /asked[\s\S]*Really\?/);
  assert.match(await text('[data-step=blocker]'), /blocked[\s\S]*Not here\.[\s\S]*a word in the log/);
  assert.match(await text('[data-step=blocker]'), /\d ms/);
});

test('a hook that failed is not one that said no', async () => {
  await signIn();
  await page.select('#point', 'preOutput');
  await run({ text: 'x' });
  assert.match(await verdict(), /^block at preOutput by cannot-start$/i);
  assert.match(await text('[data-step="cannot-start"]'), /failed, so its policy decides: block\s[\s\S]*load_failed: Error: not today/);
});

test('one hook alone is asked by pressing its name', async () => {
  await signIn();
  await page.click('[data-hook=rewriter] button');
  assert.equal(await page.$eval('#hook', (select) => select.value), 'rewriter');
  assert.equal(await page.$eval(':focus', (element) => element.id), 'payload');
  await run({ toolName: 'shell', args: { command: 'rm x' } });
  assert.match(await verdict(), /^modify at preToolUse by rewriter$/i);
  assert.equal((await page.$$('.chain > li')).length, 1);
});

test('a payload that is no JSON is said beside the field, and nobody is asked', async () => {
  await signIn();
  const before = (await page.$$('#live li')).length;
  await run('{\n  "toolName": nonsense\n}');
  await page.waitForSelector('#payload-problem:not([hidden])');
  assert.match(await text('#payload-problem'), /This is not JSON[\s\S]*line 2, column 16\)/);
  assert.equal(await page.$eval('#payload', (field) => field.getAttribute('aria-invalid')), 'true');
  await run('[1]');
  await shows('#payload-problem', 'no object');
  assert.equal((await page.$$('#live li')).length, before);
  await run({ toolName: 'read', args: {} });
  await verdict();
  assert.equal(await page.$('#payload-problem:not([hidden])'), null);
});

test('decisions appear as they are made, whoever asked', async () => {
  await signIn();
  const response = await fetch(`${HOOKHOST_PAGE}/v1/decide`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${HOOKHOST_TOKEN}` },
    body: JSON.stringify({ point: 'preToolUse', payload: { toolName: 'from-elsewhere', args: { command: 'rm x' } } }),
  });
  const { id } = await response.json();
  const item = `[data-decision="${id}"]`;
  await page.waitForSelector(item);
  assert.match(await text(item), /block\s+preToolUse: from-elsewhere[\s\S]*blocker: Not here\./);
  await page.focus(`${item} summary`);
  await page.keyboard.press('Enter');
  assert.match(await text(`${item} .steps`), /rewriter: modify[\s\S]*watcher: block, observes/);
  // The counters follow.
  await page.keyboard.press('r');
  await page.waitForFunction(() => Number(document.querySelector('[data-hook=blocker] td:nth-child(9)').innerText) > 0);
});

test('what hooks say is text, never markup', async () => {
  await signIn();
  const markup = '<img src=x onerror="document.title=\'fooled\'"><script>document.title="fooled"</script>';
  await page.select('#point', 'preInput');
  await run({ text: markup });
  assert.match(await verdict(), /^block at preInput by last$/i);
  assert.ok((await text('#decision')).includes(`You said ${markup}`));
  assert.equal(await page.$('#decision img, #decision script, #live img'), null);
  assert.equal(await page.title(), 'hookhost');
});

test('hooks are reloaded by a button that says what it did', async () => {
  await signIn();
  await page.click('#reload');
  await shows('#notice', 'Nothing has changed.\nhooks/broken/hook.json cannot be loaded, so nobody is asked there: unknown point');
  await shows('#notice', '\ncannot-start cannot be started: Error: not today');
});

test('the keys are told, and work', async () => {
  await signIn();
  await page.focus('#help-open');
  await page.keyboard.press('?');
  await page.waitForSelector('#help[open]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#help:not([open])');
  await page.keyboard.press('/');
  assert.equal(await page.$eval(':focus', (element) => element.id), 'payload');
});

test('it fits a telephone, in the dark', async () => {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await page.setViewport({ width: 400, height: 800 });
  await signIn();
  await run({ toolName: 'shell', args: { command: 'rm x' } });
  await verdict();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'nothing sticks out');
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(21, 24, 28)');
});
