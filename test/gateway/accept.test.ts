import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseMediaType } from '../../gateway/accept.ts';

const test = suite('chooseMediaType');
const json = 'application/json';
const sarif = 'application/sarif+json';

const cases: [accept: string | undefined, offered: string[], chosen: string | undefined][] = [
  [undefined, [json], json],
  ['', [json], json],
  ['*/*', [json], json],
  ['application/*', [json], json],
  ['APPLICATION/JSON', [json], json],
  ['application/json; charset=utf-8', [json], json],
  ['text/html, application/xhtml+xml, */*;q=0.8', [json], json],
  ['text/html', [json], undefined],
  ['text/*', [json], undefined],
  ['application/json;q=0', [json], undefined],
  ['*/*, application/json;q=0', [json], undefined],
  ['application/json;q=2', [json], undefined],
  ['not a media type', [json], json],
  ['*/*', [json, sarif], json],
  [sarif, [json, sarif], sarif],
  [`${json};q=0.5, ${sarif}`, [json, sarif], sarif],
  [`${json}, ${sarif}`, [json, sarif], json],
  [`*/*;q=0.1, ${sarif};q=0.2`, [json, sarif], sarif],
  ['text/html', ['text/html'], 'text/html'],
  [json, ['text/html'], undefined],
];
for (const [accept, offered, chosen] of cases) {
  test(`chooses ${chosen ?? 'nothing'} of ${offered.join(' and ')} for ${JSON.stringify(accept)}`, () => {
    assert.is(chooseMediaType(accept, offered), chosen);
  });
}

test.run();
