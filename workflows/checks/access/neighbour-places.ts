import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { Candidate } from '../../model/candidate.ts';
import type { HttpAction } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { parseJson } from '../../model/json.ts';
import type { InputSurface } from '../../model/surface.ts';
import { partRoute } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { eachKindAtMost, likeliest, widened } from '../inputs/at-most.ts';
import { inputAction } from '../inputs/input-request.ts';
import { tokenFields } from '../inputs/open-input.ts';
import { inputsToProbe } from '../inputs/probe-inputs.ts';
import { namesByMember, neighboursOf } from '../sessions/neighbour-ids.ts';
import { addressOfObject, isIdentifier, type ObjectAddress, objectsIn } from '../sessions/objects.ts';
import { isOfPerson } from './foreign-object.ts';
import { formOfId } from './leaked-ids.ts';
import { idsAtMost, isAbout, listedIds } from './own-ids.ts';
import type { OwnName } from './own-names.ts';

/** A request of a user that names what is theirs by an identifier, and the same with another one. */
export type NeighbourPlace = {
  location: Candidate['location'];
  route: string;
  kind: string;
  request: (value: string) => HttpAction;
  /** Identifiers of the user's own, the likeliest first. */
  own: readonly string[];
  /** Members may see each other's: only a mail address is private. */
  isOfPerson: boolean;
  /** Page with the form, where it is one. */
  formPage?: string;
};

const maxPlaces = 40;
/** Up to eleven beside the own one, and the own one as its user and as nobody. */
const requestsEach = 13;
const maxAccountPages = 4;
/** Identifiers of lists that are tried where something of their kind is asked for. */
const maxListed = 2;
/** Names of fields and cookies that say whose or which one. */
const naming =
  /^(?:id|no|nr|num|ref|key|uid|user|account|customer|owner|member|file|doc|order|invoice)$|(?:^|[_-])(?:id|uid|no|nr|number|ref)$|[a-z](?:Id|ID|No|Number|Ref)$/;

/** A cookie that is nothing else chooses something, whatever it is called; longer ones are times. */
const plainNumber = /^\d{2,9}$/;

/** What a user's pages, forms, calls and cookies name by something that counts. @throws ProbeError */
export async function neighbourPlaces(
  context: CheckContext,
  user: Identity,
  names: readonly OwnName[],
): Promise<NeighbourPlace[]> {
  const surface = context.surfaces[user.name];
  if (!surface) return [];
  const numbers = names.filter(({ isNumber }) => isNumber).map(({ value }) => value);
  const ids = names.map(({ value }) => value).filter(isIdentifier);
  const places = [
    ...objectsIn(surface).map((object) => placeOfObject(object, ids)),
    ...queryPlaces(surface, numbers),
    ...cookiePlaces(user, accountPages(context, user)),
    ...headerPlaces(surface, numbers),
    ...(await bodyPlaces(context, user, numbers)),
  ];
  const counting = places.filter(({ own }) =>
    own.some((value) => neighboursOf(value) !== undefined || formOfId(value) !== undefined),
  );
  const kinds = {
    max: widened(context, maxPlaces, requestsEach),
    maxOfKind: 1,
    enough: 1,
    kindOf: ({ kind }: NeighbourPlace) => kind,
  };
  return eachKindAtMost(context, counting, kinds, 'places that name an object');
}

/** @param ids of the user: what scripts name may be an address without any, or with that of somebody else */
function placeOfObject(
  { url, route, kind, identifier, parameter, in: place }: ObjectAddress,
  ids: readonly string[],
): NeighbourPlace {
  return {
    location: { url, method: 'GET', parameter, parameterIn: place },
    ...{ route, kind, own: [...new Set([identifier, ...ids])], isOfPerson: isOfPerson(route) },
    request: (value) => ({ url: addressOfObject(url, place, parameter, identifier, value) }),
  };
}

/** What a document describes: a list by the number of whoever it is for. */
function queryPlaces(surface: CheckContext['surface'], numbers: readonly string[]): NeighbourPlace[] {
  return surface.inputs.flatMap((input): NeighbourPlace[] => {
    const { url, method, parameter, in: place, route, isDescribed } = input;
    if (!isDescribed || place !== 'query' || method !== 'GET' || !naming.test(parameter)) return [];
    const kind = `${method} ${route} ${parameter}`;
    return [
      {
        location: { url, method, parameter, parameterIn: place },
        ...{ route, kind, own: numbers, isOfPerson: isOfPerson(route) },
        request: (value) => inputAction(input, value),
      },
    ];
  });
}

