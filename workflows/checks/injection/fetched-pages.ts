import { callbackSpot } from '../../model/callbacks.ts';
import { ProbeError } from '../../model/probe-error.ts';
import {
  hostsNamed,
  isNamedAddress,
  type Loopback,
  loopbackAddresses,
  pieceOnlyIn,
  withName,
} from '../addresses/loopback-addresses.ts';
import { ownRedirects } from '../addresses/own-redirects.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { unknownWord, wordsOf } from './answer-words.ts';
import { fetchedBy } from './server-requests.ts';
import { askerOf } from './sql-decision.ts';

/** A text of the site, and where it stands. */
type Page = { url: string; text: string };
export type FetchedPage = {
  input: OpenedInput;
  address: Loopback;
  page: Page;
  piece: string;
  detail: string;
  cvss?: string;
};

const maxPages = 4;
const maxRedirectedPath = 500;
const maxRefused = 3;

/** Pages and files whose text can be recognised, those first that no other page repeats. */
export async function ownPages({ surface, http }: CheckContext): Promise<Page[]> {
  const [origin] = surface.origins.filter(
    ({ redirectsTo, origin: own }) => !redirectsTo || redirectsTo.startsWith(`${own}/`),
  );
  if (!origin) return [];
  const isOwn = (url: string) => URL.parse(url)?.origin === origin.origin;
  const scripts = surface.pages.flatMap((page) => page.scripts.flatMap(({ url }) => url ?? [])).filter(isOwn);
  const shown = surface.pages.filter(({ status, url }) => status === 200 && isOwn(url) && !url.includes('?'));
  const urls = [...new Set([...scripts, ...shown.map(({ url }) => url)])].slice(0, maxPages);
  const found = await Promise.all(urls.map(async (url) => ({ url, text: await textAt(http, url) })));
  return found.filter(({ text }) => pieceOnlyIn(text, []) !== undefined);
}

async function textAt(http: CheckContext['http'], url: string): Promise<string> {
  try {
    const { status, text } = await http.get(url);
    return status === 200 ? text : '';
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return '';
  }
}

/** The page that the server fetched from its own machine and showed in the answer; undefined when it fetched none. @throws ProbeError */
export async function fetchedPage(
  context: CheckContext,
  input: OpenedInput,
  pages: readonly Page[],
): Promise<FetchedPage | undefined> {
  if (pages.length === 0) return undefined;
  const ask = fetchedBy(context, input);
  const base = await ask(input.sample);
  const { origin } = new URL(input.url);
  const page = pages.find(({ text }) => pieceOnlyIn(text, [base]));
  const piece = page && pieceOnlyIn(page.text, [base]);
  if (!page || piece === undefined) return undefined;
  const path = new URL(page.url).pathname;
  const plainest = loopbackAddresses(origin, path);
  const refusal = await ask(plainest[0]?.open ?? '');
  const named = hostsNamed(input.sample, refusal, new URL(origin)).flatMap((name) => withName(origin, path, name));
  const all = [...plainest, ...named, ...redirected(context, origin, path)];
  const tried =
    isNamedAddress(input) || (await distinguishesAddresses(context, input, plainest)) ? all : plainest.slice(0, plain);
  for (const address of [...tried, ...(await ledOnByTheSite(context, input, path))]) {
    if (!(await ask(address.open)).includes(piece)) continue;
    // What shows the page whatever host is named fetches nothing.
    if ((await ask(address.closed)).includes(piece)) return undefined;
    const detail = `The server fetched ${address.open} and showed what it got.`;
    const shown: FetchedPage = { input, address, page, piece, detail };
    return (await refusedPage(context, shown, ask)) ?? shown;
  }
  return undefined;
}

/** The first spellings, which do not bypass a deny list. */
const plain = 3;

/** Whether an address is answered otherwise than a word, as what fetches it or refuses it does. */
async function distinguishesAddresses(context: CheckContext, input: OpenedInput, addresses: readonly Loopback[]) {
  const ask = askerOf(context, input);
  const answerTo = async (value: string) => wordsOf(await ask(value), [value]);
  const unknown = await answerTo(unknownWord);
  // A host on a deny list may be refused in the same words as an invalid address: an unknown host is on no list.
  const tried = [...addresses.slice(0, plain).map(({ open }) => open), `http://${unknownWord}.invalid/`];
  for (const address of tried) if ((await answerTo(address)) !== unknown) return true;
  return false;
}

/** By way of the listener, which sends whoever asks for this on to their own machine: for servers that look at the first address only. */
function redirected({ callbacks }: CheckContext, origin: string, path: string): Loopback[] {
  if (!callbacks || path.length > maxRedirectedPath) return [];
  const { protocol, port } = new URL(origin);
  const spot = callbackSpot(callbacks.host, '‹callback›').replace(/\/?$/, '/');
  const at = (number: string) => `http://${spot}to/${number}${path}`;
  return [{ open: at(protocol === 'https:' ? '80' : port || '80'), closed: at('1') }];
}

/** Addresses of the site's own that lead on to any behind them, for what takes its own places only. */
export async function ownAddressesLeadingOn(context: CheckContext, { sample, url }: OpenedInput): Promise<string[]> {
  const { origin } = new URL(url);
  const begin = /^\/(?!\/)/.test(sample) ? '' : sample.startsWith(`${origin}/`) ? origin : undefined;
  return begin === undefined ? [] : (await ownRedirects(context)).map((place) => begin + place);
}

async function ledOnByTheSite(context: CheckContext, input: OpenedInput, path: string): Promise<Loopback[]> {
  const [inside] = loopbackAddresses(new URL(input.url).origin, path);
  const leading = inside ? await ownAddressesLeadingOn(context, input) : [];
  return leading.map((begin) => ({ open: `${begin}${inside?.open}`, closed: `${begin}${inside?.closed}` }));
}

/** A page that the site refused to us, and gives its own machine. */
async function refusedPage(
  context: CheckContext,
  plain: FetchedPage,
  ask: (value: string) => Promise<string>,
): Promise<FetchedPage | undefined> {
  const { input, address, page } = plain;
  const { origin } = new URL(input.url);
  const isRefused = ({ status, url }: { status: number; url: string }) =>
    (status === 401 || status === 403) && new URL(url).origin === origin;
  const refused = likeliest(context, context.surface.pages.filter(isRefused), maxRefused, 'pages that are refused');
  for (const { url } of refused) {
    const { status, text: direct } = await context.http.get(url, { fresh: true });
    if (status !== 401 && status !== 403) continue;
    const path = new URL(url).pathname;
    const withPath = (text: string) => text.replace(new URL(page.url).pathname, path);
    const inside: Loopback = { open: withPath(address.open), closed: withPath(address.closed) };
    const piece = pieceOnlyIn(await ask(inside.open), [direct, await ask(inside.closed), await ask(input.sample)]);
    if (piece === undefined) continue;
    return {
      ...plain,
      ...{ address: inside, piece, page: { url, text: direct } },
      detail: `${path}, which is refused to visitors, was shown by way of the server itself.`,
      cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:N',
    };
  }
  return undefined;
}
