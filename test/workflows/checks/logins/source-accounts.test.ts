import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accountsInSource } from '../../../../workflows/checks/logins/source-accounts.ts';

const test = suite('accounts in settings and source code');

const rows: [text: string, ...pairs: [string, string][]][] = [
  ['OFFICE_USER = "kim"\nOFFICE_PASSWORD = "kim-2031"\n', ['kim', 'kim-2031']],
  ['ADMIN_PASSWORD=kim-2031\nPORT=80\n', ['admin', 'kim-2031']],
  ["<?php\n$admin_user = 'kim';\n$admin_pass = 'kim-2031';\n", ['kim', 'kim-2031']],
  ["define('SITE_LOGIN', 'kim');\ndefine('SITE_PASSWORD', 'kim-2031');", ['kim', 'kim-2031']],
  ['admin:\n  username: kim\n  password: kim-2031\n', ['kim', 'kim-2031']],
  ['{"adminEmail": "kim@quay.example", "adminPassword": "kim-2031"}', ['kim@quay.example', 'kim-2031']],
  ['USERS = {"kim": "kim-2031", "lea": "lea-2032"}', ['kim', 'kim-2031'], ['lea', 'lea-2032']],
  ["<?php $accounts = ['kim' => 'kim-2031', 'lea' => 'lea-2032'];", ['kim', 'kim-2031'], ['lea', 'lea-2032']],
  ["<?php $users = array('kim' => 'kim-2031');", ['kim', 'kim-2031']],
  ['if name == "kim" and password == "kim-2031":', ['kim', 'kim-2031']],
  ['DB_USER=shop\nDB_PASSWORD=kim-2031\n', ['admin', 'kim-2031'], ['shop', 'kim-2031']],
  ['DATABASE_URL=postgres://shop:kim-2031@db:5432/shop', ['admin', 'kim-2031'], ['shop', 'kim-2031']],
  ["INSERT INTO `users` (id, name, password) VALUES (1, 'kim', 'kim-2031');", ['kim', 'kim-2031']],
  [
    "CREATE TABLE staff (\n id INTEGER PRIMARY KEY,\n login TEXT,\n mail TEXT,\n pwd TEXT\n);\nINSERT INTO staff VALUES(1,'kim','kim@quay.example','kim-2031');",
    ['kim', 'kim-2031'],
  ],
];
for (const [text, ...pairs] of rows)
  test(`pairs are read from ${text.replaceAll('\n', '⏎')}`, () => {
    assert.equal(
      accountsInSource(text).map(({ pair }) => pair),
      pairs,
    );
  });

const digest = (algorithm: string, word: string) => createHash(algorithm).update(word).digest('hex');
for (const [text, ...pairs] of [
  [
    `login;full name;password_md5\nkim;Kim Berg;${digest('md5', 'Sunshine1')}\nlea;Lea Holm;${digest('md5', 'q#8Tz')}\n`,
    'Sunshine1',
  ],
  [`INSERT INTO users (name, pass) VALUES ('kim', '${digest('sha1', 'dragon')}');`, 'dragon'],
  [`{"user": "kim", "passwordHash": "${digest('sha256', 'welcome1')}"}`, 'welcome1'],
] as const)
  test(`the digest of a common password is read from ${text.slice(0, 30)}`, () => {
    assert.equal(
      accountsInSource(text).map(({ pair, digest: given }) => [pair, given !== undefined]),
      pairs.map((word) => [['kim', word], true]),
    );
  });

for (const text of [
  'DB_PASSWORD=$VAULT\nADMIN_PASSWORD=<set me>\n',
  'password = request.form["password"]\nuser = find(name)\n',
  "const password = process.env.ADMIN_PASSWORD;\nconfig.password = getenv('PASSWORD');",
  "INSERT INTO users (name, password) VALUES ('kim', '0f4dcc3b5aa765d61d8327deb882cf99');",
  'password_hash: "pbkdf2:sha256:1000$x$y"\n',
])
  test(`there is none in ${text.replaceAll('\n', '⏎')}`, () => {
    assert.equal(accountsInSource(text), []);
  });

test('an account of a setting is distinguished from one among others', () => {
  const isSetting = (text: string) => accountsInSource(text).map((account) => account.isSetting);
  assert.equal(isSetting('ADMIN_USER=kim\nADMIN_PASSWORD=kim-2031'), [true]);
  assert.equal(isSetting('users = {"kim": "kim-2031"}'), [false]);
});

test.run();
