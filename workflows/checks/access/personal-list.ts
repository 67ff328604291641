import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { namedPath, partRoute } from '../../probe/program-parts.ts';
import { type ParsedPage, parsePage } from '../../survey/page.ts';
import type { CheckContext } from '../contract.ts';
import { sample } from '../inputs/at-most.ts';
import type { ObjectAddress } from '../sessions/objects.ts';
import { sharedWords } from './own-ids.ts';
import { listedKinds } from './private-kinds.ts';

type ListedObject = { object: ObjectAddress; owner: Identity; reader: Identity };

const maxLists = 3;
const maxSearches = 2;

/**
 * The list at which the site shows each user what is theirs: both are given it, as people with the same rights; it leads its owner to
 * the object, and the reader neither there nor by a search. Looking changes nothing.
 * @returns its address. Undefined where no list says whose the object is, and for kinds that users share
 * @throws ProbeError
 */
export async function personalListOf(context: CheckContext, listed: ListedObject): Promise<string | undefined> {
  const { object, owner, reader } = listed;
  if (!listedKinds.test(object.route)) return undefined;
  const given = ({ name }: Identity) =>
    (context.surfaces[name]?.pages ?? []).filter(({ status }) => status === 200).map(({ url }) => url);
  const readers = new Set(given(reader));
  const both = given(owner).filter((url) => readers.has(url) && isListOf(url, object));
  for (const url of sample(context, both, maxLists, 'lists', 'the first list of a kind says whose its objects are')) {
    const [owners, readersOwn] = [await pageAs(context, owner, url), await pageAs(context, reader, url)];
    if (!owners || !readersOwn || !leadsTo(owners, object) || leadsTo(readersOwn, object)) continue;
    if (!offersNoMore(readersOwn, owners)) continue;
    if (!(await isFoundBySearch(context, listed, readersOwn))) return url;
  }
  return undefined;
}

/** "/orders" of "/orders/17", or a page whose address has the name of the kind: "/my-orders" of "/order?id=17". */
function isListOf(url: string, object: ObjectAddress): boolean {
  const { pathname } = new URL(url);
  const path = new URL(object.url).pathname;
  const isAbove = pathname !== '/' && path.startsWith(`${pathname.replace(/\/$/, '')}/`);
  return url !== object.url && (isAbove || sharedWords({ kind: namedPath(url) }, object.route) > 0);
}

async function pageAs({ http }: CheckContext, { jar, headers }: Identity, url: string) {
  try {
    const answer = await http.get(url, { fresh: true, jar, headers });
    return answer.status === 200 && isHtml(answer) ? parsed(answer) : undefined;
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}

const parsed = ({ text, request }: Exchange): ParsedPage => parsePage(text, request.url);

const leadsTo = ({ links }: ParsedPage, { url }: ObjectAddress): boolean => links.some((link) => link.url === url);

/** Somebody with more rights is offered more: another form, or another way. Such a reader may be meant to see the objects of all. */
function offersNoMore(readers: ParsedPage, owners: ParsedPage): boolean {
  const offers = ({ links, forms }: ParsedPage) => [
    ...links.map(({ url }) => partRoute(url)),
    ...forms.map(({ method, action, fields }) =>
      [method, partRoute(action), ...fields.map(({ name }) => name).sort()].join(' '),
    ),
  ];
  const known = new Set(offers(owners));
  return offers(readers).every((offer) => known.has(offer));
}

/** What everybody finds by a search is for everybody. */
async function isFoundBySearch(
  context: CheckContext,
  { object, reader }: ListedObject,
  { forms }: ParsedPage,
): Promise<boolean> {
  const searches = forms.filter(
    ({ method, fields }) => method === 'GET' && fields.some(({ type }) => /^(?:text|search|number|)$/.test(type)),
  );
  const why = 'searches of a list look in the same objects';
  for (const { action, fields } of sample(context, searches, maxSearches, 'searches', why)) {
    const url = new URL(action);
    for (const { name, type, value } of fields)
      url.searchParams.set(name, /^(?:text|search|number|)$/.test(type) ? object.identifier : value);
    const page = await pageAs(context, reader, url.href);
    if (!page || leadsTo(page, object)) return true;
  }
  return false;
}
