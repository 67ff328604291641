import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CaptureRule, claim, type Experiment, type Step } from '../../../../workflows/model/experiment.ts';
import { dora } from '../../../fixtures/logins/people.ts';
import { escapeHtml, type Handler, html } from '../../../fixtures/site.ts';
import { enter, onStage } from '../../login/stage.ts';
import { contextOf, credentials, form, page, proofOf } from './contexts.ts';
import { runIn } from './shell.ts';

const values = suite('a script that builds on its answers');

/** A profile with tokens that are taken once, and a name in every character that pages have to escape. */
function profileSite() {
  let [name, count] = [`O'Brien & "Söhne" <b> 100%`, 0];
  const tokens = new Set<string>();
  const handler: Handler = ({ method, path, body, cookies }) => {
    if (cookies.sid !== 'session-of-dora') return html('who are you?', 401);
    if (path !== '/me') return undefined;
    const fields = new URLSearchParams(body);
    if (method === 'POST' && !tokens.delete(fields.get('csrf') ?? '')) return html('bad token', 403);
    if (method === 'POST') name = fields.get('name') ?? '';
    const token = `token-number-${++count}`;
    tokens.add(token);
    return html(
      `<form method="post"><input type='hidden'\n  value='${token}' name=csrf><input name="name" value="${escapeHtml(name)}"></form>`,
    );
  };
  return { handler, name: () => name };
}

const target = 'body:form:/me';

function renaming(url: string, before: string): Experiment {
  const body = (name: string) => `name=${name}&csrf=‹encode:token›`;
  const type = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
  const capture: CaptureRule[] = [{ name: 'token', subject: `${target} csrf`, pattern: '^(.+)$', secret: true }];
  const load: Step = {
    http: { url },
    identity: 'dora',
    note: 'The page; its token is read.',
    expect: [claim('status', 'equals', '200')],
    capture,
  };
  const shown: Step = {
    http: { url },
    identity: 'dora',
    note: 'The page shows the new name.',
    expect: [claim(`${target} name`, 'equals', '‹nonce›')],
  };
  const rename: Step = {
    http: {
      method: 'POST',
      url,
      headers: [type],
      body: body('‹nonce›'),
      secrets: [before],
      write: {
        description: 'The name is changed.',
        undo: { method: 'POST', url, headers: [type], body: body(encodeURIComponent(before)), fresh: { url, capture } },
        verify: { url, expect: [claim(`${target} name`, 'equals', before)] },
      },
    },
    identity: 'dora',
    note: "It's “changed”; $(id) `id` #1",
    expect: [claim('status', 'equals', '200')],
  };
  return { steps: [load, rename, shown], control: [{ ...shown, expect: [claim('body', 'contains', 'elsewhere')] }] };
}

values('reads tokens anew, and puts back what was there in every character', async () => {
  const site = profileSite();
  const before = site.name();
  await onStage(site.handler, async (stage) => {
    const jar = stage.probes.http.newJar();
    jar.set(stage.url, 'sid', 'session-of-dora');
    const proof = await proofOf(renaming(`${stage.url}/me`, before), contextOf(stage, { dora: { jar, headers: [] } }));
    assert.is(site.name(), before);
    assert.not.match(proof.curl, /token-number|session-of|Brien|masked/);
    assert.match(proof.curl, '\n# It s changed , id id 1\n');
    const { stdout, stderr } = await runIn('bash', proof.curl, { COOKIE_DORA: 'sid=session-of-dora' });
    assert.is(stderr, '', proof.curl);
    assert.match(stdout, /name="name" value="[a-z][a-z0-9]{9}"/);
    assert.is(site.name(), before, proof.curl);
  });
});

values('does not put back what it could not read', async () => {
  const site = profileSite();
  await onStage(site.handler, async (stage) => {
    const jar = stage.probes.http.newJar();
    jar.set(stage.url, 'sid', 'session-of-dora');
    const context = contextOf(stage, { dora: { jar, headers: [] } });
    const { curl } = await proofOf(renaming(`${stage.url}/me`, site.name()), context);
    const { stdout, stderr } = await runIn('bash', curl.replaceAll('form_field name', 'form_field nick'), {
      COOKIE_DORA: 'sid=session-of-dora',
    });
    assert.match(stderr, /NAME: parameter null or not set/);
    assert.match(stdout, /name="name" value="[a-z][a-z0-9]{9}"/);
  });
});

