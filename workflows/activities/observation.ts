import { Depth } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { isPrivileged } from '../checks/sessions/roles.ts';
import { openIdentities } from '../login/identities.ts';
import { isRegistered } from '../model/gained-name.ts';
import { graver, type Observations, type Verdict } from '../model/gate.ts';
import type { Identity } from '../model/identity.ts';
import type { Omission, Omitted } from '../model/omission.ts';
import type { Surface } from '../model/surface.ts';
import type { AuditActivities } from '../model/tasks.ts';
import { counted, wasOrWere } from '../model/words.ts';
import { createCarriedQueries } from '../observation/carried-queries.ts';
import { createLeads, type Leads } from '../observation/leads.ts';
import type { ObservedAll } from '../observation/observe-all.ts';
import { observeAs } from '../observation/visitor.ts';
import { entryOfForm } from '../probe/gate/entries.ts';
import { keysOfVerdict } from '../probe/gate/form-key.ts';
import { knowledgeOf } from '../probe/gate/knowledge.ts';
import { store } from '../run/store.ts';
import type { ActivityTools } from './activity-tools.ts';
import { askedOnce } from './asked-gate.ts';
import { makeNonce } from './audit-context.ts';
import { partCoverage } from './coverage.ts';
import type { AuditDeps } from './deps.ts';
import { addObservations, findObservations, loginProofTools } from './gate-knowledge.ts';
import { inAudit } from './in-audit.ts';
import { observeChoicesOf } from './kept-choices.ts';
import { observeCookiesOf } from './kept-cookies.ts';
import { hasWritten, madeRecord, recallOf, recordOf } from './observation-ledger.ts';
import { formsReadForAlike, keepReadForms } from './read-forms.ts';
import { refusalReporter } from './refused.ts';
import { refusedPlaces } from './refused-places.ts';
import { withShut } from './shut-inputs.ts';
import { findSurface, keepSurface, surveyFurther } from './surface.ts';
import { exploredByOthers } from './users-alike.ts';
import { recordVisits } from './visits-ledger.ts';

const observationPart = (name: string): string => (name === '' ? 'observation' : `observation:${name}`);

/** Sends each unknown form of a visitor once, and keeps what that did: what stores what it is sent is not probed. */
export function observationActivity(deps: AuditDeps): Pick<AuditActivities, 'observeForms'> {
  return {
    observeForms: ({ runId, identity: name, share }) =>
      inAudit(deps, { runId, share, part: { id: observationPart(name) } }, async (tools) => {
        const { run, probes } = tools;
        const result = await observeVisitor(deps, tools, name);
        const requests = probes.requests();
        const refused = await refusedFor(tools, name);
        const part = observationPart(name);
        const omissions = [
          ...leftOut(part, result),
          ...[...result.omitted, ...refused].map((each) => ({ ...each, subject: part })),
        ];
        await run.recordCoverage(partCoverage({ part, requests, omissions, remark: remarkOn(result) }));
        return { requests };
      }),
  };
}

/** Steps of a form that goes on from page to page; what is made by the last of them is looked at as well. */
const maxRounds = 3;

/** With what was left out of the pages that forms led to. */
type ObservedAgain = ObservedAll & { omitted: Omitted[] };

const nothing: ObservedAgain = { observed: [], making: [], left: new Map(), unread: 0, omitted: [] };

