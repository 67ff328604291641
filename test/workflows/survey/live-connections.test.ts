import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { liveConnection } from '../../../workflows/survey/live-connections.ts';

const test = suite('connections that scripts hold open');

const host = 'https://shop.example';

for (const [address, connection] of [
  ['/sockjs/633/thlpipgt/jsonp?c=_jp.ak4q34l', '/sockjs/'],
  ['/desk/live/004/x1b2c3d4/xhr_streaming', '/desk/live/'],
  ['/sockjs/633/thlpipgt/xhr_send', '/sockjs/'],
  ['/socket.io/?EIO=4&transport=polling&t=P1a2b3c', '/socket.io/'],
  ['/chat?EIO=4&transport=polling&sid=abc', '/chat'],
  ['/hub?id=Zm9v&transport=longPolling', '/hub'],
] as const)
  test(`${address} is one`, () => assert.is(liveConnection(host + address), host + connection));

for (const address of [
  '/sockjs/info?t=17',
  '/orders/633/jsonp',
  '/tickets/100/lisbon/details',
  '/trips?transport=train&id=7',
  '/trips?transport=polling',
])
  test(`${address} is none`, () => assert.is(liveConnection(host + address), undefined));

test.run();
