import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { shownAccounts } from '../../../../workflows/checks/logins/shown-accounts.ts';

const test = suite('accounts that a page has');

const shown: [html: string, name: string, password: string, place: string][] = [
  ['<!-- TODO: remove test account: kim / kim-2031 -->', 'kim', 'kim-2031', 'comment'],
  ['<!-- dev login username=kim&password=kim-2031 -->', 'kim', 'kim-2031', 'comment'],
  ['<!-- Testing: user "kim" password "kim-2031" -->', 'kim', 'kim-2031', 'comment'],
  ['<script>const tester = { user: "kim", password: "kim-2031" }</script>', 'kim', 'kim-2031', 'script'],
  ['<p>Demo credentials: <code>kim:kim-2031</code></p>', 'kim', 'kim-2031', 'text'],
  ['<p>Username: <b>kim</b><br>Password: <b>kim-2031</b></p>', 'kim', 'kim-2031', 'text'],
  ['<p>Try the demo account (user: kim, pass: kim-2031).</p>', 'kim', 'kim-2031', 'text'],
  ['<p>Log in as kim@quay.example with the password kim-2031.</p>', 'kim@quay.example', 'kim-2031', 'text'],
  ['<p>Log in with kim:kim-2031</p>', 'kim', 'kim-2031', 'text'],
  ['<p>Try it: user <b>kim</b>, password <b>kim-2031</b></p>', 'kim', 'kim-2031', 'text'],
  ['<p>Guests may use kim / kim-2031.</p>', 'kim', 'kim-2031', 'text'],
];
for (const [html, name, password, place] of shown)
  test(`a pair is read from ${html}`, () => {
    assert.equal(shownAccounts(html), [{ pair: [name, password], in: place }]);
  });

const none = [
  '<label>Username: <input name=u></label><label>Password: <input type=password></label>',
  '<p>Username is required. Password: must be 8 characters.</p>',
  '<p>See the demo at https://quay.example/start and the test at http://quay.example/</p>',
  '<p>Default ratio 16:9, sample time 10:30.</p>',
  '<script>send({ user: username, password: password })</script>',
  '<script>const labels = { username: "Username", password: "Password" }</script>',
  `<!-- ${['ada', 'ben', 'cem', 'dia', 'eno'].map((name) => `user: ${name}, password: ${name}-1`).join('\n')} -->`,
];
for (const html of none)
  test(`no pair is read from ${html.slice(0, 60)}`, () => {
    assert.equal(shownAccounts(html), []);
  });

test('a page without end is read in time', () => {
  const before = process.cpuUsage().user;
  shownAccounts(`<!-- ${'test user: '.repeat(40_000)} -->`);
  shownAccounts(`<p>${'login as '.repeat(40_000)}</p>`);
  assert.ok(process.cpuUsage().user - before < 2_000_000);
});

test.run();
