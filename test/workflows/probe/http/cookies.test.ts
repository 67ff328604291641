import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createJar } from '../../../../workflows/probe/http/cookies.ts';

const cookies = suite('a cookie jar');
const url = 'http://shop.localhost/settings';

cookies('keeps choices as they were once it is settled, and takes new sessions, counters and deletions', () => {
  const jar = createJar();
  jar.store(url, ['mode=plain', 'lang=en-gb; Path=/', 'sid=f00ba4f00ba4f00ba4', 'visits=3', 'flash=saved; Path=/']);
  jar.settle();
  jar.store(url, ['mode=strict', 'lang=qzxkvwpt; Path=/', 'sid=9d3c1e9d3c1e9d3c1e', 'visits=4', 'theme=dark']);
  jar.store(url, ['flash=; Path=/; Max-Age=0']);
  const values = Object.fromEntries(jar.all().map(({ name, value }) => [name, value]));
  assert.equal(values, { mode: 'plain', lang: 'en-gb', sid: '9d3c1e9d3c1e9d3c1e', visits: '4', theme: 'dark' });
});

cookies('takes any value before it is settled', () => {
  const jar = createJar();
  jar.store(url, ['mode=plain']);
  jar.store(url, ['mode=strict']);
  assert.is(jar.header(url), 'mode=strict');
});

cookies.run();
