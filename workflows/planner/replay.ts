import type { Check } from '../checks/contract.ts';
import type { ProvenCandidate } from '../checks/group.ts';
import type { Registry } from '../checks/registry.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Fact } from '../model/fact.ts';
import type { Omitted } from '../model/omission.ts';
import { type ActionOutcome, type ActTools, actCheck, actPlaces, actStep } from './act.ts';
import { fills } from './plan.ts';
import type { Link } from './tree.ts';

/** One link of a chain as it was shown again: its fact, and the place that gave it. */
export type Replayed = { link: Link; fact: Fact; place: ProvenCandidate };

export type Replay = { held: true; links: Replayed[] } | NotHeld;

type NotHeld = {
  held: false;
  /** The link that was not shown again. */
  broken?: Link;
  /** Why it could not be looked at, or not everywhere. Without it the link was refuted. */
  partly?: Omitted;
};

/**
 * Runs a chain from an empty state: each action again, in order, on nothing but facts that this replay gave.
 * No secret that the first run gave an attacker enters it; the test identities may still have their sessions.
 * @param toolsFor makes fresh instruments for an action
 * @param share lets several replays show a link of a check once; each shows its own by default
 * @param placeOf where the check of a link showed its fact, if that is known: then only that place is tried, unless it shows nothing
 * @throws ProbeError, the signal's reason
 */
export async function replay(
  links: readonly Link[],
  registry: Registry,
  toolsFor: (actionId: string) => ActTools,
  placeOf: PlaceOf = async () => undefined,
  share: ShareLink = (_link, show) => show(),
): Promise<Replay> {
  const again = new Map<string, Fact>();
  const replayed: Replayed[] = [];
  for (const link of links) {
    const shown = await act(link, again, registry, toolsFor(link.actionId), { placeOf, share });
    const fact = shown && matching(link, shown.facts);
    const place = fact && shown.places.get(fact);
    if (!fact || !place)
      return { held: false, broken: link, ...(shown?.partly === undefined ? {} : { partly: shown.partly }) };
    again.set(link.fact.id, fact);
    replayed.push({ link, fact, place });
  }
  return { held: true, links: replayed };
}

/** Shows a link of a check, or gives what another replay has shown of it. */
type ShareLink = (link: Link, show: () => Promise<ActionOutcome>) => Promise<ActionOutcome>;

/**
 * Lets replays beside each other show a link once: each of their chains stands on what a replay showed, and none on the first run. What
 * did not show the link is tried by each for itself.
 */
export function linksOnce(): ShareLink {
  const shown = new Map<string, Promise<ActionOutcome>>();
  return async (link, show) => {
    const key = `${link.actionId} ${link.fact.id}`;
    const begun = shown.get(key);
    const before = begun && (await begun.catch(() => undefined));
    if (before && matching(link, before.facts)) return before;
    const own = show();
    shown.set(key, own);
    return own;
  };
}

type PlaceOf = (link: Link) => Promise<Candidate | undefined>;

async function act(
  link: Link,
  again: Map<string, Fact>,
  registry: Registry,
  tools: ActTools,
  { placeOf, share }: { placeOf: PlaceOf; share: ShareLink },
): Promise<ActionOutcome | undefined> {
  const check = registry.check(link.actionId);
  if (check) {
    const show = () => actAgain(check, link, tools, placeOf);
    // What changes the target is shown by each, since it is taken back.
    return check.risk === 'safe' ? share(link, show) : show();
  }
  const step = registry.step(link.actionId);
  if (!step) return undefined;
  const facts = link.needs.flatMap((id) => again.get(id) ?? []);
  const areEnough =
    facts.length === step.needs.length &&
    step.needs.every((need, index) => {
      const fact = facts[index];
      return fact !== undefined && fills(need, fact);
    });
  return areEnough ? actStep(step, facts, tools) : undefined;
}

async function actAgain(check: Check, link: Link, tools: ActTools, placeOf: PlaceOf): Promise<ActionOutcome> {
  const place = await placeOf(link);
  const shown = place && (await actPlaces(check, tools, [place]));
  return shown && matching(link, shown.facts) ? shown : actCheck(check, tools, link.fact.fingerprint);
}

/** The same fact, or, when its attributes change with each run as tokens do, one of its kind about the same thing. */
const matching = ({ fact }: Link, facts: readonly Fact[]): Fact | undefined =>
  facts.find(({ id }) => id === fact.id) ??
  facts.find(({ kind, subject }) => kind === fact.kind && subject === fact.subject);