/** A cookie beside the session that says whose it is. */
function cookiePlaces({ jar }: Identity, urls: readonly string[]): NeighbourPlace[] {
  return jar.all().flatMap(({ name, value }): NeighbourPlace[] => {
    const decoded = percentDecodedOrSame(value);
    if (!naming.test(name) && !plainNumber.test(decoded) && !namesByMember(decoded)) return [];
    return urls.map((url) => ({
      location: { url, method: 'GET', parameter: name, parameterIn: 'cookie' },
      ...{ route: partRoute(url), kind: `cookie ${name} ${partRoute(url)}`, own: [decoded], isOfPerson: false },
      request: (other) => ({ url, headers: [['Cookie', `${name}=${encodeURIComponent(other)}`]] }),
    }));
  });
}

/** The page that shows that the session works may not say whose it is: those that only the user is shown come first, as some ask others to log in by no status. */
function accountPages(context: CheckContext, { name, checkUrl }: Identity): string[] {
  const open = new Set(context.surface.pages.filter(({ status }) => status === 200).map(({ url }) => url));
  const own = (context.surfaces[name]?.pages ?? [])
    .filter(({ status, contentType }) => status === 200 && /html|json/i.test(contentType))
    .toSorted((a, b) => Number(open.has(a.url)) - Number(open.has(b.url)))
    .map(({ url }) => url.replace(/#.*$/s, ''));
  const byRoute = new Map([checkUrl, ...own].toReversed().map((url) => [partRoute(url), url]));
  return likeliest(context, [...byRoute.values()].toReversed(), maxAccountPages, 'pages of an account');
}

/** Headers that scripts say by whose account is asked for: `X-Account-Id: 501`. */
function headerPlaces(surface: CheckContext['surface'], numbers: readonly string[]): NeighbourPlace[] {
  return surface.inputs.flatMap((input): NeighbourPlace[] => {
    const { url, method, parameter, in: place, sample, route } = input;
    if (place !== 'header' || method !== 'GET' || !naming.test(parameter)) return [];
    return [
      {
        location: { url, method, parameter, parameterIn: place },
        ...{ route, kind: `header ${parameter.toLowerCase()}`, isOfPerson: false },
        own: [...new Set([...(isIdentifier(sample) ? [sample] : []), ...numbers])],
        request: (value) => inputAction(input, value),
      },
    ];
  });
}

/** Bodies of requests that only read, as the gate and the observation of forms have found. */
async function bodyPlaces(
  context: CheckContext,
  user: Identity,
  numbers: readonly string[],
): Promise<NeighbourPlace[]> {
  const inputs = inputsToProbe(context.surfaces[user.name] ?? context.surface).filter(
    ({ parameter, in: place, sample, encoded }) =>
      place === 'body' && !encoded && (naming.test(lastName(parameter)) || neighboursOf(sample)),
  );
  // What a schema describes has the number of nobody.
  const listed = inputs.length > 0 ? await listedIds(context, user) : [];
  const opened = [];
  for (const input of inputs) opened.push(await withOwnTokens(context, user, input));
  return opened.map((input): NeighbourPlace => {
    const { url, method, parameter, in: place, sample, route } = input;
    // One address of GraphQL is asked for objects of many kinds.
    const field = rootFieldOf(input.json?.body);
    const asked = field === undefined ? route : `${route}/${field}`;
    const about = idsAtMost(
      context,
      listed.filter((id) => isAbout(id, asked)),
      maxListed,
    );
    return {
      location: { url, method, parameter, parameterIn: place },
      ...{ route, kind: `${method} ${asked} ${parameter}`, isOfPerson: isOfPerson(asked) },
      own: [...new Set([...[sample].filter(isIdentifier), ...about.map(({ value }) => value), ...numbers])],
      ...(input.page && { formPage: input.page.url }),
      request: (value) => inputAction(input, value),
    };
  });
}

/** Those of a session before this one are refused. */
async function withOwnTokens({ http }: CheckContext, { jar, headers }: Identity, input: InputSurface) {
  const { page, url, others } = input;
  if (!page || page.tokens.length === 0) return input;
  const fields = tokenFields(await http.get(page.url, { jar, headers, fresh: true }), page.tokens, url);
  return { ...input, others: others.map(({ name, value }) => ({ name, value: fields.get(name) ?? value })) };
}

const lastName = (parameter: string): string => parameter.split('.').at(-1) ?? parameter;

/** The field that a query asks for: "member" of `query Member($id: ID!) { member(id: $id) { name } }`. Source: GraphQL §2.3. */
function rootFieldOf(body = ''): string | undefined {
  const root = parseJson(body);
  const query: unknown = typeof root === 'object' && root !== null ? Reflect.get(root, 'query') : undefined;
  return typeof query === 'string' ? /\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(query)?.[1] : undefined;
}
