import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { domXss } from '../../../../workflows/checks/client/dom-xss.check.ts';
import { inParallel } from '../../../../workflows/checks/inputs/parallel.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import type { BrowserPool } from '../../../../workflows/probe/browser/launch.ts';
import { type Handler, startSite } from '../../../fixtures/site.ts';
import { places, runOn } from '../harness.ts';
import { app, type Page, safe, vulnerable } from './dom-xss-pages.ts';

export type Results = ReadonlyMap<string, CheckResult>;

export async function result(browsers: BrowserPool, handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, domXss, { browsers, timeLimitMs: 300_000 });
  } finally {
    await site.close();
  }
}

/** Each visit is mostly waiting, so a few sites are looked at side by side. */
export async function resultsOf(browsers: BrowserPool, names: readonly string[]): Promise<Results> {
  const pages = names.map((what): [string, Page] => {
    const page = vulnerable[what]?.[0] ?? safe[what];
    if (!page) throw new Error(`there is no page ${what}`);
    return [what, page];
  });
  return new Map(
    await inParallel(pages, 6, async ([what, page]) => [what, await result(browsers, app(page))] as const),
  );
}

/** Registers a test for each of these pages, of which the suite's context has the results. */
export function testPages<T extends { results: Results }>(test: Test<T>, names: readonly string[]): void {
  for (const what of names) {
    const [, parameter] = vulnerable[what] ?? [];
    if (parameter !== undefined)
      test(`${what} is found`, ({ results }) => {
        const found = results.get(what);
        assert.equal(
          [found?.outcome.kind, found && places(found)],
          ['found', [`GET /app ${parameter}`]],
          found?.outcome.reason,
        );
      });
    else
      test(`a page that ${what} is clean`, ({ results }) => {
        const found = results.get(what);
        assert.equal([found?.outcome.kind, found?.findings.length], ['clean', 0], found?.outcome.reason);
      });
  }
}
