import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodedText } from '../../../../workflows/probe/html/decoded-text.ts';

const test = suite('decoded texts');

for (const [way, written] of Object.entries({
  'HTML by name': '&lt;%=1*2%&gt; &quot;#{1}&quot;',
  'HTML by number': '&#60;%=1*2%&#x3E; &#34;#{1}&#x22;',
  JSON: '\\u003c%=1*2%\\u003e \\"#{1}\\"',
  'an address': '%3C%25=1*2%25%3E%20%22%23%7B1%7D%22',
  'an address in an address': '%253C%2525=1*2%2525%253E%2520%2522%2523%257B1%257D%2522',
})) {
  test(`what is written as ${way} is the same text`, () => {
    assert.is(decodedText(written), decodedText('<%=1*2%> "#{1}"'));
  });
}

test('another text stays another one', () => {
  assert.is.not(decodedText('&lt;2&gt;'), decodedText('<%=1*2%>'));
});

test.run();
