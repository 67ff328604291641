import type { Identity, Surface } from '../checks/contract.ts';
import { openIdentities } from '../login/identities.ts';
import { watchful } from '../login/watchful.ts';
import type { AuditActivities, NotCovered } from '../orchestration/tasks.ts';
import type { Documented } from '../probe/crawl/documented.ts';
import { knowledgeOf } from '../probe/gate/knowledge.ts';
import { type Hindrance, hindranceText } from '../probe/http/wall-watch.ts';
import type { Run } from '../runs.ts';
import { partCoverage, slowedText } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { openDocuments, wordsOn } from './documents.ts';
import { loginScene } from './gate-knowledge.ts';
import { masked } from './masking.ts';
import { inAudit, type Scene } from './scene.ts';
import { valuesOf } from './scope-headers.ts';

const surfaceName = (identity: string): string => (identity === '' ? 'surface' : `surface:${identity}`);

/** Looks at the host once for each visitor; every check starts from what is stored here. */
export function surveyActivity(deps: AuditDeps): Pick<AuditActivities, 'survey'> {
  return {
    survey: ({ runId, identity: name, share }) =>
      inAudit(deps, { runId, share }, async (scene) => {
        const { run, context, probes } = scene;
        const part = name === '' ? 'survey' : `survey:${name}`;
        const documents = await openDocuments(run, context);
        const look = lookWith(deps, documents.inside);
        const seen = name === '' ? { surface: await look(scene), remark: '' } : await lookAs(look, scene, name);
        const surface = masked(seen.surface, valuesOf(probes.scopeHeaders));
        await run.putArtifact(surfaceName(name), 'application/json', Buffer.from(JSON.stringify(surface)));
        const requests = probes.requests();
        const words = name === '' ? wordsOn(documents) : { notCovered: [], remark: '' };
        const hindrance = probes.hindrance();
        const notCovered = [
          ...cutShort(part, surface),
          ...blockedPages(part, hindrance, requests),
          ...words.notCovered,
        ];
        const remark = [seen.remark, words.remark, slowedText(hindrance)].filter((each) => each !== '').join('; ');
        await run.recordCoverage(partCoverage({ part, requests, notCovered, remark }));
        return { requests };
      }),
  };
}

type Look = (scene: Scene, identity?: Identity) => Promise<Surface>;

const lookWith =
  ({ survey }: AuditDeps, documented: readonly Documented[]): Look =>
  ({ context, probes, signal }, identity) =>
    survey({
      probes,
      url: context.url,
      startUrls: context.startUrls,
      excludedPaths: context.excludedPaths,
      documented,
      ...(identity === undefined ? {} : { identity }),
      signal,
    });

type Seen = { surface: Surface; remark: string };

/** What was seen with a session that ended on the way is what anonymous visitors see: then it is looked at again, watchfully. */
async function lookAs(look: Look, scene: Scene, name: string): Promise<Seen> {
  const { run, probes } = scene;
  const identities = await openIdentities(loginScene(scene), [name]);
  const identity = identities.all[name];
  if (!identity) throw new Error(`the login "${name}" was not proven in this run`);
  const known = await findSurface(run, '');
  if (known) probes.gate.learn(knowledgeOf([known]));
  const surface = await look(scene, identity);
  if ((await identities.renew()).length === 0)
    return { surface: withoutSession(surface, identities.secrets()), remark: '' };
  const { http, ending } = watchful(probes.http, identity, identities);
  const again = await look({ ...scene, probes: { ...probes, http } }, identity);
  const paths = ending().map((url) => new URL(url).pathname);
  const remark =
    paths.length === 0
      ? 'the session ran out on the way and was renewed'
      : `left out, since it ends the session: ${paths.join(', ')}`;
  return { surface: withoutSession(again, identities.secrets()), remark };
}

/** Cookies of a live session are nobody's business; which page sets which is. */
const withoutSession = (surface: Surface, secrets: readonly string[]): Surface => ({
  ...surface,
  origins: surface.origins.map((origin) => ({ ...origin, headers: masked(origin.headers, secrets) })),
  pages: surface.pages.map((page) => ({
    ...page,
    headers: masked(page.headers, secrets),
    setCookies: masked(page.setCookies, secrets),
  })),
});

/** Pages that nobody looked at may hold anything; a survey that says so is honest, one that is silent looks clean. */
function cutShort(part: string, { skipped }: Surface): NotCovered[] {
  const left = skipped.filter(({ code }) => code === 'budget' || code === 'too-many');
  const [first] = left;
  return first
    ? [{ subject: part, reason: `${left.length} URLs were not fetched: ${first.reason}, ${first.url}` }]
    : [];
}

function blockedPages(part: string, hindrance: Hindrance, requests: number): NotCovered[] {
  const reason = hindranceText(hindrance, requests);
  return reason === undefined ? [] : [{ subject: part, reason }];
}

/** What the survey of this run saw, if there was one; a worker of this version wrote it. */
export async function findSurface(run: Run, identity: string): Promise<Surface | undefined> {
  const content = await run.findArtifact(surfaceName(identity));
  return content && (JSON.parse(Buffer.from(content).toString('utf8')) as Surface);
}