/** Words that would run as commands where a shell, sed or awk took them for its own. */
const hostileWords = [
  '$(touch canary)',
  '`touch canary`',
  "';touch canary;'",
  '";touch canary;"',
  '/e touch canary;/',
  '\\/;e touch canary',
  '"||system("touch canary")||"',
  '%s\\n%n',
  '|touch canary|',
];

for (const word of hostileWords)
  values(`runs nothing that a site calls ${JSON.stringify(word)}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'script-'));
    const name = escapeHtml(word);
    const handler: Handler = ({ method, path, body, cookies }) => {
      const token = `<input type="hidden" name="${name}" value="token-${word.length}-of-this-page">`;
      if (path === '/login' && method === 'GET')
        return html(
          `<form method="post">${token}<input name="username"><input type="password" name="password"></form>`,
        );
      const isRight = new URLSearchParams(body).get('password') === dora.password;
      const headers = { 'set-cookie': [`sid=session-of-dora`, `${encodeURIComponent(word)}=value-of-dora`] };
      if (path === '/login' && isRight) return { status: 302, headers: { location: '/', ...headers } };
      return html(cookies.sid ? `Signed in as dora ${token}` : 'hello');
    };
    try {
      await onStage(handler, async (stage) => {
        const address = `${stage.url}/?x=${encodeURIComponent(word)}`;
        const identities = { 'test user': await enter(stage, form) };
        const step = (more: Partial<Step>): Step => ({ ...page(address, 'Signed in'), note: word, ...more });
        const pattern = 'value="(token[^"]+)"';
        const steps = [
          step({ identity: 'test user', capture: [{ name: 'token', subject: 'body', pattern, secret: true }] }),
          step({
            identity: 'test user',
            http: { method: 'POST', url: address, headers: [['X-Word', word]], body: `${word}=‹token›` },
          }),
        ];
        const { curl } = await proofOf({ steps, control: [step({})] }, contextOf(stage, identities));
        const { stdout, stderr } = await runIn('bash', `cd ${folder} && ${curl}`, credentials);
        // Names that a page writes with references are not found, which stops the script.
        assert.match(stdout + stderr, /["']/.test(word) ? /parameter null/ : /Signed in as dora/, curl);
        assert.equal(await readdir(folder), [], curl);
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

values('names what only the reader can know', async () => {
  const handler: Handler = ({ headers }) => html(headers['x-key'] === 'opaque-key-77' ? 'open' : 'closed');
  await onStage(handler, async (stage) => {
    const step = (value: string): Step => ({
      http: { url: `${stage.url}/`, headers: [['X-Key', value]], secrets: [value] },
      note: 'It opens.',
      expect: [claim('body', 'contains', 'open')],
    });
    const { curl } = await proofOf(
      { steps: [step('opaque-key-77')], control: [step('another-key')] },
      contextOf(stage, {}),
    );
    assert.match(curl, /# Set SECRET_1 to a value that the proof had and that is not kept\./);
    assert.match((await runIn('bash', curl, { SECRET_1: 'opaque-key-77' })).stdout, /open/);
  });
});

values.run();

const several = suite('what is shown');

several('is one line where that is enough, and each answer under its note where it is not', async () => {
  const handler: Handler = ({ path }) => html(path.slice(1));
  await onStage(handler, async (stage) => {
    const { url } = stage;
    const control = [page(`${url}/x`, 'one')];
    const one = await proofOf(
      { steps: [page(`${url}/zero`, 'zero'), page(`${url}/one`, 'one')], control },
      contextOf(stage, {}),
    );
    assert.is(one.curl, `curl -sS -i ${url}/one`);
    const steps = [page(`${url}/zero`, 'zero', { isShown: true }), page(`${url}/one`, 'one')];
    const two = await proofOf({ steps, control }, contextOf(stage, {}));
    assert.equal(two.curl.split('\n'), [
      '# The page says zero.',
      `curl -sS -i ${url}/zero`,
      '# The page says one.',
      `curl -sS -i ${url}/one`,
    ]);
    assert.match((await runIn('sh', two.curl)).stdout, /zero.*one/s);
  });
});

several('is shown once when two steps ask for the same', async () => {
  await onStage(
    () => html('zero one'),
    async (stage) => {
      const same = page(`${stage.url}/`, 'one', { isShown: true });
      const control = [page(`${stage.url}/`, 'two')];
      const { curl } = await proofOf({ steps: [same, same], control }, contextOf(stage, {}));
      assert.is(curl, `curl -sS -i ${stage.url}/`);
    },
  );
});

several.run();
