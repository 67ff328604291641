import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sentBodies } from '../../../workflows/survey/sent-bodies.ts';

const test = suite('bodies that pages send');

const token = 'k7Qx93mZb2Lw81Tn';
const page = `<form method=post action=/login><input name=who><input type=password name=secret>
  <input type=hidden name=@csrf value=${token}><input type=hidden name=kind value=short></form>`;

const tokensOf = (body: string, type = 'application/x-www-form-urlencoded') =>
  sentBodies({
    finalUrl: 'http://x.localhost/#top',
    requests: [
      { url: 'http://x.localhost/login', method: 'POST', headers: [['Content-Type', type]], body, refused: true },
    ],
    cookies: [],
    states: [page],
  }).map((sent) => sent.page);

test('take the token of a hidden field anew from their page', () => {
  const url = 'http://x.localhost/';
  assert.equal(tokensOf(`who=a&secret=b&%40csrf=${token}&kind=short`), [{ url, tokens: [{ field: '@csrf' }] }]);
});

test('have none in what the page has no such field for, and in other kinds of bodies', () => {
  const url = 'http://x.localhost/';
  assert.equal(tokensOf('who=a&%40csrf=anotherValue-of-17-letters'), [{ url, tokens: [] }]);
  assert.equal(tokensOf(`{"@csrf":"${token}"}`, 'application/json'), [{ url, tokens: [] }]);
});

const headersOf = (html: string, headers: [string, string][]) =>
  sentBodies({
    finalUrl: 'http://x.localhost/',
    requests: [
      {
        ...{ url: 'http://x.localhost/find', method: 'POST', body: '{"q":"a"}', refused: true },
        headers: [['Content-Type', 'application/json'], ...headers],
      },
    ],
    cookies: [],
    states: [html],
  })[0]?.page?.tokens;

test('take the token of a header anew from behind the text before it in their page', () => {
  const inAttribute = `<body hx-headers="{&quot;X-CSRF&quot;: &quot;${token}&quot;}">`;
  assert.equal(headersOf(inAttribute, [['X-CSRF', token]]), [{ header: 'X-CSRF', behind: ' &quot;' }]);
  const inScript = `<script>const other = "${token.slice(1)}x"; window.nonce = "${token}"</script>`;
  assert.equal(headersOf(inScript, [['X-WP-Nonce', token]]), [{ header: 'X-WP-Nonce', behind: 'ce = "' }]);
});

test('have none of a header whose value their page has not', () => {
  assert.equal(headersOf('<p>nothing</p>', [['X-CSRF', token]]), []);
  assert.equal(headersOf(`<script>const key = "${token}"</script>`, [['X-Trace', token]]), []);
});

const ownHeadersOf = (html: string, headers: [string, string][]) =>
  sentBodies({
    finalUrl: 'http://x.localhost/',
    requests: [
      {
        ...{ url: 'http://x.localhost/find', method: 'POST', body: '{"q":"a"}', refused: true },
        headers: [['Content-Type', 'application/json'], ...headers],
      },
    ],
    cookies: [],
    states: [html],
  })[0]?.page?.headers;

test('bring along what scripts send in headers of their own, and keys that their page shows', () => {
  const open: [string, string] = ['X-Api-Key', 'demo-7741-quay'];
  assert.equal(
    ownHeadersOf('<p>The open key is <code>demo-7741-quay</code>', [
      ['X-Requested-With', 'fetch'],
      ['X-Shop', 'north'],
      open,
    ]),
    [['X-Requested-With', 'fetch'], ['X-Shop', 'north'], open],
  );
});

test('bring along no key that their page does not show, no token, no session, and nothing that browsers send', () => {
  const secret: [string, string] = ['X-Api-Key', 'k-of-one-user-only'];
  assert.is(ownHeadersOf('<p>nothing</p>', [secret, ['Authorization', 'Bearer x'], ['X-Auth', 'y']]), undefined);
  const usual: [string, string][] = [
    ['Accept', '*/*'],
    ['Cookie', 'a=b'],
  ];
  assert.is(ownHeadersOf(`<p>${token}</p>`, [...usual, ['X-CSRF', token]]), undefined);
});

test.run();
