import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testBrowsers } from '../../support/browsers.ts';
import { surveyOf } from '../probe/survey-site.ts';

const browsers = testBrowsers();
const test = suite('messages that a page sends');
test.after(() => browsers.close());

const page = (script: string) => (path: string) =>
  path === '/' ? `<title>Harbour</title><h1>Harbour</h1><script>${script}</script>` : { status: 404 };

const surveyed = async (script: string) => {
  const { inputs, skipped, omitted } = await surveyOf(page(script), { observes: true }, { browsers });
  return {
    inputs: inputs.filter(({ url }) => url.startsWith('ws')),
    left: skipped.filter(({ code }) => code === 'websocket').map(({ url }) => new URL(url).pathname),
    omitted: omitted.filter(({ code }) => code === 'live_messages').map(({ count }) => count),
  };
};

test('are inputs with what opens their conversation, each kind apart; what keeps the connection open is none', async () => {
  const { inputs, left } = await surveyed(`
    const socket = new WebSocket('ws://' + location.host + '/live', ['stock.v2']);
    socket.onopen = () => {
      socket.send('ping');
      socket.send(JSON.stringify({ type: 'hello', client: 'web' }));
      socket.send(JSON.stringify({ type: 'search', text: 'bolt' }));
      socket.send(JSON.stringify({ type: 'chat', text: 'good morning' }));
      socket.send(JSON.stringify(['read', { file: 'a.txt' }]));
      socket.send('lookup quay');
    };`);
  const hello = '{"type":"hello","client":"web"}';
  assert.equal(
    inputs.map(({ route, parameter, sample, before, text }) => [route, parameter, sample, before?.[0], text?.prefix]),
    [
      ['/live#hello', 'client', 'web', undefined, undefined],
      ['/live#search', 'text', 'bolt', hello, undefined],
      ['/live#chat', 'text', 'good morning', hello, undefined],
      ['/live#read', '1.file', 'a.txt', hello, undefined],
      ['/live#lookup', 'body', 'quay', hello, 'lookup '],
    ],
  );
  assert.equal(inputs[0]?.page?.headers, [['Sec-WebSocket-Protocol', 'stock.v2']]);
  assert.equal(left, []);
});

test('are a limit where there are none, or such as are no text', async () => {
  const { inputs, left, omitted } = await surveyed(`
    new WebSocket('ws://' + location.host + '/quiet');
    const packed = new WebSocket('ws://' + location.host + '/packed');
    packed.onopen = () => packed.send(new Uint8Array([1, 2, 3]));
    const both = new WebSocket('ws://' + location.host + '/both');
    both.onopen = () => { both.send(new Uint8Array([1])); both.send('{"type":"search","text":"a"}'); };
    const deep = new WebSocket('ws://' + location.host + '/deep');
    deep.onopen = () => { deep.send('['.repeat(8000)); deep.send('['.repeat(4000) + ']'.repeat(4000)); };
    const told = new WebSocket('ws://' + location.host + '/told');
    told.onopen = () => told.send('{"type":"search","text":"a"}');
    new WebSocket('ws://' + location.host + '/told');`);
  assert.equal(
    inputs.map(({ route }) => route),
    ['/both#search', '/told#search'],
  );
  assert.equal([left.toSorted(), omitted], [['/both', '/deep', '/packed', '/quiet'], [4]]);
});

test.run();
