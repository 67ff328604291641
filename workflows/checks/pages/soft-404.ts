import type { Exchange } from '../../model/http.ts';
import type { CheckContext } from '../contract.ts';
import { areAlike, redirectShape } from './page-likeness.ts';

/**
 * Soft 404s: how a site answers for what is not there, whatever status it gives (rule R3). A place is compared with two
 * siblings of random names, of the same folder and ending, which are asked for once for each folder, ending and method
 * of an activity, whichever of its checks asks. `isLikeMissing` answers for an exchange; `isLikeMissingAtRoot` compares it
 * with random names of the site's root alone; `missingLike` gives the siblings; `siblingOf` names one, for the control of
 * an experiment.
 */
type MissingPage = { url: string; exchange: Exchange };

type NotFoundContext = Pick<CheckContext, 'http' | 'nonce'> & Partial<Pick<CheckContext, 'surface'>>;

const siblings = 2;
/** Error pages are smaller, and what distinguishes two pages stands early. */
const maxBodyBytes = 64 * 1024;

/** By the surface, which all checks of an activity share and which no other session has; by the instrument without one. */
const known = new WeakMap<object, Map<string, Promise<MissingPage[]>>>();

/**
 * Whether an answer is what this site says of any name that does not exist: "not there", or nothing that shows it is.
 * Echoes of the path, dates, counters, tokens and rotating texts make no difference. True where the answers of two random names
 * differ so much that a third one proves nothing, and for what a server says instead of an answer (429, 503).
 * @throws ProbeError when a sibling could not be asked for
 */
export async function isLikeMissing(context: NotFoundContext, exchange: Exchange): Promise<boolean> {
  if ([404, 410, 429, 503].includes(exchange.status)) return true;
  return isLike(exchange, await missingLike(context, exchange.request.url, exchange.request.method));
}

/**
 * Whether an answer is what this site says of a random name at its root, whatever folder and ending it is asked for with:
 * two requests for all places of a site.
 * @throws ProbeError when they could not be asked for
 */
export async function isLikeMissingAtRoot(context: NotFoundContext, exchange: Exchange): Promise<boolean> {
  return isLike(exchange, await missingLike(context, new URL('/x', exchange.request.url).href));
}

function isLike(exchange: Exchange, pages: readonly MissingPage[]): boolean {
  const ofSameStatus = pages.filter((page) => page.exchange.status === exchange.status);
  if (ofSameStatus.length === 0) return false;
  if (exchange.header('location') !== undefined) {
    const shape = redirectShape(exchange);
    // A name that is also a word of where all are led, as "/jenkins/login", has another shape.
    const leadsTo = (page: Exchange) => page.header('location') ?? '';
    return ofSameStatus.some(
      (page) => redirectShape(page.exchange) === shape || leadsTo(page.exchange) === leadsTo(exchange),
    );
  }
  return areAlike(
    exchange,
    ofSameStatus.map((page) => page.exchange),
  );
}

/**
 * The answers for two random names beside this URL, of the same folder and ending: of "/a/.env.old" for instance
 * "/a/.k3v8….old". Redirects are not followed.
 * @throws ProbeError
 */
export function missingLike(context: NotFoundContext, url: string, method = 'GET'): Promise<MissingPage[]> {
  const owner = context.surface ?? context.http;
  const pages = known.get(owner) ?? new Map<string, Promise<MissingPage[]>>();
  known.set(owner, pages);
  const key = `${method} ${siblingOf(url, '*')}`;
  const shared = pages.get(key);
  // The check that asked first may have been ended meanwhile.
  if (shared) return shared.catch(() => askForSiblings(context, url, method));
  const asked = askForSiblings(context, url, method);
  pages.set(key, asked);
  // Failures pass, so they are not kept.
  asked.catch(() => pages.delete(key));
  return asked;
}

function askForSiblings({ http, nonce }: NotFoundContext, url: string, method: string): Promise<MissingPage[]> {
  const urls = Array.from({ length: siblings }, () => siblingOf(url, nonce(12)));
  return Promise.all(
    urls.map(async (each) => ({ url: each, exchange: await http.send({ method, url: each, maxBodyBytes }) })),
  );
}

/** Up to two, as in ".tar.gz" and ".php.bak"; a number or a longer word is a part of the name. */
const endings = /(?:\.[a-z][a-z0-9]{0,7}){0,2}~?$/i;

/**
 * The same URL with another name, its folder, leading dot and endings kept, without a query.
 * @param name for instance "‹nonce›" in an experiment, which puts a new random name there
 */
export function siblingOf(url: string, name: string): string {
  const [, origin = '', path = ''] = /^([a-z]+:\/\/[^/?#]+)([^?#]*)/i.exec(url) ?? [];
  const [, folder = '/', dot = '', own = '', slash = ''] = /^(.*\/)(\.?)([^/]+)(\/?)$/.exec(path) ?? [];
  // Folders have no endings; in ".env", "env" is the name.
  const ending = slash === '' ? (endings.exec(own)?.[0] ?? '') : '';
  return `${origin}${folder}${dot}${name}${ending}${slash}`;
}
