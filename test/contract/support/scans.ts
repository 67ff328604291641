import type { TestOrg } from './orgs.ts';
import { fieldOf } from './values.ts';
import type { World } from './world.ts';

/** Starts a scan over REST. @returns its runId */
export async function start(world: World, { key }: TestOrg, url = 'example.com', depth = 'standard'): Promise<string> {
  const started = await world.rest('ScanService/StartScan', { url, depth }, { key });
  if (started.reason !== 'OK') throw new Error(`the start was refused: ${started.text}`);
  return String(fieldOf(started.body, 'runId'));
}

async function work(world: World, operation: string, request: object): Promise<unknown> {
  const { reason, body } = await world.work(`RunService/${operation}`, request);
  if (reason !== 'OK') throw new Error(`${operation} was refused: ${reason} ${JSON.stringify(body)}`);
  return body;
}

/** What a worker does first. */
export const begin = (world: World, runId: string) => work(world, 'BeginRun', { runId });

export type FindingSketch = { severity: string; path?: string; checkId?: string };

/** What a worker reports. */
export const recordFindings = (world: World, runId: string, sketches: FindingSketch[]) =>
  work(world, 'RecordFindings', { runId, findings: sketches.map(findingOf) });

/** A family of checks that looked at everything, or one that did not end. */
export const recordFamily = (world: World, runId: string, status: 'done' | 'failed' = 'done') =>
  work(world, 'RecordCoverage', {
    runId,
    family: {
      id: 'headers',
      status,
      reason: status === 'done' ? '' : 'the host stopped answering',
      checks: 1,
      requests: 3,
      outcomes: [{ checkId: 'headers.hsts-missing', outcome: status === 'done' ? 'found' : 'not_run' }],
    },
  });

export const finish = (world: World, runId: string, outcome = 'completed', failure?: object) =>
  work(world, 'FinishRun', { runId, outcome, ...(failure && { failure }) });

/** Runs a scan as a worker would, to its end. @returns its runId */
export async function complete(
  world: World,
  org: TestOrg,
  sketches: FindingSketch[] = [],
  { url = 'example.com', depth = 'standard' }: { url?: string; depth?: string } = {},
): Promise<string> {
  const runId = await start(world, org, url, depth);
  await begin(world, runId);
  if (sketches.length > 0) await recordFindings(world, runId, sketches);
  await recordFamily(world, runId);
  await finish(world, runId);
  return runId;
}

/** A verified finding in the words of REST, as a worker stores it. */
function findingOf({ severity, path = '/', checkId = 'headers.hsts-missing' }: FindingSketch): object {
  const url = `https://example.com${path}`;
  return {
    fingerprint: fingerprintOf(severity, path, checkId),
    checkId,
    title: `Finding <b>${severity}</b> at ${path}`,
    severity,
    cvss: { version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N', score: 5.3 },
    cwe: 319,
    owasp: 'A02:2025',
    category: 'headers',
    location: { url, method: 'GET', parameter: 'q', parameterIn: 'query' },
    locations: [{ url, method: 'GET', parameter: 'q', parameterIn: 'query' }],
    description: 'What it is.',
    impact: 'What it allows.',
    remediation: 'What to do.',
    references: ['RFC 6797'],
    proof: {
      verifiedAt: '2026-01-31T12:00:00.250Z',
      steps: [
        {
          http: { method: 'GET', url },
          assertions: [{ subject: 'header:strict-transport-security', operator: 'absent' }],
          observation: { summary: 'HTTP/1.1 200 OK', excerpt: 'ok' },
          note: 'The header is missing.',
        },
      ],
      control: [
        {
          http: { method: 'GET', url },
          assertions: [{ subject: 'header:content-type', operator: 'absent' }],
          observation: { summary: 'HTTP/1.1 200 OK', excerpt: 'ok' },
          note: 'A header that is there is not taken for absent.',
        },
      ],
      curl: `curl -sSI '${url}'`,
      trials: 2,
    },
  };
}

/** 32 hexadecimal digits that derive from what the finding is. */
function fingerprintOf(...parts: string[]): string {
  return Buffer.from(parts.join('|')).toString('hex').slice(0, 32).padEnd(32, '0');
}
