import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mostPersonalFirst, patternFor, textsOf } from '../../../../workflows/checks/sessions/private-text.ts';
import { firstMatch } from '../../../../workflows/proof/pattern.ts';

const test = suite('texts of an answer');

test('a page says its texts and the values of its fields, not its scripts or hidden tokens', () => {
  const page =
    '<style>.abcdef{}</style><script>var hidden="inscript"</script><p> Ann Archer </p><input name=m value="ann@northwind.example"><input type=hidden value="token-123"><p>ok</p>';
  assert.equal([...textsOf(page, 'text/html')], ['Ann Archer', 'ann@northwind.example']);
});

test('a JSON answer says its values, at any depth', () => {
  const body = '{"a":{"b":["Harbour Street 7",{"c":123456.5}]},"d":"short","e":null}';
  assert.equal([...textsOf(body, 'application/json; charset=utf-8')], ['Harbour Street 7', '123456.5']);
  assert.equal([...textsOf('{broken', 'application/json')], []);
});

test('addresses of people come first, then what has digits, then the longest', () => {
  const texts = ['Some heading that is long', 'Harbour Street 7', 'ann@northwind.example', 'Heading'];
  assert.equal(mostPersonalFirst(texts), [
    'ann@northwind.example',
    'Harbour Street 7',
    'Some heading that is long',
    'Heading',
  ]);
});

for (const [body, text] of [
  ['<dt>To</dt><dd>Harbour Street 7</dd>', 'Harbour Street 7'],
  ['<input value="ann@northwind.example">', 'ann@northwind.example'],
  ['{"to": "Harbour (Street) 7", "x": 1}', 'Harbour (Street) 7'],
  ['{"total":123456.5,"x":1}', '123456.5'],
  ['<li>first item</li><li>second it</li><li>third one</li>', 'second it'],
  ['Ann Lee, Harbour Street 7\n12.50', 'Ann Lee, Harbour Street 7'],
] as const) {
  test(`${JSON.stringify(text)} is found again in ${body} by what stands before it`, () => {
    const pattern = patternFor(text, [body, `${body} and more`]);
    assert.not.ok(pattern?.includes(text));
    assert.is(firstMatch(pattern ?? '', body)?.groups[0], text);
  });
}

test('a text whose surroundings change has no pattern', () => {
  assert.is(patternFor('Harbour Street', ['a1 <b>Harbour Street', 'a2 <i>Harbour Street']), undefined);
});

test('a long text, and one that holds the character after it, are found by what stands before them', () => {
  for (const text of ['a:b:c@d', 'x'.repeat(2_500), 'BEGIN\\nAB\\nEND']) {
    const body = `{"key":"${text}:1\\n"}`;
    assert.is(firstMatch(patternFor(text, [body]) ?? '$^', body)?.groups[0], text);
  }
});

test.run();
