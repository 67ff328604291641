import type { HttpAction } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { type CheckContext, defineCheck, notApplicable } from '../contract.ts';
import { likeliest, sample } from '../inputs/at-most.ts';
import { neighboursOf } from '../sessions/neighbour-ids.ts';
import { addressesIn, describedAddresses, objectsIn } from '../sessions/objects.ts';
import { byRole } from '../sessions/roles.ts';
import { lacksIdentities } from '../sessions/site-login.ts';
import { answerAs, answerBehind } from './answer-as.ts';
import { isListOfRecords, personalPlaces } from './empty-lists.ts';
import { givenOutExperiment, givenOutPlaces, type RefusedObject } from './given-out.ts';
import { greetedNames } from './greeted-names.ts';
import { holderNames } from './holder-names.ts';
import { formOfId, type LeakedIds, leakedBeside, leakedIdsOf } from './leaked-ids.ts';
import { type Neighbour, neighbourExperiment } from './neighbour-experiment.ts';
import { isOwnByNumber, ownerNumberPlaces } from './neighbour-numbers.ts';
import { type OwnerPlace, ownerPlaces } from './neighbour-owner.ts';
import { type NeighbourPlace, neighbourPlaces } from './neighbour-places.ts';
import { privateValuePlaces } from './neighbour-values.ts';
import { namesOf, type OwnName } from './own-names.ts';
import { listedKinds } from './private-kinds.ts';
import { shownObjects } from './shown-objects.ts';

type Look = {
  context: CheckContext;
  user: Identity;
  names: readonly string[];
  /** By which the site calls the user. */
  numbers: readonly string[];
  elsewhere: readonly string[];
  /** What a page names although nobody could guess it. */
  leaked: LeakedIds;
};

/** Objects of the same kind that the user is led to, of which each has to be theirs. */
const maxTwins = 2;

/** A user changes the identifier of what is theirs, and is shown what is somebody else's. Source: CWE-639, API1:2023, WSTG-ATHZ-04. */
export const idorNeighbour = defineCheck<Neighbour | RefusedObject>({
  id: 'access.idor-neighbour',
  title: 'IDOR: objects of other users can be read by their identifiers',
  cwe: 639,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
  depth: 'deep',
  risk: 'safe',
  cost: 60,

  async detect(context) {
    const [user, other] = byRole(context).users;
    if (!user) return lacksIdentities(context, 'an identity without administrator rights, with a proven login');
    const known = [...(await namesOf(context, user)).values()];
    const comparedKinds = other
      ? shownObjects(context, user, other, 1).flatMap(({ object, isPersonalKind }) =>
          isPersonalKind ? object.kind : [],
        )
      : [];
    const places = (await neighbourPlaces(context, user, known)).filter(({ kind }) => !comparedKinds.includes(kind));
    if (places.length === 0)
      return notApplicable('Nothing that the user sends names an object by an identifier that counts.');
    const account = await answerAs(context, user, { url: user.checkUrl });
    const start = await answerAs(context, undefined, { url: context.surface.url });
    const elsewhere = [account, start].flatMap((each) => each?.text ?? []);
    const names = textNames(user, known, account?.text ?? '', start?.text ?? '');
    const isLeakable = places.some(({ own }) => own.some((value) => formOfId(value) !== undefined));
    const leaked = isLeakable ? await leakedIdsOf(context, user) : new Map();
    const numbers = known.flatMap(({ value, isNumber }) => (isNumber ? value : []));
    const look = { context, user, names, numbers, elsewhere, leaked };
    const found = [];
    for (const place of places) {
      const data = await lookAt(look, place);
      if (!data) continue;
      const { location, route } = place;
      const detail = `"${user.name}" was shown an object of somebody else by another value of "${location.parameter}".`;
      found.push({ location, route, detail, data });
    }
    return [...found, ...(await givenOutTo(look, found))];
  },

  confirm: (_context, { data }) => data && ('given' in data ? givenOutExperiment(data) : neighbourExperiment(data)),

  explain: {
    description:
      'The site takes an identifier from the request and gives out what it names without asking whether it belongs to whoever is logged in. With an identifier beside that of an own object, a user was shown one that bears the name of somebody else.',
    impact:
      'Any user can count through the identifiers and collect the data of all others: orders, invoices, statements, records. That base64 or a digest hides the number does not help.',
    sends:
      'Requests what a test user’s pages, reading forms, calls and cookies name by a number (plain, in a text, in base64 or hex, as a digest) or a random identifier, with up to eleven numbers beside it or random ones that pages show, as that user and without a login.',
    proves:
      'Where the user’s own object has their name or address, or a name that all own ones bear, another has that of somebody else, which no page of the user and no visitor is shown; of people a private value. Or an export gives out what its page refuses. An attacker with any account reads others’ data.',
    remedy:
      'Make ownership part of every query instead of checking it beside: `SELECT … FROM invoices WHERE id = $1 AND customer_id = $2` with the customer of the session, and answer 404 when nothing comes back. Take the user from the session, never from a cookie or field of their own. Encoding or hashing an identifier does not replace the check.',
    references: [
      'CWE-639: https://cwe.mitre.org/data/definitions/639.html',
      'OWASP API1:2023 Broken Object Level Authorization: https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
      'WSTG-ATHZ-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/04-Testing_for_Insecure_Direct_Object_References',
    ],
  },
});

