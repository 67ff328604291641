import { randomUUID } from 'node:crypto';
import { createLogger } from '../../../kit/logger.ts';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import type { Prover } from '../../../workflows/checks/confirm.ts';
import type { ChainStep, Check, CheckContext } from '../../../workflows/checks/contract.ts';
import { shippedLibraryData } from '../../../workflows/checks/library-data.ts';
import { claim, type Experiment } from '../../../workflows/model/experiment.ts';
import type { Surface } from '../../../workflows/model/surface.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import { parseAllowRules } from '../../../workflows/probe/guard/allow.ts';
import { type OpenProbes, openProbes } from '../../../workflows/probe/open.ts';
import { prove } from '../../../workflows/proof/prove.ts';

const common: Pick<Check, 'title' | 'cwe' | 'owasp' | 'cvss' | 'risk' | 'explain'> = {
  title: 'Test weakness',
  cwe: 200,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  risk: 'safe',
  explain: { description: 'D.', impact: 'I.', sends: 'S.', proves: 'P.', remedy: 'R.', references: ['CWE-200'] },
};

/** A check with everything that a check must have. */
export const checkLike = (given: Partial<Check> = {}): Check => ({
  ...common,
  id: 'test.weakness',
  depth: 'standard',
  detect: () => [],
  confirm: () => undefined,
  ...given,
});

export const stepLike = (given: Partial<ChainStep> = {}): ChainStep => ({
  ...common,
  id: 'chains.step',
  needs: [{ kind: 'a' }],
  cost: 1,
  detect: () => [],
  confirm: () => undefined,
  ...given,
});

/** A page whose body has the word; the control asks for a page that does not. */
export const bodyHas = (url: string, word: string): Experiment => ({
  steps: [{ http: { url }, note: 'The page has the word.', expect: [claim('body', 'contains', word)] }],
  control: [
    {
      http: { url: new URL('/‹nonce›', url).href },
      note: 'Another page has not.',
      expect: [claim('body', 'contains', word)],
    },
  ],
});

export const emptySurface = (url: string): Surface => ({
  url,
  host: new URL(url).hostname,
  addresses: [],
  origins: [],
  pages: [],
  forms: [],
  inputs: [],
  calls: [],
  explored: [],
  skipped: [],
  omitted: [],
});

const silent = createLogger('test', 'silent');

/** The real instruments, for a host on this machine. */
export function openTestProbes(
  url: string,
  signal = new AbortController().signal,
  browsers?: BrowserPool,
  { maxRequests = 1_000 } = {},
): OpenProbes {
  const host = new URL(url).hostname;
  return openProbes({
    runId: randomUUID(),
    target: url,
    share: { maxRequests, maxConnections: 5, requestsPerSecond: 500, deadlineMs: Date.now() + 60_000 },
    guard: { allow: parseAllowRules([`${host}=127.0.0.0/8`]) },
    signal,
    logger: silent,
    ...(browsers ? { browsers } : {}),
  });
}

/** What a check works with, on the real instruments. */
export function testContext(url: string, probes: OpenProbes, signal = new AbortController().signal): CheckContext {
  return {
    ...probes,
    runId: randomUUID(),
    surface: emptySurface(url),
    surfaces: {},
    identities: {},
    libraryData: shippedLibraryData,
    as: async () => {
      throw new Error('there is no identity');
    },
    logIn: async () => {
      throw new Error('there is no identity');
    },
    nonce: makeNonce,
    now: () => new Date(),
    allowance: () => Number.POSITIVE_INFINITY,
    writes: 'reversible',
    leave: () => {},
    signal,
  };
}

/** The real proof engine. */
export const testProver =
  (context: CheckContext): Prover =>
  (experiment, signal) =>
    prove(experiment, { ...context, signal });
