import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { listScans } from '../../../core/scans/list-scans.ts';
import { Depth, ListScansRequestSchema, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { further } from '../../support/further.ts';
import { completeRun, newOrg, openDatabase, refusal, type TestOrg } from './support.ts';

const { em, owner, close } = await openDatabase();

type Filter = Omit<MessageInitShape<typeof ListScansRequestSchema>, '$typeName'>;
const page = (org: TestOrg, request: Filter = {}) => listScans(em, org.orgId, create(ListScansRequestSchema, request));
const ids = async (org: TestOrg, request: Filter = {}) => (await page(org, request)).items.map(({ runId }) => runId);

async function allIds(org: TestOrg, request: Filter, between: () => Promise<unknown> = async () => {}) {
  const found: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { items, nextCursor } = await page(org, { ...request, cursor });
    found.push(...items.map(({ runId }) => runId));
    cursor = nextCursor;
    await between();
  }
  return found;
}

const list = suite('list of scans');

list('shows the newest first, and 20 unless asked otherwise', async () => {
  const org = await newOrg(em);
  const runs: string[] = [];
  for (let index = 0; index < 22; index++) runs.unshift(await org.startRun(`h${index}.example.com`));
  const { items, nextCursor } = await page(org);
  assert.equal(
    items.map(({ runId }) => runId),
    runs.slice(0, 20),
  );
  assert.equal(await ids(org, { cursor: nextCursor ?? '' }), runs.slice(20));
  assert.is((await page(org, { cursor: nextCursor ?? '' })).nextCursor, undefined);
  assert.is((await ids(org, { limit: 100 })).length, 22);
});

list('of an org without scans is empty, and has no further page', async () => {
  assert.equal(await page(await newOrg(em)), { items: [] });
});

list('has no further page when the last one is full', async () => {
  const org = await newOrg(em);
  for (const _ of [1, 2]) await org.startRun();
  assert.is((await page(org, { limit: 2 })).nextCursor, undefined);
});

list('its pages miss nothing and repeat nothing while scans start', async () => {
  const org = await newOrg(em);
  const before: string[] = [];
  for (let index = 0; index < 11; index++) before.unshift(await org.startRun());
  const found = await allIds(org, { limit: 3 }, () => org.startRun());
  assert.equal(found, before);
});

list('shows the org its own scans only', async () => {
  const [one, two] = [await newOrg(em), await newOrg(em)];
  const mine = await one.startRun();
  const theirs = await two.startRun();
  assert.equal(await ids(one), [mine]);
  const { nextCursor } = await page(two, { limit: 1 });
  assert.is(nextCursor, undefined);
  assert.equal(await ids(two), [theirs]);
});

list('filters by status, host and depth, also together', async () => {
  const org = await newOrg(em);
  const done = await completeRun(em, await org.startRun('a.example.com'));
  const deep = await org.startRun('a.example.com', Depth.DEEP);
  const elsewhere = await org.startRun('bücher.example.com');
  assert.equal(await ids(org, { status: ScanStatus.COMPLETED }), [done]);
  assert.equal(await ids(org, { status: ScanStatus.QUEUED }), [elsewhere, deep]);
  assert.equal(await ids(org, { status: ScanStatus.FAILED }), []);
  assert.equal(await ids(org, { depth: Depth.DEEP }), [deep]);
  assert.equal(await ids(org, { host: 'A.Example.com.' }), [deep, done]);
  assert.equal(await ids(org, { host: 'bücher.example.com' }), [elsewhere]);
  assert.equal(await ids(org, { host: 'a.example.com', status: ScanStatus.QUEUED, depth: Depth.STANDARD }), []);
});

