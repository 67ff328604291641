import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeGuessing } from '../../../../workflows/checks/guessing/code-guessing.check.ts';
import { type Answer, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { type AuditOptions, places, runOn } from '../harness.ts';

const test = suite('limits of guesses of a code');

type AnswerTo = (count: number) => Answer;
const wrong: AnswerTo = () => html('<p>Incorrect security code</p>');
const soonLimited: AnswerTo = (count) =>
  count > 5 ? html('<p>Too many attempts. Log in again.</p>') : html('<p>Incorrect security code</p>');
const led = (location: string, cookie?: string): Answer => ({
  status: 303,
  headers: { location, ...(cookie && { 'set-cookie': `${cookie}; Path=/` }) },
});
const login =
  '<form method=post><input name=username><input type=password name=password><button>Log in</button></form>';

/** A login with a second factor, whose trial account everybody may read. */
const secondFactor =
  (answerTo: AnswerTo): Handler =>
  ({ path, method, body, cookies }) => {
    if (path === '/') return html('<p>Trial login: kim / kim</p><a href=/login>Log in</a>');
    const sent = new URLSearchParams(body);
    if (path === '/login' && method === 'GET') return html(login);
    if (path === '/login')
      return sent.get('username') === 'kim' && sent.get('password') === 'kim'
        ? led('/login2', 'pending=kim-17')
        : html(`<p>Wrong name or password</p>${login}`);
    if (path !== '/login2' || cookies.pending !== 'kim-17') return path === '/login2' ? led('/login') : undefined;
    const form =
      '<p>Please enter your 4-digit security code</p><form method=post><input name=mfa-code><button>Verify</button></form>';
    return method === 'GET' ? html(form) : answerTo(counted());
  };

/** A site that sends a code for a new password, to whoever has registered. */
const resetCode =
  (answerTo: AnswerTo, isAlone = false): Handler =>
  ({ path, method, body, query, cookies }) => {
    const sent = new URLSearchParams(body);
    if (path === '/') return html('<a href=/login>Log in</a><a href=/recover>Forgot your password?</a>');
    if (path === '/login' && method === 'GET') return html(login);
    if (path === '/login')
      return sent.get('username') === 'mia' && sent.get('password') === 'mia-31'
        ? led('/panel', 'sid=mia-session')
        : html(`<p>Wrong name or password</p>${login}`);
    if (path === '/panel') return cookies.sid === 'mia-session' ? html('<p>Welcome mia</p>') : led('/login');
    if (path === '/recover')
      return method === 'GET'
        ? html('<form method=post><input name=username><button>Send a code</button></form>')
        : led(`/reset?user=${sent.get('username')}`);
    if (path !== '/reset') return undefined;
    const alone =
      '<p>We sent a 4-digit code.</p><form method=post><input name=username><input name=code><button>Go on</button></form>';
    if (isAlone)
      return method === 'GET' ? html(alone) : sent.get('username') === 'mia' ? answerTo(counted()) : html('No');
    const form = `<p>We sent a 4-digit code.</p><form method=post><input type=hidden name=username value="${query.get('user')}"><input name=code><input type=password name=password><button>Set password</button></form>`;
    return method === 'GET' ? html(form) : answerTo(counted());
  };

const named =
  (answerTo: AnswerTo): Handler =>
  (request) =>
    request.path === '/'
      ? html('<p>Posted by mia</p><a href=/recover>Forgot your password?</a>')
      : resetCode(answerTo, true)(request);

let tries = 0;
const counted = (): number => {
  tries += 1;
  return tries;
};
const registered = {
  ...{ name: 'registered_1', checkPath: '/panel', marker: 'Welcome mia' },
  login: { path: '/login', username: 'mia', password: 'mia-31' },
};

async function found(handler: Handler, options: AuditOptions): Promise<string[]> {
  tries = 0;
  const site = await startSite(handler);
  try {
    return places(await runOn(site.url, codeGuessing, { depth: 'deep', ...options }));
  } finally {
    await site.close();
  }
}

for (const [what, handler, options, place] of firstRows(
  [
    ['of a second factor', secondFactor, {}, 'POST /login2 mfa-code'],
    ['for a new password', resetCode, { identities: [registered] }, 'POST /reset code'],
    [
      'on a page before that for a new password, of an account that a page shows',
      (answerTo) => resetCode(answerTo, true),
      { identities: [{ ...registered, name: 'shown_1' }] },
      'POST /reset code',
    ],
    ['of somebody whom a page names', named, {}, 'POST /reset code'],
  ] satisfies [string, (answerTo: AnswerTo) => Handler, AuditOptions, string][],
  1,
)) {
  test(`codes ${what} that are refused in the same words are found on a test system`, async () => {
    assert.equal(await found(handler(wrong), { ...options, writes: 'create' }), [place]);
  });
  test(`codes ${what} behind a limit are clean`, async () => {
    assert.equal(await found(handler(soonLimited), { ...options, writes: 'create' }), []);
  });
  test(`codes ${what} are not guessed where the scope does not let anything stay`, async () => {
    assert.equal(await found(handler(wrong), { ...options, writes: 'reversible' }), []);
    assert.is(tries, 0);
  });
}

test.run();
