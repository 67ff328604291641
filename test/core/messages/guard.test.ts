import { connect } from 'node:http2';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DomainService } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { isRefused, newOrg, startCore, type TestCore } from '../support.ts';

let core: TestCore;
const test = suite('messages that are looked through before they are parsed');
test.before(async () => {
  core = await startCore();
});
test.after(() => core.close());

/** Sends a body by the Connect protocol, without a key. */
async function post(type: string, body: Uint8Array | string): Promise<{ status: number; answer: string }> {
  const session = connect(core.baseUrl);
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/scanaudit.v1.DomainService/PutScope',
      'content-type': type,
      'connect-protocol-version': '1',
    });
    const status = new Promise<number>((resolve) =>
      stream.once('response', (head) => resolve(Number(head[':status']))),
    );
    stream.end(body);
    return { status: await status, answer: await text(stream) };
  } finally {
    session.destroy();
  }
}

test('a list of very many messages is refused, over gRPC too', async () => {
  const documents = Array.from({ length: 60_000 }, () => ({}));
  const { key } = await newOrg(core);
  await isRefused(
    core.as(key)(DomainService).putScope({ domain: 'example.com', scope: { documents } }),
    'INVALID_BODY',
  );
});

/** PutScopeRequest{scope{documents{} …}}: field 2, within it field 5, each of them empty. */
function emptyDocuments(count: number): Uint8Array {
  const scope = Buffer.from('2a00'.repeat(count), 'hex');
  const length: number[] = [];
  for (let rest = scope.byteLength; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from([0x12, ...length]), scope]);
}

const hostile: [what: string, type: string, body: () => Uint8Array | string, says: string][] = [
  ['four million empty messages', 'application/proto', () => emptyDocuments(4_000_000), 'more than 50000'],
  [
    'unknown fields by the million',
    'application/proto',
    () => Buffer.from('a00600'.repeat(3_000_000), 'hex'),
    'more than 50000',
  ],
  ['JSON that is nested', 'application/json', () => '['.repeat(12_000_000), '64 levels'],
  [
    'JSON of many values',
    'application/json',
    () => `{"scope":{"documents":[${'{},'.repeat(3_000_000)}{}]}}`,
    'more than 50000 values',
  ],
];
for (const [what, type, body, says] of hostile) {
  test(`${what}: refused within a second of the program's time, key or not`, async () => {
    const sent = body();
    const before = process.threadCpuUsage();
    const { status, answer } = await post(type, sent);
    const { user, system } = process.threadCpuUsage(before);
    assert.is(status, 400, answer);
    assert.match(answer, says);
    // The client's part is in it.
    assert.ok(user + system < 1_000_000, `${user + system} µs of the main thread`);
  });
}

test('a long message of one text comes through, and one whose end is missing is refused by the parser', async () => {
  const { key } = await newOrg(core);
  const content = 'x'.repeat(1_000_000);
  const documents = [{ name: 'a', content }];
  await isRefused(
    core.as(key)(DomainService).putScope({ domain: 'example.com', scope: { documents } }),
    'INVALID_PARAMETER',
  );
  assert.is(
    (await post('application/proto', Buffer.from(`12ffffff${'00'.repeat(100_000)}`, 'hex'))).status >= 400,
    true,
  );
  await core.as(key)(OrgService).getOrg({});
});

test.run();
