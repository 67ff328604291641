import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refreshOf } from '../../../workflows/model/refresh.ts';

const test = suite('model/refresh');

for (const [content, seconds, address] of [
  ['0; url=/next', 0, '/next'],
  ["5;URL='/a;b'", 5, '/a;b'],
  ['3 , "/quoted" and more', 3, '/quoted'],
  ['.5;/bare', 0, '/bare'],
  ['12 https://other.example/', 12, 'https://other.example/'],
] as const)
  test(`${content} leads elsewhere`, () => assert.equal(refreshOf(content), { seconds, address }));

for (const content of ['', '30', '5;', "0; url=''", '5url=/next', 'url=/next'])
  test(`"${content}" leads nowhere`, () => assert.is(refreshOf(content), undefined));

test.run();
