import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownerPlaces } from '../../../../workflows/checks/access/neighbour-owner.ts';

const test = suite('access: whose object a neighbouring one is');

for (const [what, own, neighbour, owners] of [
  ['a name in a row', '<td>Owner: tessa</td>', '<td>Owner: marek</td>', ['marek']],
  [
    'a name before an address in angle brackets',
    '<p>For: tessa &lt;tessa@example.org&gt;</p>',
    '<p>For: marek &lt;marek@example.org&gt;</p>',
    ['marek'],
  ],
  ['the same name', '<p>For: tessa &lt;a@example.org&gt;</p>', '<p>For: tessa &lt;a@example.org&gt;</p>', []],
  ['an author', '<p>Written by tessa &amp; friends</p>', '<p>Written by marek &amp; friends</p>', []],
] as const)
  test(what, () => {
    const places = ownerPlaces(own, neighbour, ['tessa'], { elsewhere: [], mailOnly: false });
    assert.equal(
      places.map(({ owner }) => owner),
      [...owners],
    );
  });

test.run();