async function observeVisitor(deps: AuditDeps, tools: ActivityTools, name: string): Promise<ObservedAgain> {
  const { run, context, probes, writes, signal } = tools;
  const { gate } = probes;
  const first = await findSurface(run, name);
  if (!first) throw new Error('the run has no surface: its survey did not end');
  const names = name === '' ? [] : [name];
  const identities = await openIdentities(loginProofTools(tools), names);
  const identity = identities.all[name];
  if (name !== '' && !identity) return nothing;
  // Nothing is tried out with the rights of an administrator, but on a test system what has nothing of its own to edit.
  if (identity && isPrivileged(identity) && writes !== 'create')
    return { ...nothing, omitted: await observeKept(tools, identity, first) };
  const readForAlike = identity ? await formsReadForAlike(tools, identity) : new Set<string>();
  const recalled: Observations = {};
  const carried = createCarriedQueries();
  // Each account of the audit's own has something of its own then, with a word that the others do not have.
  const isStoredByEach = (before: Verdict | undefined) =>
    before === 'writes' && writes === 'create' && isRegistered(name);
  const observe = async (surface: Surface, leads: Leads, changesOthers = false): Promise<ObservedAll> => {
    const observations = await findObservations(run);
    gate.learn(knowledgeOf([surface], observations));
    const ledger = await run.listWrites();
    const recall = recallOf(ledger, name);
    const result = await observeAs({
      ...{ probes, gate, surface, leads, carried, signal, nonce: makeNonce },
      ...(identity ? { identity } : {}),
      hasWritten: (texts) => hasWritten(ledger, identity?.userName, texts),
      changesOthers,
      leaving: Object.keys(observations).filter((key) => observations[key] !== 'reads'),
      known(submission) {
        const own = recall(submission);
        if (own !== undefined) addVerdict(recalled, own, submission);
        // A form that only reads for other visitors may store what this visitor sends.
        const before = observations[submission.key] ?? observations[submission.exact];
        const isAgain =
          (before === 'reads' && name !== '' && !readForAlike.has(submission.exact)) || isStoredByEach(before);
        return own ?? (isAgain ? undefined : before);
      },
      async record(submission, observed) {
        // Where nothing may be written, only what looks things up is sent, and core takes no record of it.
        if (writes !== 'none') await run.recordWrite(recordOf(name, submission, observed));
      },
    });
    await addObservations(run, verdictsIn(result));
    if (writes !== 'none') for (const { url } of result.making) await run.recordWrite(madeRecord(name, url));
    return result;
  };
  const leads = createLeads(first);
  const explored = identity ? await exploredByOthers(tools, identity) : [];
  let known = first;
  const omitted: Omitted[] = [];
  let all = await observe(first, leads);
  for (let round = 0; round < maxRounds && context.depth === Depth.DEEP && !all.left.has('budget'); round += 1) {
    const led = leads.take();
    if (led.left > 0) omitted.push(beyondLeads(led.left));
    if (led.urls.length + led.forms.length + led.again.length + led.cookies.length === 0) break;
    const seen = await surveyFurther(deps, tools, {
      name,
      identity,
      known,
      explored,
      led,
      secrets: identities.secrets(),
    });
    if (!seen) break;
    known = seen.surface;
    omitted.push(...seen.omitted);
    all = together(all, await observe(seen.added, leads));
  }
  // On a test system entries of others are changed where the audit has made none like them.
  if (writes === 'create' && context.depth === Depth.DEEP && all.left.has(keeps)) {
    const forms = known.forms.filter((form) => entryOfForm(form)?.isShown);
    const { observed, left } = await observe({ ...known, forms }, leads, true);
    const others = [...all.left].filter(([why]) => why !== keeps);
    const still = left.get(keeps) ?? 0;
    all = { ...all, observed: [...all.observed, ...observed], left: new Map(others) };
    if (still > 0) all.left.set(keeps, still);
  }
  await addObservations(run, recalled);
  if (identity) await keepReadForms(tools, name, all);
  if (identity && known !== first) await recordVisits(tools, name, known);
  const reached = name === '' && writes === 'create' ? leads.furthest() : undefined;
  if (reached) {
    const { urls, session } = reached;
    await store.reachedSteps.put(run, '', { urls, cookies: session.header(urls[0] ?? '') });
  }
  const shut = withShut(known, all.observed);
  if (shut) await keepSurface(tools, name, shut);
  const kept = identity ? await observeKept(tools, identity, known) : [];
  return { ...all, omitted: [...omitted, ...kept] };
}

/** What an account keeps of how its pages are shown. */
const observeKept = async (tools: ActivityTools, identity: Identity, surface: Surface): Promise<Omitted[]> => [
  ...(await observeCookiesOf(tools, identity, surface)),
  ...(await observeChoicesOf(tools, identity, surface)),
];

const keeps = 'keeps-what-it-shows';

/** Pages and forms that others led to, and that were beyond the limit. */
const beyondLeads = (count: number): Omitted => ({
  code: 'too_many',
  count,
  text: `${counted(count, 'page or form', 'pages or forms')} that sent forms led to ${wasOrWere(count)} not looked at`,
});

