import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loopbackRules } from '../../../dev/local/loopback.ts';
import { readLocalOptions } from '../../../dev/local/options.ts';
import { rejectionOf } from '../../support/rejection.ts';

const test = suite('an audit of an application of this machine');

const options = async (...args: string[]) => {
  const read = await readLocalOptions(args);
  if (read === 'help') throw new Error('help was not asked for');
  return read;
};

test('is deep, writes what can be taken back, and needs no scheme', async () => {
  const { url, isDeep, writes, logins } = await options('localhost:3000/app');
  assert.equal([url.href, isDeep, writes, logins], ['http://localhost:3000/app', true, 'reversible', []]);
});

test('takes logins of each kind, with addresses from the application on', async () => {
  const { logins } = await options(
    'http://localhost:3000/',
    ...['--login', 'form url=/login username=alice password="a b" check=/me'],
    ...['--login', "json url=/api/login username=bob password='x=y' field=login check=/api/me"],
    ...['--login', 'bearer token=abc role=admin check=/api/me'],
    ...['--login', 'basic username=eve password="c d"'],
    ...['--login', 'cookie name=d value="sid=1" check=/me'],
  );
  assert.equal(logins, [
    {
      name: 'a',
      recipe: {
        form: { url: 'http://localhost:3000/login', username: 'alice', password: 'a b' },
        checkUrl: 'http://localhost:3000/me',
      },
    },
    {
      name: 'b',
      recipe: {
        json: { url: 'http://localhost:3000/api/login', username: 'bob', password: 'x=y', usernameField: 'login' },
        checkUrl: 'http://localhost:3000/api/me',
      },
    },
    { name: 'admin', recipe: { bearer: 'abc', checkUrl: 'http://localhost:3000/api/me', role: 'admin' } },
    { name: 'c', recipe: { basic: { username: 'eve', password: 'c d' } } },
    { name: 'd', recipe: { cookie: 'sid=1', checkUrl: 'http://localhost:3000/me' } },
  ]);
});

test('reads documents, and passes on what the gate takes', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'local-')), 'my api.json');
  await writeFile(file, '{"openapi":"3.1.0"}');
  const { documents, gate } = await options(
    'http://localhost/',
    '--openapi',
    file,
    '--sarif',
    'x.sarif',
    '--threshold',
    'low',
  );
  assert.equal(documents, [{ name: 'my_api.json', content: '{"openapi":"3.1.0"}' }]);
  assert.equal(gate, ['--threshold', 'low', '--sarif', 'x.sarif']);
});

for (const [args, says] of [
  [[], 'Name one URL'],
  [['ftp://localhost/'], 'no http or https URL'],
  [['http://localhost/', '--writes', 'all'], '--writes is none, reversible or create'],
  [['http://localhost/', '--standard', '--login', 'bearer token=x'], 'leave --standard out'],
  [['http://localhost/', '--login', 'magic token=x'], 'A login begins with form'],
  [['http://localhost/', '--login', 'form url=/login username=a'], 'lacks password='],
  [['http://localhost/', '--login', 'form user=a'], 'A form login takes url='],
  [['http://localhost/', '--har', '/nowhere.har'], '/nowhere.har cannot be read'],
  [['http://localhost/', '--colour'], '--colour'],
] as const) {
  test(`is not begun for "${args.join(' ')}"`, async () => {
    const error = await rejectionOf(readLocalOptions(args));
    assert.is(error.name, 'UsageError');
    assert.match(error.message, says);
  });
}

test('never repeats a password', async () => {
  const error = await rejectionOf(
    readLocalOptions(['http://localhost/', '--login', 'form password=s3cret pass=s3cret']),
  );
  assert.not.match(error.message, 's3cret');
});

test('reaches loopback addresses alone', async () => {
  assert.equal(await loopbackRules(new URL('http://127.0.0.1:3000/')), ['127.0.0.1=127.0.0.0/8', '127.0.0.1=::1/128']);
  assert.equal(await loopbackRules(new URL('http://app.localhost/')), [
    'app.localhost=127.0.0.0/8',
    'app.localhost=::1/128',
  ]);
  for (const url of ['http://192.0.2.1/', 'http://[2001:db8::1]/'])
    assert.match((await rejectionOf(loopbackRules(new URL(url)))).message, 'audits what runs on this machine alone');
});

test.run();
