import type { HttpAction, WritePlan } from '../../model/experiment.ts';
import { claim } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { pointerTo } from '../../model/json-pointer.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { looksSecret } from '../../proof/redact.ts';
import type { CheckContext } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { filled } from '../pages/route-templates.ts';
import { mayMark } from './own-marks.ts';
import { jsonAt, ownNamesOf } from './own-names.ts';
import { describedRoutes, personPlace } from './owned-objects.ts';
import { shownObjects } from './shown-objects.ts';

/** A text in an object of one user that another one may be able to replace, and how. */
export type ObjectWrite = {
  url: string;
  /** The writer's own object of the kind. */
  twin: string;
  owner: string;
  writer: string;
  method: string;
  /** The member that gets the text of the writer's own object: where that one is changed instead, it stays as it is. */
  member: string;
  before: ObjectText;
  /** What the writer's own object has there, when it is the same: the writer first gives it a text that nobody has. */
  marked?: Mark;
  /** Members that are sent along with it, as they are. */
  rest: Record<string, unknown>;
};

/** Of an account of the audit's own it may be missing. */
type ObjectText = string | null;

type Mark = { before: ObjectText; rest: RecordOfJson };

/** Texts that take any words and that nobody acts on. */
const harmless =
  /^(?:.*[_-])?(?:street|address|city|town|bio|about|company|nick(?:name)?|display[_-]?name|motto|location|notes?|title|description|label|subject|comment|remark)$/i;
/** Of a thing, as a title is; an account may be logged in to by it. */
const nameOfThing = /^name$/i;
const ofAccount = /mail|login|user|pass|role/i;
const maxObjects = 8;
const maxTextLength = 200;
/** A whole that is larger would make a large record. */
const maxRecordLength = 2_000;

type RecordOfJson = Record<string, unknown>;

/** Ways to change objects of a user as another one. Looking changes nothing. @throws ProbeError */
export async function objectWrites(context: CheckContext, owner: Identity, writer: Identity): Promise<ObjectWrite[]> {
  const shown = shownObjects(context, owner, writer, 1).flatMap(({ object, readersOwn, isPersonalKind }) =>
    isPersonalKind && readersOwn !== undefined ? [{ url: object.url, twin: readersOwn }] : [],
  );
  // Of pages the forms are looked at.
  const pages = new Set(
    (context.surfaces[owner.name]?.pages ?? []).flatMap(({ url, contentType }) =>
      /html/i.test(contentType) ? [url] : [],
    ),
  );
  const pairs = [...shown, ...(await accountsOf(context, owner, writer))].filter(({ url }) => !pages.has(url));
  const found: ObjectWrite[] = [];
  for (const { url, twin } of atMost(context, pairs, maxObjects, 'objects')) {
    const first = await jsonAt(context, owner, url);
    if (!isRecord(first)) continue;
    const [again, own] = [await jsonAt(context, owner, url), await jsonAt(context, writer, twin)];
    if (!isRecord(again) || !isRecord(own)) continue;
    const member = Object.keys(first).find((name) => isReplaceable(name, first, again, own));
    const alike = Object.keys(first).find((name) => mayMark(context) && isAlike(name, first, again, own));
    const changed = member ?? alike;
    if (changed === undefined) continue;
    const before = textOf(first[changed]);
    const people = { owner: owner.name, writer: writer.name };
    const change = { url, twin, ...people, member: changed, before };
    const whole = JSON.stringify([first, own]);
    const isSmall = whole.length <= 2 * maxRecordLength && !looksSecret(whole);
    const marked = (rest: RecordOfJson) => (member === undefined ? { marked: { before, rest } } : {});
    found.push({ ...change, ...marked({}), method: 'PATCH', rest: {} });
    if (isSmall && takesWhole(context, url)) found.push({ ...change, ...marked(own), method: 'PUT', rest: first });
  }
  return found;
}

