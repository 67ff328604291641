import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dsStoreNames } from '../../../../workflows/proof/files/ds-store.ts';
import { logKind } from '../../../../workflows/proof/files/log-lines.ts';
import { logSecrets } from '../../../../workflows/proof/files/log-secrets.ts';
import { privateKeys } from '../../../../workflows/proof/files/private-keys.ts';
import { secretSettingNames, settingNames } from '../../../../workflows/proof/files/settings.ts';
import { sqliteTables } from '../../../../workflows/proof/files/sqlite.ts';
import { gunzip } from '../../../../workflows/proof/subjects/readers.ts';
import { dsStoreFile, privatePem, sqliteFile } from '../../../fixtures/exposed/files.ts';
import { pkcs12 } from '../../../fixtures/exposed/keys.ts';

const Settings = suite('names of settings');

const texts = {
  env: '# main\nexport A=1\nDB_PASSWORD="tRz8 kk#41"\nEMPTY_PASSWORD=\n',
  ini: '[db]\nhost = db1\npassword = tRz8kk41 ; main\n[other]\nswitch\n',
  json: '{"db":{"host":"db1","password":"tRz8kk41"},"list":[{"token":"$TOKEN"}]}',
  yaml: 'db:\n  host: db1\n  password: tRz8kk41\nlist:\n  - token: "{{ token }}"\n',
  xml: '<?xml version="1.0"?><c><add key="DbPassword" value="tRz8kk41"/><add name="Main" connectionString="Server=a;Pwd=tRz8kk41"/></c>',
  code: "<?php\n$db['password'] = 'tRz8kk41';\ndefine('DB_HOST', 'db1');\nreturn ['host' => 'a', 'secret' => 'changeme'];\n",
} as const;

const secrets: Record<keyof typeof texts, string> = {
  env: 'DB_PASSWORD',
  ini: 'db.password',
  json: 'db.password',
  yaml: 'db.password',
  xml: 'c.add.DbPassword\nc.add.Main',
  code: 'db.password',
};

for (const [format, expected] of Object.entries(secrets)) {
  const kind = format as keyof typeof texts;
  Settings(`are read of ${kind}, secret ones distinguished, and no value is among them`, () => {
    assert.is(secretSettingNames(kind, texts[kind]), expected);
    assert.not.match(settingNames(kind, texts[kind]) ?? '', /tRz8kk41|db1/);
  });
}

Settings('are none of what is of another format', () => {
  const page = '<!doctype html><html><head><title>x</title></head><body>DB_PASSWORD=x</body></html>';
  for (const kind of ['env', 'ini', 'json', 'yaml', 'xml', 'code'] as const) {
    assert.is(settingNames(kind, page), undefined, kind);
    assert.is(settingNames(kind, ''), undefined, kind);
    assert.is(settingNames(kind, 'This page explains how to set a password, and where.'), undefined, kind);
  }
});

