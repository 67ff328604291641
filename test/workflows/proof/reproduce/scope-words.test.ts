import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLogger } from '../../../../kit/logger.ts';
import { claim, type Experiment, type Step } from '../../../../workflows/model/experiment.ts';
import type { HeaderList } from '../../../../workflows/model/http.ts';
import { parseAllowRules } from '../../../../workflows/probe/guard/allow.ts';
import { openProbes } from '../../../../workflows/probe/open.ts';
import { prove } from '../../../../workflows/proof/prove.ts';
import { escapeHtml, html, startSite } from '../../../fixtures/site.ts';
import { stageAt } from '../../login/stage.ts';
import { contextOf, page, proofOf } from './contexts.ts';
import { runIn } from './shell.ts';

const test = suite('commands for a site that wants headers of the scope');

const pass = 'harbour-door-71';
const given: HeaderList = [
  ['X-Staging-Pass', pass],
  ['X-Env', 'dev'],
];

/** Nobody sees it without both headers; it repeats what it was sent. */
const behindDoor = () =>
  startSite(({ path, query, headers }) => {
    if (headers['x-staging-pass'] !== pass || headers['x-env'] !== 'dev') return html('Who are you?', 403);
    if (path === '/token') return html('<input type="hidden" name="key" value="key-of-the-door">');
    if (path === '/locked') return query.get('key') === 'key-of-the-door' ? html('unlocked') : html('locked', 403);
    return path === '/'
      ? html(`<p>X-Env: dev</p><p>${pass}</p><p>${escapeHtml(query.get('q') ?? 'nothing')}</p>`)
      : undefined;
  });

async function proven(experiment: (url: string) => Experiment) {
  const site = await behindDoor();
  const probes = openProbes({
    runId: '0193b2a0-0000-7000-8000-000000000002',
    target: site.url,
    share: { maxRequests: 100, maxConnections: 5, requestsPerSecond: 500, deadlineMs: Date.now() + 60_000 },
    guard: { allow: parseAllowRules(['*.localhost=127.0.0.0/8']) },
    signal: new AbortController().signal,
    logger: createLogger('test', 'silent'),
    extraHeaders: given,
    headersOverHttp: true,
  });
  const { scopeHeaders, scopeHeadersFor } = probes;
  const proof = await proofOf(experiment(site.url), {
    ...contextOf({ ...stageAt(site.url), probes }, {}),
    scopeHeaders,
    scopeHeadersFor,
  });
  return { proof, close: () => Promise.all([probes.close(), site.close()]) };
}

const echo = (url: string): Experiment => ({
  steps: [page(`${url}/?q=‹nonce›`, '‹nonce›')],
  control: [page(`${url}/`, '‹nonce›')],
});

const variables = { SCOPE_HEADER_X_STAGING_PASS: pass, SCOPE_HEADER_X_ENV: 'dev' };

test('they reach it with variables that the reader sets, and hold no value', async () => {
  const { proof, close } = await proven(echo);
  try {
    assert.match(proof.curl, `"X-Staging-Pass: \${SCOPE_HEADER_X_STAGING_PASS:?}"`);
    assert.match(proof.curl, /^# Export SCOPE_HEADER_X_STAGING_PASS, SCOPE_HEADER_X_ENV: /m);
    assert.not.match(proof.curl, pass);
    const shown = await runIn('bash', proof.curl, variables);
    assert.match(shown.stdout, /HTTP\/1.1 200[\s\S]*<p>[a-z][a-z0-9]{9}<\/p>/, shown.stderr);
  } finally {
    await close();
  }
});

test('the script names one that its reader has not set', async () => {
  const { proof, close } = await proven(echo);
  try {
    const { code, stderr } = await runIn('bash', proof.curl, { SCOPE_HEADER_X_STAGING_PASS: pass });
    assert.is.not(code, 0);
    assert.match(stderr, 'SCOPE_HEADER_X_ENV');
  } finally {
    await close();
  }
});

test('requests that only read a value have them, too', async () => {
  const read = (url: string): Step => ({
    http: { url: `${url}/token` },
    note: 'A key is given out.',
    expect: [claim('status', 'equals', '200')],
    capture: [{ name: 'key', subject: 'body', pattern: 'value="([^"]+)"', secret: true }],
  });
  const { proof, close } = await proven((url) => ({
    steps: [read(url), page(`${url}/locked?key=‹key›`, 'unlocked')],
    control: [page(`${url}/locked?key=‹nonce›`, 'unlocked')],
  }));
  try {
    const shown = await runIn('bash', proof.curl, variables);
    assert.match(shown.stdout, 'unlocked', `${proof.curl}\n${shown.stderr}`);
    assert.is(proof.curl.match(/X-Env: /g)?.length, 2, proof.curl);
  } finally {
    await close();
  }
});

test('a request that has such a header of its own is sent that one', async () => {
  const { proof, close } = await proven((url) => ({
    steps: [
      { ...page(`${url}/?q=‹nonce›`, '‹nonce›'), http: { url: `${url}/?q=‹nonce›`, headers: [['x-env', 'dev']] } },
    ],
    control: [page(`${url}/`, '‹nonce›')],
  }));
  try {
    assert.not.match(proof.curl, 'SCOPE_HEADER_X_ENV');
  } finally {
    await close();
  }
});

test('the evidence has neither value, however short', async () => {
  const { proof, close } = await proven(echo);
  try {
    const text = JSON.stringify([proof.steps, proof.control]);
    assert.not.match(text, pass);
    assert.not.match(text, 'X-Env: dev');
    assert.match(text, 'X-Env: [masked, 3 characters]');
  } finally {
    await close();
  }
});

test('without such headers the commands ask for nothing', async () => {
  const site = await startSite(({ query }) => html(query.get('q') ?? 'nothing'));
  const stage = stageAt(site.url);
  try {
    const verdict = await prove(echo(site.url), contextOf(stage, {}));
    assert.ok(verdict.proven && !/SCOPE_HEADER|bash/.test(verdict.proof.curl));
  } finally {
    await stage.probes.close();
    await site.close();
  }
});

test.run();