/** Accounts at described routes that take the name or number of a person. */
async function accountsOf(context: CheckContext, owner: Identity, writer: Identity) {
  const inputs = [context.surface, ...[owner, writer].flatMap(({ name }) => context.surfaces[name] ?? [])];
  const routes = describedRoutes(inputs.flatMap((surface) => surface.inputs)).filter((route) =>
    personPlace.test(route),
  );
  if (routes.length === 0) return [];
  const [names, writers] = [await ownNamesOf(context, owner, writer), await ownNamesOf(context, writer, owner)];
  const { origin } = new URL(context.surface.url);
  const at = (route: string, value: string) => origin + filled(route, () => value);
  return routes.flatMap((route) =>
    names.flatMap(({ value, member }) => {
      const twin = writers.find((each) => each.member === member);
      return twin ? [{ url: at(route, value), twin: at(route, twin.value) }] : [];
    }),
  );
}

const isRecord = (value: unknown): value is RecordOfJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): ObjectText => (typeof value === 'string' ? value : null);

/** Both have the same text there, or none. */
function isAlike(name: string, first: RecordOfJson, again: RecordOfJson, own: RecordOfJson): boolean {
  const value = first[name];
  const isText = value === null || (typeof value === 'string' && value.length <= maxTextLength && !looksSecret(value));
  return harmless.test(name) && isText && value === again[name] && value === own[name];
}

function isReplaceable(name: string, first: RecordOfJson, again: RecordOfJson, own: RecordOfJson): boolean {
  const [value, theirs] = [first[name], own[name]];
  const isText = (each: unknown): each is string =>
    typeof each === 'string' && each !== '' && each.length <= maxTextLength;
  const isThing = nameOfThing.test(name) && !Object.keys(first).some((each) => ofAccount.test(each));
  return (
    (harmless.test(name) || isThing) &&
    isText(value) &&
    isText(theirs) &&
    value === again[name] &&
    value !== theirs &&
    !looksSecret(value + theirs)
  );
}

/** A document or a script has a request that replaces objects of the kind. */
function takesWhole({ surface, surfaces }: CheckContext, url: string): boolean {
  const views = [surface, ...Object.values(surfaces)];
  const held = views.flatMap(({ heldInputs = [], calls }) => [...heldInputs, ...calls]);
  return held.some((each) => each.method === 'PUT' && normaliseRoute(each.url) === normaliseRoute(url));
}

/** The request that puts a text there. */
export const objectRequest = (
  { url, method, member, rest }: ObjectWrite,
  value: ObjectText,
): HttpAction & { method: string } => ({
  method,
  url,
  headers: [
    ['Content-Type', 'application/json'],
    ['Origin', new URL(url).origin],
  ],
  body: JSON.stringify({ ...rest, [member]: value }),
});

/** Its owner puts back what was there. */
export const objectPlan = (write: ObjectWrite): WritePlan => ({
  description: `The ${write.member} of an object of "${write.owner}" is set to that of "${write.writer}".`,
  identity: write.owner,
  undo: objectRequest(write, write.before),
  verify: {
    url: write.url,
    expect: [claim('status', 'equals', '200'), claim(memberOf(write), 'equals', JSON.stringify(write.before))],
  },
});

/** The writer's own object gets a word that nobody has, and what was there back. */
export function markRequest(write: ObjectWrite, { before, rest }: Mark): HttpAction & { write: WritePlan } {
  const own = { ...write, url: write.twin, rest };
  return {
    ...objectRequest(own, '‹nonce›'),
    write: {
      description: `The ${write.member} of an object of "${write.writer}" is set to a random word.`,
      identity: write.writer,
      undo: objectRequest(own, before),
      verify: {
        url: write.twin,
        expect: [claim('status', 'equals', '200'), claim(memberOf(write), 'equals', JSON.stringify(before))],
      },
    },
  };
}

/** Texts of the object that stand in its requests: somebody's own. As JSON writes them, too. */
export const personalTexts = ({ before, rest }: ObjectWrite): string[] =>
  [before, ...Object.values(rest)].flatMap((value) =>
    typeof value === 'string' && value.length >= 4 ? [value, JSON.stringify(value).slice(1, -1)] : [],
  );

export const memberOf = ({ member }: ObjectWrite) => `body:json:${pointerTo(member)}` as const;
