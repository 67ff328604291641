import type { Exchange } from '../../model/http.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { sourceTextsIn } from '../../proof/source-map.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, likeliest } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { isAdminPath } from '../pages/admin-paths.ts';
import { mapReferenceIn } from '../pages/map-reference.ts';
import { isLibraryFile, ownScripts } from '../pages/scripts.ts';
import type { DocumentedHeader } from './documented-headers.ts';

/** A refused address of the site, and headers that stand beside it in a script or its source. */
type KeyedAddress = { page: Exchange; headers: DocumentedHeader[] };

const maxScripts = 20;
const maxAddresses = 12;
const maxHeaders = 3;
const maxTextLength = 500_000;
/** 'X-Api-Key': '…' of an object, or a constant by its name; a text that is put together is none. */
const header =
  /["'`]?\b(x-[a-z][a-z\d-]{1,40}|authorization|api-?key)["'`]?\s{0,3}:\s{0,3}(?:["'`]([\x21-\x7e][\x20-\x7e]{4,200}?)["'`]|([a-z_$][\w$]{1,60})\s{0,3}[,}\r\n])/gi;
/** Constants of a name, in all texts. */
const maxConstants = 2;
const ordinary = /^x-(?:requested-with|request-id|csrf-token|xsrf-token|client-version)$/i;
/** What is for some alone. A key that every visitor's browser sends opens much that is meant for everybody. */
const reserved =
  /(?:^|[/_-])(?:private|secrets?|restricted|confidential|flags?|vault|keys|tokens|customers?|clients?|employees?|patients?|members?|accounts?|orders?|invoices?|payments?|salar(?:y|ies))(?:$|[/_-])/i;
const isReserved = (url: string): boolean => reserved.test(namedPath(url)) || isAdminPath(namedPath(url));
/** An address of an interface, and no file. */
const address = /["'`](\/(?:[\w-]{1,60}\/){0,6}[\w-]{1,60})(?:\?[^"'`\s]{0,80})?["'`]/g;

/** What scripts and their source maps ask for with a header of their own, and everybody else is refused. @throws ProbeError */
export async function keyedAddresses(context: CheckContext): Promise<KeyedAddress[]> {
  const own = ownScripts(context.surface).filter((url) => !isLibraryFile(url));
  const scripts = atMost(context, own, maxScripts, 'script files');
  const named = new Map<string, DocumentedHeader[]>();
  const texts = (await inParallel(scripts, 4, (url) => textsOf(context, url))).flat();
  for (const text of texts) {
    const headers = headersIn(text, texts);
    if (headers.length === 0) continue;
    for (const url of addressesIn(text, context.surface.url))
      named.set(url, [...(named.get(url) ?? []), ...headers].slice(0, maxHeaders));
  }
  const known = new Set(context.surface.pages.filter(({ status }) => status < 400).map(({ url }) => url));
  const urls = [...named.keys()].filter((url) => !known.has(url) && isReserved(url));
  const asked = await inParallel(likeliest(context, urls, maxAddresses, 'addresses beside a header'), 4, (url) =>
    context.http.get(url),
  );
  return asked.flatMap((page) => {
    const isRefused = page.status === 401 || page.status === 403;
    return isRefused ? [{ page, headers: named.get(page.request.url) ?? [] }] : [];
  });
}

/** The script, and what it was made of. */
async function textsOf({ http }: CheckContext, url: string): Promise<string[]> {
  const script = await http.get(url);
  if (script.status !== 200) return [];
  const map = mapReferenceIn(script)?.url;
  const sources = sourceTextsIn(map === undefined ? script.text : (await http.get(map)).text);
  return [script.text, ...sources.map(({ content }) => content)];
}

/** @param all texts in which a constant may stand */
function headersIn(text: string, all: readonly string[]): DocumentedHeader[] {
  const found = [...text.slice(0, maxTextLength).matchAll(header)].flatMap(([, name = '', value, constant = '']) =>
    (value === undefined ? constantsIn([text, ...all], constant) : [value]).map((each) => ({ name, value: each })),
  );
  const own = found.filter(({ name, value }) => !ordinary.test(name) && !value.includes('${'));
  return [...new Map(own.map((each) => [`${each.name.toLowerCase()}: ${each.value}`, each])).values()];
}

function constantsIn(texts: readonly string[], name: string): string[] {
  const given = new RegExp(
    `(?<![\\w$.])${escapePattern(name)}\\s{0,3}=\\s{0,3}["'\`]([\\x21-\\x7e][\\x20-\\x7e]{4,200}?)["'\`]`,
    'g',
  );
  const found = texts.flatMap((text) =>
    [...text.slice(0, maxTextLength).matchAll(given)].map(([, value = '']) => value),
  );
  return [...new Set(found)].slice(0, maxConstants);
}

const addressesIn = (text: string, site: string): string[] => [
  ...new Set([...text.slice(0, maxTextLength).matchAll(address)].map(([, path = '']) => new URL(path, site).href)),
];
