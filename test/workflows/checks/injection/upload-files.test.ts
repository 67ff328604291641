import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filesFor } from '../../../../workflows/checks/injection/upload-files.ts';
import type { Surface } from '../../../../workflows/model/surface.ts';

const test = suite('files that are tried in uploads');

const page = { url: 'https://plots.example/add.php', headers: [], setCookies: [] };
const first = (accept?: string) => filesFor({ pages: [page] } as unknown as Surface, accept)[0]?.file;

for (const [accept, type, begin] of [
  [undefined, 'image/jpeg', 'GIF8'],
  ['image/*', 'image/jpeg', 'GIF8'],
  ['.png, .jpg', 'image/jpeg', 'GIF8'],
  ['image/gif,image/png', 'image/gif', 'GIF8'],
  ['.png', 'image/png', 'PNG'],
  ['application/pdf', 'image/jpeg', 'GIF8'],
] as const)
  test(`a page that takes ${accept ?? 'anything'} is sent ${type}`, () => {
    const file = first(accept);
    assert.equal([file?.type, file?.content.slice(0, 6).includes(begin)], [type, true]);
  });

test('a list of refused endings in small letters is got past', () => {
  const names = filesFor({ pages: [page] } as unknown as Surface).map(({ file }) => file.name);
  assert.ok(names.some((name) => name.endsWith('.PHP')));
});

test.run();
