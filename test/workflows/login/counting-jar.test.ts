import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countingJar } from '../../../workflows/login/counting-jar.ts';
import { createJar } from '../../../workflows/probe/http/cookies.ts';

const test = suite('a jar that counts its uses');

test('counts when its cookies are asked for, and keeps what it is given', () => {
  const { jar, uses } = countingJar(createJar());
  jar.store('http://shop.example/', ['sid=one; Path=/']);
  assert.is(uses(), 0);
  assert.is(jar.header('http://shop.example/'), 'sid=one');
  assert.equal(
    jar.all().map(({ name }) => name),
    ['sid'],
  );
  assert.is(uses(), 2);
});

test.run();