list('filters by the moment of the start, to the nanosecond', async () => {
  const org = await newOrg(em);
  const runId = await org.startRun();
  const { createdAt } = await org.row(runId);
  const at = timestampFromDate(createdAt);
  const just = (nanos: number): Timestamp => ({ ...at, nanos: at.nanos + nanos });
  const before = timestampFromMs(createdAt.getTime() - 1);
  const after = timestampFromMs(createdAt.getTime() + 1);
  assert.equal(await ids(org, { createdAfter: before, createdBefore: after }), [runId]);
  assert.equal(await ids(org, { createdAfter: at }), []);
  assert.equal(await ids(org, { createdAfter: just(1) }), []);
  assert.equal(await ids(org, { createdBefore: at }), []);
  assert.equal(await ids(org, { createdBefore: just(1) }), [runId]);
  assert.equal(await ids(org, { createdAfter: after }), []);
  assert.equal(await ids(org, { createdBefore: timestampFromMs(0) }), []);
  assert.equal(await ids(org, { createdAfter: timestampFromDate(new Date('9999-12-31T23:59:59Z')) }), []);
});

list('refuses a cursor and a host that are none', async () => {
  const org = await newOrg(em);
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const cursor of ['x', '%', forged('x'), forged({}), forged(["'; drop table scans; --"])])
    await refusal(page(org, { cursor }), 'INVALID_PARAMETER');
  const given = forged(await org.startRun());
  await page(org, { cursor: given });
  for (const cursor of [`${given}=`, `${given}!`, `${given.slice(0, 8)} ${given.slice(8)}`, given.slice(0, -1)])
    await refusal(page(org, { cursor }), 'INVALID_PARAMETER');
  for (const host of ['https://example.com', 'a b', 'localhost'])
    await refusal(page(org, { host }), 'INVALID_PARAMETER');
});

further(list)(
  'begins a page in a long history where an index says, also after many newer scans of others',
  async () => {
    const [org, other] = [await newOrg(em), await newOrg(em)];
    const runId = await org.startRun();
    // The org's scans are older than all of the other's, which the primary key holds between them and its end.
    await addHistory(org, runId, 20_000, 1_000_000);
    await addHistory(other, await other.startRun(), 20_000, 0);
    await owner.fork().execute('analyze scans');
    for (const filter of ['', "and host = 'www.example.com'", "and status = 'failed'", "and depth = 'deep'"]) {
      const [row] = await inOrg(em, org.orgId, (tx) =>
        tx.execute<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
          `explain (analyze, format json) select * from scans
         where org_id = ? and created_at < now() and run_id < ? ${filter} order by created_at desc, run_id desc limit 21`,
          [org.orgId, runId],
        ),
      );
      const nodes = flatten(row?.['QUERY PLAN'][0].Plan);
      assert.is(nodes.at(-1)?.['Node Type'], 'Index Scan', filter);
      assert.match(nodes.at(-1)?.['Index Name'] ?? '', /_by_age$/, filter);
      assert.not(
        nodes.some((node) => node['Node Type'].includes('Sort')),
        filter,
      );
      for (const node of nodes) {
        assert.ok(node['Actual Rows'] <= 21, filter);
        assert.ok((node['Rows Removed by Filter'] ?? 0) <= 1, filter);
      }
    }
  },
);

/** Finished scans like one that there is, a second apart, the newest as old as is said. */
const addHistory = (org: TestOrg, runId: string, scans: number, secondsAgo: number): Promise<unknown> =>
  inOrg(em, org.orgId, (tx) =>
    tx.execute(
      `insert into scans (run_id, org_id, key_id, host, url, depth, status, created_at, finished_at, credits, hold_id, domain,
         ownership_method, ownership_verified_at)
       select uuidv7(-make_interval(secs => n)), org_id, key_id, host, url, depth, 'completed', now() - make_interval(secs => n),
         now(), 0, hold_id, domain, ownership_method, now()
       from scans, generate_series(?::integer + 1, ?::integer) n where run_id = ?`,
      [secondsAgo, secondsAgo + scans, runId],
    ),
  );

type PlanNode = {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};
const flatten = (node?: PlanNode): PlanNode[] => (node ? [node, ...(node.Plans ?? []).flatMap(flatten)] : []);

list.after(close);
list.run();
