import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accountsInFile, accountsInScript, shownAccounts } from '../../../../workflows/checks/logins/shown-accounts.ts';
import { further } from '../../../support/further.ts';

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
  ['<p>Demo: kim@quay.example with kim-2031</p>', 'kim@quay.example', 'kim-2031', 'text'],
  ['<p>Demo: kim@quay.example (kim-2031)</p>', 'kim@quay.example', 'kim-2031', 'text'],
  ['<p>Demo customer: kim@quay.example, kim-2031</p>', 'kim@quay.example', 'kim-2031', 'text'],
  ['<p>Use kim@quay.example:fairwind</p>', 'kim@quay.example', 'fairwind', 'text'],
  ['<p>Sign in with kim@quay.example and the password fairwind</p>', 'kim@quay.example', 'fairwind', 'text'],
  ['<p>Demo user kim, password fairwind</p>', 'kim', 'fairwind', 'text'],
  ['<p>Demo access — username kim — password fairwind</p>', 'kim', 'fairwind', 'text'],
  ['<p>Please log in as kim (password: fairwind)</p>', 'kim', 'fairwind', 'text'],
  ['<p>Demo: <code>kim</code> – <code>fairwind</code></p>', 'kim', 'fairwind', 'text'],
  ['<p>Demo account: <b>kim</b> <b>fairwind</b></p>', 'kim', 'fairwind', 'text'],
  ['<p>Credentials: kim – kim-2031</p>', 'kim', 'kim-2031', 'text'],
  ['<p>You can log in using kim and kim-2031.</p>', 'kim', 'kim-2031', 'text'],
  ['<p>Demo member 1001, PIN 4471</p>', '1001', '4471', 'text'],
  ['<p>Try the demo card 1001 with PIN <code>fairwind</code>.</p>', '1001', 'fairwind', 'text'],
  ['<p>Guest access: name kim, code <b>fairwind</b></p>', 'kim', 'fairwind', 'text'],
  ['<p>To try it, use customer number 20-77 (code <b>4471</b>)</p>', '20-77', '4471', 'text'],
  ['<small>Hint: kim:fairwind</small>', 'kim', 'fairwind', 'text'],
  ['<table><tr><td>User<td>kim<tr><td>Password<td>fairwind</table>', 'kim', 'fairwind', 'text'],
  ['<dl><dt>Username<dd>kim<dt>Password<dd>fairwind</dl>', 'kim', 'fairwind', 'text'],
  ['<p>kim@quay.example / kim-2031</p>', 'kim@quay.example', 'kim-2031', 'text'],
  ['<p>Log in as kim with kim-2031.</p>', 'kim', 'kim-2031', 'text'],
  ['<p>Please use kim:kim-2031 for a first look</p>', 'kim', 'kim-2031', 'text'],
  ['<!-- creds: kim:kim-2031 -->', 'kim', 'kim-2031', 'comment'],
  ['<!-- TODO before release: login is kim / Tul1ps4ever -->', 'kim', 'Tul1ps4ever', 'comment'],
  ['<script>app.innerHTML = "<h1>Meters</h1><p>Trial: kim / kim</p>"</script>', 'kim', 'kim', 'text'],
  ['<!-- TODO take kim:kim-2031 out before we open -->', 'kim', 'kim-2031', 'comment'],
  ['<!-- still in the database: test:test -->', 'test', 'test', 'comment'],
  ['<p>Log in with kim:kim-2031</p>', 'kim', 'kim-2031', 'text'],
  ['<p>Try it: user <b>kim</b>, password <b>kim-2031</b></p>', 'kim', 'kim-2031', 'text'],
  ['<p>Guest access: kim / kim-2031</p>', 'kim', 'kim-2031', 'text'],
  ['<p>Guests may use kim / kim-2031.</p>', 'kim', 'kim-2031', 'text'],
  ['<p>Singers use kim / la-la-la</p>', 'kim', 'la-la-la', 'text'],
  ['<p>Log in as kim / kim.</p>', 'kim', 'kim', 'text'],
  ['<p>The default account is <b>kim</b> with the password <b>letmein</b>.</p>', 'kim', 'letmein', 'text'],
  ['<p>kim : kim</p>', 'kim', 'kim', 'text'],
  ['<p>Demo reader: kim / kim-2031</p>', 'kim', 'kim-2031', 'text'],
  ['<p>Substitute players: kim / kim-2031</p>', 'kim', 'kim-2031', 'text'],
  ['<p>Taster account: kim, password kim-2031</p>', 'kim', 'kim-2031', 'text'],
  ['<p>For reviewers: <code>kim</code>, password <code>kim-2031</code></p>', 'kim', 'kim-2031', 'text'],
  ['<p>Trainees use kim with the password kim-2031.</p>', 'kim', 'kim-2031', 'text'],
  ['<p>Guests may use the card <b>kim</b> with the password <b>fairwind</b>.</p>', 'kim', 'fairwind', 'text'],
  ['<p>Take the rower name <code>kim</code> and the PIN <code>2031</code>.</p>', 'kim', '2031', 'text'],
  ['<p>Just looking? Sign in as kim with the code kim-2031</p>', 'kim', 'kim-2031', 'text'],
  ['<!-- Hfreanzr: xvz Cnffjbeq: xvz-2031 -->', 'kim', 'kim-2031', 'comment'],
  [`<!-- ${Buffer.from('kim:kim-2031').toString('hex')} -->`, 'kim', 'kim-2031', 'comment'],
];
const field = '<form><input name=user><input name=secret type=password></form>';
for (const text of [
  '<p>Trainees use kim / fairwind until they have their own account.</p>',
  '<p>Login details: kim/fairwind</p>',
  '<p>Staff login: kim – fairwind</p>',
  '<p>Use the account kim with fairwind as password.</p>',
  '<p>Interns may sign in with kim and fairwind.</p>',
  '<p>Your login is kim, the password fairwind.</p>',
  '<table><tr><th>Role<th>User<th>Password<tr><td>Nurse<td>kim<td>fairwind</table>',
])
  shown.push([field + text, 'kim', 'fairwind', 'text']);
