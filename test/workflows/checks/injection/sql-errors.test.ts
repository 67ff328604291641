import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlErrorIn } from '../../../../workflows/checks/injection/sql-errors.ts';

const test = suite('what databases say of statements that they cannot parse');

test('HSQLDB is known by its message alone, which applications show without its class', () => {
  const engineOf = (text: string) => sqlErrorIn(text)?.engine;
  assert.is(
    engineOf('<p>Failed: malformed string: &#39; in statement [select 1 where a=&#39;x&#39;&#39;]</p>'),
    'HSQLDB',
  );
  assert.is(engineOf('unexpected token: LAMP in statement [CALL price(1)LAMP]'), 'HSQLDB');
  assert.is(engineOf('unexpected end of statement in statement [select name from lamps where id=]'), 'HSQLDB');
  assert.is(engineOf('data exception: invalid character value for cast in statement [select 1]'), undefined);
  assert.is(engineOf('The figures in statement [4] are those of May.'), undefined);
});

test.run();
