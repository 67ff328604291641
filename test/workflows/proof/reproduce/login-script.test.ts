import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { totpAt } from '../../../../workflows/login/totp.ts';
import { claim, type Experiment, type Step } from '../../../../workflows/model/experiment.ts';
import { codeBook, codeSite } from '../../../fixtures/logins/code-site.ts';
import { getSite, multipartSite, twoStepSite } from '../../../fixtures/logins/form-sites.ts';
import { cookieApi, tokenApi } from '../../../fixtures/logins/json-sites.ts';
import { dora } from '../../../fixtures/logins/people.ts';
import { type Handler, html } from '../../../fixtures/site.ts';
import { enter, type Kind, type More, onStage } from '../../login/stage.ts';
import { contextOf, credentials, form, proofOf } from './contexts.ts';
import { runIn } from './shell.ts';

/** The page says who asks, and shows it to nobody else. */
const whoAmI = (url: string, text: string): Experiment => {
  const step: Step = { http: { url }, note: 'Who asks?', expect: [claim('body', 'contains', text)] };
  return { steps: [{ ...step, identity: 'test user' }], control: [step] };
};

const totp = { secret: 'JBSWY3DPEHPK3PXP', periodSeconds: 30 };
const codes = () => codeBook((epochMs) => totpAt({ ...totp, algorithm: 0, digits: 0 }, epochMs), totp.periodSeconds);
/** The code before this one is taken, too, and nobody has used it. */
const codeOfBefore = () => totpAt({ ...totp, algorithm: 0, digits: 0 }, Date.now() - totp.periodSeconds * 1_000);

type Case = { site: () => Handler; kind: Kind; more?: More; path?: string; text?: string; code?: boolean };

const bearerApi = () =>
  tokenApi({
    answer: (token) => ({ data: { access_token: token, kind: 'x' } }),
    read: ({ authorization }) => String(authorization ?? '').replace(/^Bearer /, ''),
    credentials: ({ user }) => {
      const { name, pass } = user as { name: string; pass: string };
      return { name, password: pass };
    },
  });

const cases: Record<string, Case> = {
  'a form of several parts': { site: () => multipartSite().handler, kind: form },
  'a form after a form': { site: () => twoStepSite().handler, kind: form },
  'a form that is sent in the address': { site: () => getSite().handler, kind: form },
  'JSON, with a cookie for it': {
    site: () => cookieApi().handler,
    kind: { case: 'json', value: { url: '/session', ...dora } },
    path: '/whoami',
    text: '"login":"dora"',
  },
  'JSON, with a token for it': {
    site: () => bearerApi().handler,
    kind: {
      case: 'json',
      value: { url: '/api/auth/login', ...dora, usernameField: 'user.name', passwordField: 'user.pass' },
    },
    path: '/api/me',
    text: 'dora@example.org',
  },
  'a form with a code after it': {
    site: () => codeSite(codes(), 'second page'),
    kind: form,
    more: { totp },
    code: true,
  },
  'JSON with a code in it': {
    site: () => codeSite(codes(), 'json'),
    kind: { case: 'json', value: { url: '/api/login', ...dora } },
    more: { totp: { ...totp, field: 'mfa.code' } },
    code: true,
  },
};

const logins = suite('a script that logs in');

for (const [name, { site, kind, more, path = '/', text = 'Signed in as dora', code }] of Object.entries(cases)) {
  logins(`makes a session by ${name}, whatever characters are in the password`, async () => {
    await onStage(site(), async (stage) => {
      const context = contextOf(stage, { 'test user': await enter(stage, kind, more) });
      const { curl } = await proofOf(whoAmI(`${stage.url}${path}`, text), context);
      assert.not.ok(curl.includes(dora.password) || curl.includes('quiet'), curl);
      const given = { ...credentials, ...(code ? { CODE_TEST_USER: codeOfBefore() } : {}) };
      const { stdout, stderr } = await runIn('bash', curl, given);
      assert.match(stdout, text, `${curl}\n${stderr}`);
      assert.is(stderr, '', curl);
    });
  });
}

logins('stops where a variable is missing, before anything is sent', async () => {
  await onStage(twoStepSite().handler, async (stage) => {
    const context = contextOf(stage, { 'test user': await enter(stage, form) });
    const { curl } = await proofOf(whoAmI(`${stage.url}/`, 'Signed in as dora'), context);
    const { stdout, stderr, code } = await runIn('bash', curl, { PASSWORD_TEST_USER: dora.password });
    assert.is(stdout, '');
    assert.match(stderr, /USERNAME_TEST_USER: parameter null or not set/);
    assert.is.not(code, 0);
  });
});

logins('stops where the login is refused, instead of showing what a visitor sees', async () => {
  await onStage(twoStepSite().handler, async (stage) => {
    const context = contextOf(stage, { 'test user': await enter(stage, form) });
    const { curl } = await proofOf(whoAmI(`${stage.url}/`, 'Signed in as dora'), context);
    const { stdout, stderr } = await runIn('bash', curl, { ...credentials, PASSWORD_TEST_USER: 'another' });
    assert.is(stdout, '');
    assert.match(stderr, /401/);
  });
});

for (const [name, kind, variables] of [
  ['bearer', { case: 'bearer', value: 'tok-1f2e3d4c5b' }, { TOKEN_TEST_USER: 'tok-1f2e3d4c5b' }],
  [
    'header',
    { case: 'header', value: { name: 'X-Api-Key', value: 'key-1f2e3d4c' } },
    { X_API_KEY_TEST_USER: 'key-1f2e3d4c' },
  ],
  ['cookie', { case: 'cookie', value: 'sid=sid-1f2e3d4c' }, { COOKIE_TEST_USER: 'sid=sid-1f2e3d4c' }],
] as const) {
  logins(`says what to set for a session that was given as ${name}`, async () => {
    const handler: Handler = ({ headers, cookies }) =>
      html([headers.authorization, headers['x-api-key'], cookies.sid].join(' ').trim() ? 'welcome back' : 'hello');
    await onStage(handler, async (stage) => {
      const context = contextOf(stage, { 'test user': await enter(stage, kind) });
      const { curl } = await proofOf(whoAmI(`${stage.url}/`, 'welcome back'), context);
      const [variable = ''] = Object.keys(variables);
      assert.match(curl, `# Set ${variable} to `);
      assert.not.match(curl, /1f2e3d4c/);
      assert.match((await runIn('bash', curl, variables)).stdout, /welcome back/);
      assert.match((await runIn('bash', curl)).stderr, `${variable}: parameter null or not set`);
    });
  });
}

logins.run();
