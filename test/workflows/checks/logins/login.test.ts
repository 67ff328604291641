import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loginsOf } from '../../../../workflows/checks/logins/login.ts';
import type { InputSurface } from '../../../../workflows/model/surface.ts';

const test = suite('logins of a surface');

/** Inputs of a link, as the survey gives them. */
function linked(url: string): InputSurface[] {
  const pairs = [...new URL(url).searchParams];
  return pairs.map(([name, value], at) => ({
    ...{ method: 'GET', url, route: new URL(url).pathname, parameter: name, in: 'query' as const, sample: value },
    others: pairs.filter((_, other) => other !== at).map(([other, text]) => ({ name: other, value: text })),
  }));
}

const loginsAt = (url: string) => loginsOf({ forms: [], inputs: linked(url) });

test('a link to a login with a name and a password is one, each of its parameters once', () => {
  const logins = loginsAt('http://site.example/login?username=&password=&password=x');
  assert.equal(
    logins.map(({ nameField, passwordField, format }) => [nameField, passwordField, format]),
    [['username', 'password', 'query']],
  );
});

for (const url of [
  'http://site.example/login?password=x',
  'http://site.example/account/reset?user=lena&password=x',
  'http://site.example/account/change?password=x&new_password=y',
  'http://site.example/login?user=lena',
]) {
  test(`${url} is none`, () => {
    assert.equal(loginsAt(url), []);
  });
}

test.run();