const together = (one: ObservedAll, other: ObservedAll): ObservedAll => ({
  observed: [...one.observed, ...other.observed],
  making: [...new Map([...one.making, ...other.making].map((page) => [page.key, page])).values()],
  left: new Map(
    [...one.left.keys(), ...other.left.keys()].map((why) => [
      why,
      (one.left.get(why) ?? 0) + (other.left.get(why) ?? 0),
    ]),
  ),
  unread: one.unread + other.unread,
});

/** Verdicts on what was observed, and on pages that make something as soon as they are opened. */
function verdictsIn({ observed, making }: ObservedAll): Observations {
  const verdicts: Observations = Object.fromEntries(making.map(({ key }) => [key, 'writes']));
  for (const { submission, verdict, isShut } of observed) {
    // A form that is refused to one visitor shows nothing of what it does for another.
    if (isShut && verdict === 'unknown') continue;
    addVerdict(verdicts, verdict, submission);
  }
  return verdicts;
}

function addVerdict(verdicts: Observations, verdict: Verdict, keys: Parameters<typeof keysOfVerdict>[1]): void {
  for (const key of keysOfVerdict(verdict, keys)) verdicts[key] = graver(verdicts[key] ?? verdict, verdict);
}

const reasons: Readonly<Record<string, string>> = {
  message: 'they send messages',
  'sensitive-fields': 'they have passwords, files or addresses in them',
  'would-act': 'their words say that they do something',
  'ends-session': 'they end the session',
  'one-time-token': 'they have a token of a page that changes something',
  'not-observed': 'nothing shows that they only read',
  'no-free-field': 'they have no free field to try them with',
  'keeps-what-it-shows': 'they show what they keep already',
  'others-entry': 'they would change entries that the audit has not made',
  'too-many': 'there were too many',
  writes: 'they keep what they are sent, as was seen before',
  budget: 'the budget was used up',
};

/**
 * Forms that a scan of this depth promises to try, and did not because a limit was reached, are gaps; the gate reports those that
 * it must not try.
 */
function leftOut(part: string, { left, unread }: ObservedAll): Omission[] {
  const forms = [...left].flatMap(([why, count]): Omission[] => {
    const code = why === 'budget' ? 'budget' : why === 'too-many' ? 'too_many' : undefined;
    const what = count === 1 ? 'one form was' : `${count} forms were`;
    return code === undefined ? [] : [{ code, subject: part, count, text: `${what} not sent: ${reasons[why] ?? why}` }];
  });
  const text = `${counted(unread, 'page')} on which it could show that a form keeps something ${wasOrWere(unread)} not read: the likeliest of each form were`;
  return unread === 0 ? forms : [...forms, { code: 'guessed', subject: part, count: unread, text }];
}

/** What the gate takes out of the surface of a visitor now that its forms have been observed; what all are shown counts once. */
async function refusedFor({ run, probes: { gate } }: ActivityTools, name: string): Promise<Omitted[]> {
  const [anonymous, own] = [await findSurface(run, ''), name === '' ? undefined : await findSurface(run, name)];
  const surfaces = [anonymous, own].flatMap((surface) => surface ?? []);
  gate.learn(knowledgeOf(surfaces, await findObservations(run)));
  const [surface, ...others] = surfaces.toReversed();
  const asked = askedOnce(gate);
  const reporter = refusalReporter({ ...asked, refusals: gate.refusals }, surfaces);
  return surface ? [...refusedPlaces(surface, others, asked), ...reporter()] : [];
}

/** What was tried, and what was not, each with its number. */
function remarkOn({ observed, making, left }: ObservedAll): string {
  const count = (wanted: Verdict) => observed.filter(({ verdict }) => verdict === wanted).length;
  const tried =
    observed.length === 0
      ? []
      : [
          `${counted(observed.length, 'form')} ${wasOrWere(observed.length)} sent once: of them ${count('reads')} only read, ${count('writes')} kept what was sent, and of ${count('unknown')} it could not be determined`,
        ];
  const others = [...left].map(([why, number]) => `${number} ${wasOrWere(number)} not sent: ${reasons[why] ?? why}`);
  const opened =
    making.length === 0
      ? []
      : [
          `${counted(making.length, 'page')} ${making.length === 1 ? 'makes something as soon as it is opened, and is' : 'make something as soon as they are opened, and are'} not opened again`,
        ];
  return [...tried, ...opened, ...others].join('; ');
}
