import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BrowserExploration, Explored } from '../../../workflows/model/browser.ts';
import type { OpenProbes } from '../../../workflows/probe/open.ts';
import { createExplorer } from '../../../workflows/survey/explorer.ts';
import type { Tally } from '../../../workflows/survey/left-out.ts';
import { parsePage } from '../../../workflows/survey/page.ts';
import { codeOfPage } from '../../../workflows/survey/page-code.ts';

const test = suite('the time for a page in the browser');

const tags =
  'article aside b blockquote code dl em figure h2 h3 i kbd mark nav ol pre q s section small sub sup table u ul';

test('pages are fewer where a user of the same role, or the visitor, was shown the site before', async () => {
  const usedOf = async (depth: Parameters<typeof createExplorer>[0]['depth']) => {
    let used = 0;
    const explore = async () => {
      used += 1;
      return { finalUrl: 'http://x.localhost/', requests: [], states: [], led: [], unused: 0, alike: 0 } as never;
    };
    const explorer = createExplorer({
      browser: { unavailable: async () => undefined, explore } as unknown as OpenProbes['browser'],
      ...{ identity: undefined, signal: new AbortController().signal, tally: {} as Tally, depth, explored: [] },
    });
    for (let index = 0; index < 130; index += 1) explorer.add({ url: `http://x.localhost/${index}`, code: `${index}` });
    await explorer.run(async () => ({ shapes: [], isMore: true }) as never);
    return used;
  };
  assert.equal([await usedOf('deep'), await usedOf('alike'), await usedOf('further')], [130, 100, 60]);
});

test('is less, the more pages with its script were used, and the whole for a page with another one', async () => {
  const times: [page: string, ms: number | undefined][] = [];
  const nothing: Partial<Explored> = {
    finalUrl: 'http://x.localhost/',
    requests: [],
    states: [],
    led: [],
    unused: 0,
    alike: 0,
  };
  const browser = {
    unavailable: async () => undefined,
    explore: async ({ url, timeoutMs }: BrowserExploration) => {
      times.push([new URL(url).pathname, timeoutMs]);
      return nothing as Explored;
    },
  } as OpenProbes['browser'];
  const explorer = createExplorer({
    ...{ browser, identity: undefined, signal: new AbortController().signal, tally: {} as Tally },
    ...{ depth: 'deep', explored: [] },
  });
  const add = (name: string, script: string) => {
    const url = `http://x.localhost/${name}`;
    const markup = `<${name}>x</${name}>`;
    const parsed = parsePage(`<script src=/${script}.js></script>${markup.repeat(9)}`, url);
    explorer.add({ url, code: codeOfPage(parsed), shape: parsed.shape });
  };
  for (const tag of tags.split(' ')) add(tag, 'site');
  add('main', 'other');
  await explorer.run(async () => ({ shapes: [], isMore: true }) as never);
  const other = times.findIndex(([path]) => path === '/main');
  assert.equal(times.splice(other, 1), [['/main', 20_000]]);
  const given = times.map(([, ms]) => ms);
  assert.equal(given, [...Array(4).fill(20_000), ...Array(12).fill(10_000), ...Array(given.length - 16).fill(5_000)]);
  assert.ok(given.length > 18, `${given.length} pages`);
});

test.run();
