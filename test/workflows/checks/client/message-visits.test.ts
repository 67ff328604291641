import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { messageVisits } from '../../../../workflows/checks/client/message-visits.ts';
import type { Omitted } from '../../../../workflows/model/omission.ts';

const test = suite('visits that post messages');

test('origins are made below names that are nobody’s, and those that are left out are counted', () => {
  const left: Omitted[] = [];
  const script =
    "const own = 'SAME_ORIGIN'; addEventListener('message', (event) => { if (event.origin.endsWith('SAME_ORIGIN')) open(event.data) })";
  const context = { nonce: () => 'n1', leave: (omitted: Omitted) => void left.push(omitted) };
  const hosts = messageVisits(context, 'http://app.localhost/', [script]).map(({ url }) => new URL(url).hostname);
  assert.ok(hosts.length > 1, hosts.join());
  assert.equal(
    hosts.filter((host) => !host.endsWith('.invalid')),
    [],
  );
  assert.equal(
    left.map(({ code, count }) => [code, count]),
    [['guessed', 2]],
  );
});

test.run();
