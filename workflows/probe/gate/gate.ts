import type { AllowedWrites } from '../../model/budget.ts';
import type {
  Decision,
  GateRequest,
  Licence,
  RefusalCode,
  Refusals,
  Refused,
  Verdict,
  Visitor,
} from '../../model/gate.ts';
import type { FormSurface } from '../../model/surface.ts';
import { isChoice } from './choices.ts';
import { decide } from './decide.ts';
import { createKnown, type Knowledge } from './knowledge.ts';
import { partsOf } from './parts.ts';
import { placeOf } from './place.ts';
import { type Circumstances, makesKey, mayDo, RefusedError, refused, setsAll } from './refusal.ts';
import { kindOfForm, takesUpload } from './structure.ts';

export type GateSettings = {
  /** What was asked for. Standard scans send no form of which its structure does not show that it reads. */
  depth: 'standard' | 'deep';
  writes: AllowedWrites;
  /** Paths of well-known products below the root of a site or a folder, as the catalogue of exposed paths asks for them. */
  cataloguedPaths?: readonly string[];
};

/**
 * Decides on every request that is sent to a target, below crawler, checks, chains and browser; nothing goes around it.
 * One gate serves the instruments of one activity.
 */
export type Gate = {
  /**
   * Lets a request pass, or counts it as refused.
   * @throws ProbeError `refused`
   */
  pass(request: GateRequest, licence?: Licence): void;
  /** What `pass` would decide, without counting. */
  decide(request: GateRequest, licence?: Licence): Decision;
  /** Counts what was refused by another part of the engine that was about to send it. */
  count(url: string, refusal: Refused): void;
  /** Whether rule 1 leaves a form to be observed: sent once with a neutral nonce. The settings' `writes` is part of it. */
  mayObserve(form: FormSurface): Decision;
  /** Whether the org lets entries of this scan stay: then forms without a free field are observed, too. */
  readonly letsEntriesStay: boolean;
  /** A page of the site has an ordinary link there. */
  noteLink(url: string): void;
  /** Adds what an artifact of the run or the crawler reports. */
  learn(knowledge: Partial<Knowledge>): void;
  /** What an observation showed; holds at once for whatever is sent later. A verdict is never made milder. */
  observed(key: string, verdict: Verdict): void;
  /**
   * Values of cookies and headers that open a session, so that a request with one of them counts as its visitor's.
   * @param whose name of the identity, where it is one: words that several have in a cookie are a choice, and no session
   */
  noteSession(values: readonly string[], visitor: Exclude<Visitor, 'nobody'>, whose?: string): void;
  /** Lines of Set-Cookie that nobody in particular is answered: a word in one of them is a choice, whoever sends it. */
  noteChoices(setCookies: readonly string[]): void;
  /** What was refused so far when it was about to be sent, by code. */
  refusals(): Refusals[];
};

/** A page can send to addresses without end: what is beyond these counts as one more place. */
const maxPlaces = 500;
const further = 'further places';
/** Shorter values stand in headers of anybody. */
const minSessionLength = 6;
/** No identity is called so. */
const everybody = '';