/** Where nothing of an object says whose it is: what its page refuses, and a function gives out. */
async function givenOutTo({ context, user, leaked }: Look, found: readonly { route: string }[]) {
  const surface = context.surfaces[user.name];
  if (!surface) return [];
  const ask = (as: 'user' | 'nobody', action: HttpAction) =>
    answerAs(context, as === 'user' ? user : undefined, action);
  const given = await givenOutPlaces(context, surface, { identity: user.name, leaked, ask });
  const detail = `"${user.name}" was given an object whose page is refused.`;
  return given
    .filter(({ route }) => !found.some((each) => each.route === route))
    .map((place) => ({ ...place, detail }));
}

/** Names of the user as pages write them. The one mail address on their account page that no visitor is shown is theirs. */
function textNames({ userName = '' }: Identity, known: readonly OwnName[], account: string, start: string): string[] {
  const words = known.flatMap(({ value, isNumber }) => (isNumber ? [] : value));
  const found = account.match(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g) ?? [];
  const own = new Set(found.filter((mail) => !start.includes(mail)));
  const mails = own.size === 1 ? [...own] : [];
  const greeted = greetedNames(account).filter((name) => !start.includes(name));
  const all = [userName, ...words, ...mails, ...greeted];
  const locals = all.flatMap((name) => (name.includes('@') ? (name.split('@', 1)[0] ?? '') : []));
  return [...new Set([...all, ...locals])].filter(({ length }) => length >= 3);
}

/** Identifiers of others that are tried at one place. */
const maxLeaked = 5;
/** Numbers that are further away are tried where these name nothing: between the rows of one user may be those of others, or gaps. */
const likely = 5;

async function lookAt(known: Look, place: NeighbourPlace): Promise<Neighbour | undefined> {
  const { context, user } = known;
  for (const value of place.own) {
    const counted = neighboursOf(value);
    const neighbours = counted ?? leakedBeside(known.leaked, value, place.own);
    if (!neighbours) continue;
    const { answer: own, isLed } = await answerBehind(context, user, place.request(value));
    if (own?.status !== 200) continue;
    const isList = isOwnList(known, place, { value, text: own.text });
    const isTheirs = isList || isOwn(known, own);
    const look = isTheirs ? known : await withHolder(known, place, { value, text: own.text });
    if (!look) continue;
    const others = counted?.values ?? likeliest(context, neighbours.values, maxLeaked, 'identifiers that pages name');
    let isShown = false;
    for (const [index, other] of others.entries()) {
      if (isShown && index >= likely) break;
      const actions = {
        own: place.request(value),
        changed: place.request(other),
        nobody: place.request(neighbours.nobody),
      };
      if (isShownTo(context, user, actions.changed)) continue;
      const { answer: theirs } = await answerBehind(context, user, actions.changed);
      if (theirs?.status !== 200) continue;
      isShown = true;
      const owner = await ownerOf(look, { ...place, isLeaked: !counted, isOwnList: isList }, { own, theirs }, actions);
      if (owner) {
        const isCookie = place.location.parameterIn === 'cookie';
        return { ...actions, identity: user.name, owner, isCookie, ...(isLed && { isLed }) };
      }
    }
  }
  return undefined;
}

const isOwn = ({ names, numbers }: Look, { text }: Exchange): boolean =>
  names.some((name) => text.toLowerCase().includes(name.toLowerCase())) || isOwnByNumber(text, numbers);

/** A list by the identifier of the account itself, of a kind that belongs to one, which may be empty as yet. */
const isOwnList = (
  { names, numbers }: Look,
  { route }: NeighbourPlace,
  { value, text }: { value: string; text: string },
): boolean => [...names, ...numbers].includes(value) && listedKinds.test(route) && isListOfRecords(text);

