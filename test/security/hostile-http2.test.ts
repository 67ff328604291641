import { suite } from 'uvu';
import { firstRows } from '../support/further.ts';
import { meetHttp2 } from './http2-answers.ts';

const hostile = suite('a hostile target that speaks HTTP/2');

const ways = [
  'continuation frames without end',
  'a small head that unpacks to 48 MB',
  'settings without end',
  'resets without end',
  'a body without end, past its window',
];
for (const what of firstRows(ways, 1)) hostile(`with ${what} ends in time, and takes no memory`, () => meetHttp2(what));

hostile.run();