Settings('of a text made to take long are given in time', () => {
  const begin = performance.now();
  const laughs = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`)}]`).join('\n')}\n`;
  assert.is(settingNames('yaml', laughs), undefined);
  for (const kind of ['env', 'ini', 'json', 'yaml', 'xml', 'code'] as const)
    for (const bait of ['a: '.repeat(100_000), '['.repeat(300_000), '<a '.repeat(100_000), "x='".repeat(100_000)])
      settingNames(kind, bait);
  assert.ok(performance.now() - begin < 8_000);
});

Settings.run();

const Files = suite('files by their structure');

Files('tables of a database are read over several pages, and of one that is cut off', () => {
  const statements = Array.from(
    { length: 80 },
    (_, at) => `CREATE TABLE table_${at}(id INTEGER PRIMARY KEY, text_of_it TEXT);`,
  );
  const file = sqliteFile(statements.join(''));
  assert.is(sqliteTables(file)?.length, 80);
  assert.ok((sqliteTables(file.subarray(0, 250_000))?.length ?? 0) > 10);
  assert.is(sqliteTables(Buffer.from('SQLite format 3\0 is how it begins')), undefined);
  assert.is(sqliteTables(Buffer.concat([Buffer.from('SQLite format 3\0'), randomBytes(4_096)])), undefined);
});

Files('names of a .DS_Store are read', () => {
  assert.equal(dsStoreNames(dsStoreFile(['admin-old', 'größe.txt'])), ['admin-old', 'größe.txt']);
  assert.is(dsStoreNames(Buffer.from('\0\0\0\x01Bud1 and no more')), undefined);
});

Files('private keys are parsed, and distinguished from public ones and from words', () => {
  const read = (text: string) => privateKeys(Buffer.from(text));
  assert.equal(read(privatePem('rsa')), ['rsa']);
  assert.equal(read(`${privatePem('ec')}\n${privatePem('ed25519')}`), ['ec', 'ed25519']);
  assert.equal(read(privatePem('ec', 'x')), ['encrypted']);
  assert.equal(privateKeys(pkcs12()), ['pkcs12']);
  assert.equal(
    read('PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: x\nPublic-Lines: 1\nAA\nPrivate-Lines: 1\nAA\n'),
    ['putty ssh-rsa'],
  );
  assert.is(read(`-----BEGIN RSA PRIVATE KEY-----\n${'QUJD'.repeat(40)}\n-----END RSA PRIVATE KEY-----`), undefined);
  assert.is(read('-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----'), undefined);
});

const logs: Record<string, string> = {
  'Laravel or Monolog': '[2026-11-21 10:13:39] production.ERROR: x\n#0 a\n[2026-11-21 10:13:39] production.INFO: y\n',
  'the error log of Apache httpd':
    '[Sat Nov 21 10:13:39.123 2026] [php:error] [pid 1] x\n[Sat Nov 21 10:13:39 2026] [core:notice] y\n',
  'a log of IIS':
    '#Software: IIS\n2026-11-21 10:13:39 10.0.0.1 GET / - 80\n2026-11-21 10:13:39 10.0.0.1 POST /a - 80\n',
  'a log of Rails': 'Started GET "/" for 1.2.3.4\nProcessing by HomeController\nCompleted 200 OK\n',
  'a log of an application':
    '2026-11-21 10:13:39,123 - app.db - ERROR - x\n2026-11-21 10:13:40,123 - app.db - INFO - y\n',
  'a log in JSON': '{"level":30,"time":1,"msg":"x"}\n{"level":30,"time":2,"msg":"y"}\n',
  'a debug log of npm': '0 info it worked if it ends with ok\n1 verbose cli\n2 silly x\n',
  'a log of the system': 'Nov 21 10:13:39 web sshd[812]: x\nNov 21 10:13:40 web cron[1]: y\n',
};
for (const [kind, text] of Object.entries(logs))
  Files(`${kind} is recognised by its lines`, () => assert.is(logKind(text), kind));

Files('what is no log is distinguished', () => {
  for (const text of [
    '',
    'See the log of 2026-11-21.\n',
    `${logs['a log of Rails']}${'Some other prose.\n'.repeat(20)}`,
    '<html>ERROR</html>',
  ])
    assert.is(logKind(text), undefined, text);
});

Files('secrets of a log are values that nobody guesses and that the server did not refuse', () => {
  const line = (request: string, status: number) =>
    `203.0.113.9 - - [x] "GET ${request} HTTP/1.1" ${status} 812 "-" "-"`;
  const secret = 'tRz8kk41Qm7vXp2LbN9s';
  assert.is(logSecrets(line(`/reset?token=${secret}`, 200)), 'token');
  assert.is(logSecrets(`DEBUG Authorization: Bearer ${secret}`), 'bearer');
  assert.is(logSecrets(`INFO {"password":"${secret}"}`), 'password');
  assert.is(logSecrets(`2026-03-04T08:02:44Z INFO login ok user=ida sid=${secret} ip=10.1.4.2`), 'sid');
  for (const other of [
    'INFO token=valid user=ida, session: opened for ida',
    'INFO sid=00000000000000000000, password: /etc/shadow-of-1-file',
    line('/?token=1', 200),
    line('/?password=admin', 200),
    line(`/reset?token=${secret}`, 404),
    line('/?api_key=../../../../etc/passwd', 200),
    line('/?token=undefinedundefinedundefined', 200),
    'INFO {"password":"[FILTERED]"}',
    'INFO {"password":"correct horse battery staple"}',
  ])
    assert.is(logSecrets(other), undefined, other);
});

Files('a gzip bomb is refused', () => {
  const body = gzipSync(Buffer.alloc(60 * 1_048_576));
  assert.is(gunzip({ body } as never), undefined);
});

Files.run();