export function createGate({ depth, writes, cataloguedPaths = [] }: GateSettings): Gate {
  const known = createKnown();
  const links = new Set<string>();
  const looked = new Map<string, number>();
  const sessions = new Map<string, Exclude<Visitor, 'nobody'>>();
  const ownersOf = new Map<string, Set<string>>();
  const refusals = new Map<string, RefusalCode>();

  const isCatalogued = (url: string): boolean => {
    const { pathname, search } = partsOf(url);
    return cataloguedPaths.some((path) => `${pathname}${search}`.endsWith(`/${path}`));
  };

  const circumstances = (request: GateRequest, licence: Licence | undefined, mayLook: Circumstances['mayLook']) =>
    ({
      depth,
      writes,
      visitor: visitorOf(request, sessions),
      licence,
      isPlainLink: (url) => links.has(url),
      isCatalogued,
      mayLook,
    }) satisfies Circumstances;

  const count = (place: string, { code }: Refused) => {
    const key = refusals.size < maxPlaces || refusals.has(place) ? place : further;
    if (!refusals.has(key)) refusals.set(key, code);
  };

  return {
    pass(request, licence) {
      const mayLook = (url: string, times: number) => {
        if (isCatalogued(url)) return true;
        const before = looked.get(url) ?? 0;
        looked.set(url, before + 1);
        return before < times;
      };
      const decision = decide(request, known, circumstances(request, licence, mayLook));
      if (decision.allowed) return;
      const place = placeOf(request.method, request.url);
      count(place, decision);
      throw new RefusedError(request, place, decision);
    },
    decide: (request, licence) =>
      decide(
        request,
        known,
        circumstances(request, licence, (url, times) => (looked.get(url) ?? 0) < times),
      ),
    count: (url, refusal) => count(placeOf('GET', url), refusal),
    mayObserve(form) {
      if (depth !== 'deep' || writes === 'none') return refused('not-observed', 'this scan observes no forms');
      const request = { method: form.method, url: form.action, headers: [] };
      const decision = decide(
        request,
        known,
        circumstances(request, 'observation', () => false),
      );
      const { kind } = kindOfForm(form);
      if (kind === 'sensitive' || kind === 'login' || takesUpload(form))
        return refused('sensitive-fields', 'it has a password or an address in it');
      if (kind === 'entrance' && writes !== 'create') return refused('sensitive-fields', 'it has a password in it');
      if (kind === 'addressed' && writes !== 'create')
        return refused('sensitive-fields', 'it has a personal address in it');
      if (kind === 'message' && writes !== 'create') return refused('message', 'it sends a message to somebody');
      if (kind === 'credential' && writes !== 'create') return refused('would-act', makesKey);
      if (kind === 'sets' && writes !== 'create') return refused('would-act', setsAll);
      if ((kind === 'bare' || kind === 'adds') && writes !== 'create') return refused('would-act', mayDo('submit'));
      if (kind === 'would-act' || kind === 'ends-session') return refused(kind, 'its words say that it does something');
      // Without what is filled in, its address says no more than that something is done.
      const mayObserve = decision.allowed || decision.code === 'not-observed' || kind === 'adds';
      return mayObserve ? { allowed: true } : decision;
    },
    letsEntriesStay: depth === 'deep' && writes === 'create',
    noteLink(url) {
      links.add(url);
      known.learnPage(url);
    },
    learn: known.learn,
    observed: known.observe,
    noteSession(values, visitor, whose) {
      for (const value of values.filter(({ length }) => length >= minSessionLength)) {
        if (sessions.get(value) !== 'admin') sessions.set(value, visitor);
        if (!isChoice(value)) continue;
        const owners = ownersOf.get(value) ?? new Set();
        ownersOf.set(value, whose === undefined ? owners : owners.add(whose));
        if (owners.size > 1 || owners.has(everybody)) sessions.delete(value);
      }
    },
    noteChoices(setCookies) {
      for (const line of setCookies) {
        const [, value = ''] = /^[^=;]*=([^;]*)/.exec(line) ?? [];
        if (!isChoice(value.trim())) continue;
        sessions.delete(value.trim());
        ownersOf.set(value.trim(), new Set([everybody]));
      }
    },
    refusals: () =>
      [...Map.groupBy(refusals, ([, code]) => code)].map(([code, places]) => ({
        code,
        places: places.map(([place]) => place),
      })),
  };
}

/** By the values that its headers carry. */
function visitorOf({ headers }: GateRequest, sessions: ReadonlyMap<string, Exclude<Visitor, 'nobody'>>): Visitor {
  let visitor: Visitor = headers.some(([name]) => name.toLowerCase() === 'authorization') ? 'user' : 'nobody';
  if (sessions.size === 0) return visitor;
  const text = headers.map(([, value]) => value).join('\n');
  for (const [value, whose] of sessions) {
    if (!text.includes(value)) continue;
    if (whose === 'admin') return whose;
    visitor = whose;
  }
  return visitor;
}
