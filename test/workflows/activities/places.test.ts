import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { mayBeKept } from '../../../workflows/activities/places.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { claim, type Experiment } from '../../../workflows/model/experiment.ts';
import { ProbeError } from '../../../workflows/model/probe-error.ts';
import { further } from '../../support/further.ts';
import { checkLike, stepLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openSite, page } from '../support/site.ts';
import { openWorkbench } from '../support/workbench.ts';

const places = suite('places of facts');

/** The page says the word that no other page says. */
const says = (url: string, word: string): Experiment => ({
  steps: [{ http: { url }, note: 'It says so.', expect: [claim('body', 'contains', word)] }],
  control: [
    {
      http: { url: new URL('/‹nonce›', url).href },
      note: 'Others do not.',
      expect: [claim('body', 'contains', word)],
    },
  ],
});

/** A check that looks for its place at `path`, and notes each look. */
const looking = (id: string, path: string, looks: string[], place: object) =>
  checkLike({
    id,
    detect: ({ surface }) => {
      looks.push(id);
      return [{ location: { url: new URL(path, surface.url).href }, data: place }];
    },
    confirm: (_context, { location }) => says(location.url, 'a key'),
    gives: { kinds: [id], facts: ({ location }) => [{ kind: id, subject: location.url, attributes: {} }] },
  });

const opening = (id: string, kind: string) =>
  stepLike({
    id,
    needs: [{ kind }],
    goal: id,
    detect: ({ surface }) => [{ location: { url: new URL('/inside', surface.url).href } }],
    confirm: (_context, { location }) => says(location.url, 'the inside'),
  });

places('a place with a secret of a session is not kept, however JSON writes it', () => {
  const place = { location: { url: 'http://site.localhost/' }, data: { form: 'token=a"b-4f81' } };
  assert.is(mayBeKept(place, ['another']), true);
  assert.is(mayBeKept(place, ['a"b-4f81']), false);
});

/** A step that fails for good behind its first request. */
const failing = (id: string, kind: string) =>
  stepLike({
    id,
    needs: [{ kind }],
    goal: id,
    detect: async ({ http, surface }) => {
      await http.get(new URL('/inside', surface.url).href, { fresh: true });
      throw new ProbeError('refused', 'it may do something');
    },
    confirm: () => undefined,
  });

further(places)(
  'a replay goes straight to the place of a fact, and looks again for one that could not be kept',
  async () => {
    const looks: string[] = [];
    const content: Record<string, string> = { '/one': 'a key', '/two': 'a key', '/inside': 'the inside' };
    const site = await openSite((request, response) => page(response, content[request.url ?? ''] ?? 'nothing'));
    const checks = [
      looking('leak.kept', '/one', looks, { text: 'a few words' }),
      looking('leak.unkept', '/two', looks, { pattern: /what JSON does not hold/ }),
    ];
    const bench = await openWorkbench(
      registryOf(checks, [
        opening('chains.by-kept', 'leak.kept'),
        opening('chains.by-unkept', 'leak.unkept'),
        failing('chains.failing', 'leak.kept'),
      ]),
    );
    try {
      const { runId } = await bench.scans.startScan({ url: `http://site.localhost:${site.port}/`, depth: Depth.DEEP });
      const { status, failure } = await bench.until(runId, hasEnded);
      assert.is(status, ScanStatus.COMPLETED, failure?.detail);
      const { items } = await bench.scans.listFindings({ runId });
      const chains = items.filter(({ chain }) => chain.length > 0).map(({ checkId }) => checkId);
      assert.equal(chains.sort(), ['chains.by-kept', 'chains.by-unkept']);
      const { coverage } = await bench.scans.getScan({ runId });
      const sent = coverage?.families.find(({ id }) => id === 'chains')?.requests ?? 0;
      assert.ok(sent > 0 && sent < 100, `${sent} requests: a step that fails costs what it sent`);
      assert.equal(looks.sort(), ['leak.kept', 'leak.unkept', 'leak.unkept']);
    } finally {
      await bench.close();
      await site.close();
    }
  },
);

places.run();