shown.push(
  ['<p>Guest access: use name kim and PIN 4711</p>', 'kim', '4711', 'text'],
  [`${field}<!-- for trying out: kim / fairwind -->`, 'kim', 'fairwind', 'comment'],
);
for (const [html, name, password, place] of shown)
  test(`a pair is read from ${html}`, () => {
    assert.equal(shownAccounts(html), [{ pair: [name, password], in: place }]);
  });

for (const html of [
  '<p>Demo accounts: kim / kim-2031 and lea / lea-2032</p>',
  '<!-- test accounts: kim:kim-2031, lea:lea-2032 -->',
  '<h2>Demo accounts</h2><ul><li>kim : kim-2031<li>lea : lea-2032</ul>',
  '<p>Test users:<br>kim / kim-2031<br>lea / lea-2032</p>',
  '<p>Visitors may look around as <code>kim</code> with <code>kim-2031</code>, or as <code>lea</code> with <code>lea-2032</code>.</p>',
  '<p>Sample logins</p><table><tr><th>Role<th>User<th>Password<tr><td>Reader<td>kim<td>kim-2031<tr><td>Writer<td>lea<td>lea-2032</table>',
])
  test(`two pairs are read from ${html}`, () => {
    assert.equal(
      shownAccounts(html).map(({ pair }) => pair),
      [
        ['kim', 'kim-2031'],
        ['lea', 'lea-2032'],
      ],
    );
  });

for (const [code, name, password] of [
  ["var testUser = 'kim';\nvar testPassword = 'kim-2031';", 'kim', 'kim-2031'],
  ['if (username === "kim" && password === "kim-2031") location = "/start";', 'kim', 'kim-2031'],
  ["if (form.user.value == 'kim' && form.pass.value == 'kim-2031') ok();", 'kim', 'kim-2031'],
  [`const demo = atob("${Buffer.from('kim:kim-2031').toString('base64')}");`, 'kim', 'kim-2031'],
] as const)
  test(`a pair is read from the script ${code}`, () => {
    assert.equal(accountsInScript(code), [{ pair: [name, password], in: 'script' }]);
  });

test('no pair is read from scripts about names and passwords', () => {
  for (const code of [
    "t.userLabel = 'Username'; t.passwordLabel = 'Password';",
    'if (user.value === "" && password.value === "") warn();',
    'const url = "https://quay.example/a"; const icon = "ZGVjb3JhdGlvbnMgb2YgdGhlIHF1YXk=";',
    'login({ username: form.username, password: form.password });',
  ])
    assert.equal(accountsInScript(code), [], code);
});

test('a pair is read from a whole comment, also in base64, and from a line of a file', () => {
  const encoded = Buffer.from('kim:kim-2031').toString('base64');
  for (const html of ['<!-- kim:kim-2031 -->', `<!-- dev: ${encoded} -->`])
    assert.equal(shownAccounts(html), [{ pair: ['kim', 'kim-2031'], in: 'comment' }], html);
  assert.equal(accountsInFile('# accounts\nkim:kim-2031\n'), [{ pair: ['kim', 'kim-2031'], in: 'file' }]);
  const note = 'Moving on Friday\n- the kim account stays: login kim, password kim-2031\n- tell Lea\n';
  assert.equal(accountsInFile(note), [{ pair: ['kim', 'kim-2031'], in: 'file' }]);
  const settings = '# office\nDB_HOST=127.0.0.1\nADMIN_USER=kim\nADMIN_PASS=Fair!wind\n';
  assert.equal(accountsInFile(settings), [{ pair: ['kim', 'Fair!wind'], in: 'file' }]);
  assert.equal(accountsInFile('name,password\nkim,kim-2031\n'), [{ pair: ['kim', 'kim-2031'], in: 'file' }]);
  assert.equal(accountsInFile(['ada', 'ben', 'cem', 'dia', 'eno'].map((name) => `${name}:x-${name}`).join('\n')), []);
  for (const html of ['<!-- build: 2026-11-02 10:30 -->', '<!-- /header -->', '<!-- end of page -->'])
    assert.equal(shownAccounts(html), [], html);
});