/** Where nothing of an object is known to be the user's: a name that all of that kind bear is. */
async function withHolder(look: Look, place: NeighbourPlace, own: { value: string; text: string }) {
  const { context, user, names } = look;
  const found = await holderNames(context, user, place, own, (action) => answerAs(context, user, action));
  return found.length === 0 ? undefined : { ...look, names: [...names, ...found] };
}

const isShownTo = ({ surface, surfaces }: CheckContext, user: Identity, { method = 'GET', url, headers }: HttpAction) =>
  method === 'GET' &&
  headers === undefined &&
  [surface, surfaces[user.name]].some(
    (view) => view && addressesIn(view).has(url) && !describedAddresses(view).has(url),
  );

/** Who the changed request shows an object of, where that is nobody whom the user or anybody is shown otherwise. */
async function ownerOf(
  look: Look,
  place: BesidePlace,
  { own, theirs }: { own: Exchange; theirs: Exchange },
  { changed, nobody }: Pick<Neighbour, 'changed' | 'nobody'>,
): Promise<OwnerPlace | undefined> {
  const { context, user, elsewhere } = look;
  if (placesOf(look, place, own, theirs, elsewhere).length === 0) return undefined;
  const { answer: absent } = await answerBehind(context, user, nobody);
  const isCookie = place.location.parameterIn === 'cookie';
  const open = isCookie ? undefined : (await answerBehind(context, undefined, changed)).answer;
  const listed = await collectionOf(context, user, changed);
  const further = [absent, open, listed].flatMap((each) => each?.text ?? []);
  const [owner] = placesOf(look, place, own, theirs, [...elsewhere, ...further]);
  return owner && (await isEachTheirs(look, place)) ? owner : undefined;
}

/** The list of its kind that a description or an app asks for, as the user is shown it: whose names stand there are no secret. */
async function collectionOf(context: CheckContext, user: Identity, { method = 'GET', url }: HttpAction) {
  const address = URL.parse(url);
  const path = address?.pathname.replace(/[^/]+\/?$/, '') ?? '/';
  if (!address || method !== 'GET' || path === '/') return undefined;
  const bare = path.slice(0, -1);
  const answer = await answerAs(context, user, {
    url: address.origin + (address.pathname.endsWith('/') ? path : bare),
  });
  return answer?.status === 200 && !isHtml(answer) ? answer : undefined;
}

/** With an identifier that the site itself gives out: who reads what it names may be meant to, unless it is of a kind that belongs to one account. */
type BesidePlace = NeighbourPlace & { isLeaked: boolean; isOwnList: boolean };

/** Where the name or mail address of somebody else stands. Of people it takes an address, or what nobody is shown of others. */
function placesOf(
  { names, numbers }: Look,
  { isOfPerson, isLeaked, isOwnList, route }: BesidePlace,
  own: Exchange,
  theirs: Exchange,
  elsewhere: readonly string[],
): OwnerPlace[] {
  const personal = isOwnList ? personalPlaces(own.text, theirs.text, elsewhere) : [];
  if (personal.length > 0) return personal;
  if (isLeaked && !listedKinds.test(route)) return privateValuePlaces(own.text, theirs.text, elsewhere);
  const placesWith = (mailOnly: boolean) => ownerPlaces(own.text, theirs.text, names, { elsewhere, mailOnly });
  const places = isOfPerson
    ? placesWith(true)
    : [...placesWith(false), ...ownerNumberPlaces(route, own.text, theirs.text, numbers)];
  if (places.length > 0 || !isOfPerson || placesWith(false).length === 0) return places;
  return privateValuePlaces(own.text, theirs.text, elsewhere);
}

/** A site that leads a user to objects of others means them to be seen. */
async function isEachTheirs({ context, user, names }: Look, { kind, location }: NeighbourPlace): Promise<boolean> {
  const surface = context.surfaces[user.name];
  const described = surface ? describedAddresses(surface) : new Set();
  const twins = (surface ? objectsIn(surface) : []).filter(
    ({ kind: other, url }) => other === kind && url !== location.url && !described.has(url),
  );
  for (const { url } of sample(context, twins, maxTwins, 'objects of a user', 'each is of the same kind')) {
    const answer = await answerAs(context, user, { url });
    const text = answer?.text.toLowerCase() ?? '';
    if (answer?.status === 200 && !names.some((name) => text.includes(name.toLowerCase()))) return false;
  }
  return true;
}
