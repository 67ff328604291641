import type { Surface } from '../checks/contract.ts';
import { openIdentities } from '../login/identities.ts';
import type { AuditActivities, NotCovered } from '../orchestration/tasks.ts';
import type { Run } from '../runs.ts';
import { partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { inAudit } from './scene.ts';

const surfaceName = (identity: string): string => (identity === '' ? 'surface' : `surface:${identity}`);

/** Looks at the host once for each visitor; every check starts from what is stored here. */
export function surveyActivity(deps: AuditDeps): Pick<AuditActivities, 'survey'> {
  return {
    survey: ({ runId, identity, share }) =>
      inAudit(deps, { runId, share }, async ({ run, context, probes, signal }) => {
        const scene = { run, http: probes.http, baseUrl: context.url };
        const identities = await openIdentities(scene, identity === '' ? [] : [identity]);
        const visitor = identities.all[identity];
        const surface = await deps.survey({
          probes,
          url: context.url,
          startUrls: context.startUrls,
          excludedPaths: context.excludedPaths,
          ...(visitor === undefined ? {} : { identity: visitor }),
          signal,
        });
        await run.putArtifact(surfaceName(identity), 'application/json', Buffer.from(JSON.stringify(surface)));
        const requests = probes.requests();
        const part = identity === '' ? 'survey' : `survey:${identity}`;
        await run.recordCoverage(partCoverage({ part, requests, notCovered: cutShort(part, surface) }));
        return { requests };
      }),
  };
}

/** Pages that nobody looked at may hold anything; a survey that says so is honest, one that is silent looks clean. */
function cutShort(part: string, { skipped }: Surface): NotCovered[] {
  const left = skipped.filter(({ reason }) => /budget|too many/.test(reason));
  const [first] = left;
  return first
    ? [{ subject: part, reason: `${left.length} URLs were not fetched: ${first.reason}, ${first.url}` }]
    : [];
}

/** What the survey of this run saw, if there was one; a worker of this version wrote it. */
export async function findSurface(run: Run, identity: string): Promise<Surface | undefined> {
  const content = await run.findArtifact(surfaceName(identity));
  return content && (JSON.parse(Buffer.from(content).toString('utf8')) as Surface);
}
