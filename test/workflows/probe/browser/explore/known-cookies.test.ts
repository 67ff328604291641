import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  knownCookies,
  learnCookies,
  withKnownCookies,
} from '../../../../../workflows/probe/browser/explore/known-cookies.ts';

const test = suite('cookies of a held page');

test('have the value that the server gave last where a control has made another one', () => {
  const known = knownCookies([{ name: 'view', value: 'list' }]);
  learnCookies({ known }, [['Set-Cookie', 'width=3; Path=/']]);
  assert.equal(withKnownCookies({ known }, [['Cookie', 'view=grid; width=9; made=1']]), [
    ['Cookie', 'view=list; width=3'],
  ]);
});

test('have no value that only stands where the server takes a cookie away', () => {
  const known = knownCookies([{ name: 'sid', value: 's1' }]);
  learnCookies({ known }, [
    ['Set-Cookie', 'view=deleted; expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0; path=/'],
    ['Set-Cookie', 'sid=gone; expires=Thu, 01 Jan 1970 00:00:01 GMT; path=/old'],
  ]);
  assert.equal(withKnownCookies({ known }, [['Cookie', 'sid=s1; view=grid']]), [['Cookie', 'sid=s1']]);
  assert.equal(withKnownCookies({ known }, [['Cookie', 'sid=s2']]), [['Cookie', 'sid=s1']]);
});

test.run();
