import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import { withoutKeptCookies } from '../../../workflows/activities/held-cookies.ts';
import { cookieInputs } from '../../../workflows/checks/inputs/cookie-inputs.ts';
import type { InputSurface } from '../../../workflows/model/surface.ts';
import { observeCookies } from '../../../workflows/observation/kept-cookies.ts';
import { type Answer, html, startSite } from '../../fixtures/site.ts';
import { openAudit } from '../checks/harness.ts';

const test = suite('cookies that an account keeps');

type Asked = { cookies: ReadonlyMap<string, string>; account: Map<string, string> };

const cookiesOf = (header = ''): Map<string, string> =>
  new Map(header.split('; ').map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]));

/** Observes the cookie "view" on a site whose accounts begin with a view of their own. */
async function observed(answer: (asked: Asked) => Answer) {
  const account = new Map([['view', 'list%3Dwide']]);
  const site = await startSite(({ headers }) => {
    const cookies = cookiesOf(headers.cookie);
    return cookies.get('sid') === 'of-anna' ? answer({ cookies, account }) : html('Log in');
  });
  const audit = await openAudit(site.url);
  try {
    const { http, surface } = audit.context;
    const jar = http.newJar();
    jar.store(site.url, ['sid=of-anna', 'view=list%3Dwide']);
    const identity = { name: 'anna', role: '', jar, headers: [], checkUrl: site.url, marker: 'Anna' };
    const input: InputSurface = {
      ...{ method: 'GET', url: `${site.url}/`, route: '/', parameter: 'view', in: 'cookie' },
      ...{ sample: 'list=wide', others: [] },
    };
    const recorded: string[] = [];
    const verdicts = await observeCookies({
      ...{ identity, http, nonce: makeNonce },
      surface: { ...surface, inputs: [input] },
      record: async (_trial, verdict) => void recorded.push(verdict ?? 'sent'),
    });
    return { verdict: verdicts.get('view'), recorded, account, session: jar.header(site.url) };
  } finally {
    await audit.close();
    await site.close();
  }
}

const page = html('<p>Anna</p>');

test('a cookie whose value the account gives to the next browser is put back as it was', async () => {
  const { verdict, recorded, account, session } = await observed(({ cookies, account: kept }) => {
    const sent = cookies.get('view');
    if (sent !== undefined) kept.set('view', sent);
    return { ...page, headers: { 'set-cookie': [`view=${kept.get('view')}; Path=/`] } };
  });
  assert.is(verdict, 'put-back');
  assert.equal(recorded, ['sent', 'put-back']);
  assert.is(account.get('view'), 'list%3Dwide');
  assert.match(session, 'view=list%3Dwide');
});

test('what the account did not have is empty again', async () => {
  const { verdict, account } = await observed(({ cookies, account: kept }) => {
    const sent = cookies.get('view');
    if (sent !== undefined) kept.set('view', sent);
    const own = cookies.has('view') || kept.get('view') !== 'list%3Dwide' ? kept.get('view') : '';
    const line = own ? `view=${own}; Path=/` : 'view=deleted; expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0; Path=/';
    return { ...page, headers: { 'set-cookie': [line] } };
  });
  assert.equal([verdict, account.get('view')], ['put-back', '']);
});

test('what the page alone shows of the account is put back by the value that the survey saw', async () => {
  const { verdict, account } = await observed(({ cookies, account: kept }) => {
    const sent = cookies.get('view');
    if (sent !== undefined) kept.set('view', sent);
    return html(`<body class="${kept.get('view')}">Anna</body>`);
  });
  assert.is(verdict, 'put-back');
  assert.is(decodeURIComponent(account.get('view') ?? ''), 'list=wide');
});

test('what cannot be put back is reported as left', async () => {
  const { verdict, recorded } = await observed(({ cookies, account: kept }) => {
    const sent = cookies.get('view');
    if (sent !== undefined && !sent.startsWith('list')) kept.set('view', sent);
    return html(`<body class="${kept.get('view')}">Anna</body>`);
  });
  assert.is(verdict, 'kept');
  assert.equal(recorded, ['sent', 'kept']);
});

test('a cookie that the page works with and forgets is free', async () => {
  const { verdict } = await observed(({ cookies }) =>
    html(`<body class="${cookies.get('view') ?? 'grid'}">Anna</body>`),
  );
  assert.is(verdict, 'not-kept');
});

test('checks are given no cookie with a session but those that were seen to be free', async () => {
  const site = await startSite(() => ({ ...page, headers: { 'set-cookie': ['view=a', 'taste=b', 'tour=c'] } }));
  const audit = await openAudit(site.url);
  try {
    const observations = { 'session cookie taste': 'reads', 'session cookie view': 'writes' } as const;
    const surface = withoutKeptCookies(audit.context.surface, observations);
    assert.equal(
      cookieInputs(surface).map(({ parameter }) => parameter),
      ['taste'],
    );
    assert.equal(surface.heldCookies?.toSorted(), ['tour', 'view']);
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