const none = [
  '<p>Log in with your card 1001 and the PIN that we sent</p>',
  '<p>Guest access: your name and code <b>above</b></p>',
  `${field}<p>Use your name and password to log in, or sign in with Google and continue.</p>`,
  `${field}<p>Forgot your login? Use mail / phone. Log in with phone and SMS.</p>`,
  `${field}<!-- how members access the layout: Header / Footer -->`,
  `${field}<p>Use him and/or her login. Sign in with your badge and then go on.</p>`,
  '<label>Username: <input name=u></label><label>Password: <input type=password></label>',
  '<p>Username is required. Password: must be 8 characters.</p>',
  '<p>See the demo at https://quay.example/start and the test at http://quay.example/</p>',
  '<p>Default ratio 16:9, sample time 10:30.</p>',
  '<script>send({ user: username, password: password })</script>',
  '<script>const labels = { username: "Username", password: "Password" }</script>',
  `<!-- ${['ada', 'ben', 'cem', 'dia', 'eno'].map((name) => `user: ${name}, password: ${name}-1`).join('\n')} -->`,
  '<!-- build:abc123d width:100px version:v2.3.1 from http://quay.example:8080/a1 at 12:30:45 -->',
  '<p>Log in as administrator with caution.</p>',
  '<p>Use the form with the password rules, or the old one with your badge.</p>',
  '<p>Pages in and/or out: left/right, 12/12, https://kim:kim@quay.example/</p>',
  '<p>The following users are online</p><ul><li>kim<li>http://quay.example/</ul>',
  '<h2>Users</h2><table><tr><th>Name<th>Password changed<tr><td>kim<td>2031-02-03</table>',
  '<h2>Opening times</h2><ul><li>monday : closed<li>tuesday : 10-18</ul>',
];
for (const [html, ...pairs] of [
  [
    'Demo accounts: <b>ops</b> and <b>reader</b>; the password is the same as the user name.',
    'ops ops',
    'reader reader',
  ],
  [
    'Test users: kim, lea and max. The password of all is <code>fairwind</code>.',
    'kim fairwind',
    'lea fairwind',
    'max fairwind',
  ],
  ['Log in as kim or lea (both have the password fairwind).', 'kim fairwind', 'lea fairwind'],
  ['Demo accounts: kim, lea (username = password)', 'kim kim', 'lea lea'],
  ['Demo accounts: kim, lea. All passwords are of at least eight signs.'],
  ['Users: all members are asked for the password of their card.'],
  ['Log in as member or guest. The password must not be the same as your user name.'],
] as const)
  test(`one password for the accounts of "${html}" gives ${pairs.join(', ') || 'none'}`, () => {
    assert.equal(
      shownAccounts(`<p>${html}</p><input type="password" name="word">`).map(({ pair }) => pair.join(' ')),
      pairs,
    );
  });

for (const html of none)
  test(`no pair is read from ${html.slice(0, 60)}`, () => {
    assert.equal(shownAccounts(html), []);
  });

further(test)('a page without end is read in time', () => {
  const before = process.cpuUsage().user;
  shownAccounts(`<!-- ${'test user: '.repeat(40_000)} -->`);
  shownAccounts(`<p>${'login as '.repeat(40_000)}</p>`);
  shownAccounts(`<!-- ${'a:'.repeat(80_000)} -->`);
  shownAccounts(`<!-- ${'kim:a'.repeat(40_000)} ${'use kim '.repeat(10_000)} -->`);
  accountsInScript("user='".repeat(40_000));
  accountsInScript(`user='kim' ${'; , '.repeat(40_000)}`);
  accountsInFile('kim '.repeat(50_000));
  accountsInFile(' '.repeat(200_000));
  shownAccounts(`<p>demo accounts ${'kim : '.repeat(40_000)}</p>`);
  shownAccounts(`<p>demo accounts${'<li>kim : lea'.repeat(20_000)}</p>`);
  assert.ok(process.cpuUsage().user - before < 2_000_000);
});

test.run();
