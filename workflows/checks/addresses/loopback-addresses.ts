import type { FormSurface, InputSurface } from '../../model/surface.ts';
import { visibleText } from '../../probe/html/text.ts';
import { leadsSomewhere } from './redirect-payloads.ts';

const fetched =
  /url|uri(?!ty)|link|href|src|source|feed|rss|proxy|fetch|load|preview|image|img|avatar|icon|logo|host|domain|endpoint|api|server|remote|download|import|webhook|callback|pdf|render|screenshot|site|page|file|path|document|include/i;

/** An input whose value may be the address of something that the server fetches. */
export const mayBeFetched = ({ parameter, sample, in: place }: InputSurface): boolean =>
  /^(?:https?:)?\/\//i.test(sample) ||
  (place !== 'path' && (fetched.test(parameter) || leadsSomewhere(parameter, sample)));

/** A form says so by the type of the field (HTML Living Standard §4.10.5.1.4). */
export const isFieldForAddress = ({ url, parameter }: InputSurface, forms: readonly FormSurface[]): boolean =>
  forms.some(
    ({ action, fields }) => action === url && fields.some(({ name, type }) => name === parameter && type === 'url'),
  );

/** The site itself puts an address there, or its name says that nothing else is one. */
export const isNamedAddress = ({ parameter, sample }: InputSurface): boolean =>
  /^(?:https?:)?\/\//i.test(sample) || /url|uri(?!ty)|feed|rss|proxy|fetch|webhook|endpoint/i.test(parameter);

/** Where programs behind a proxy listen, most often. */
const usualPorts = ['80', '8080', '3000', '8000', '5000'];

/** An address, and the same with a port at which nothing listens (tcpmux, RFC 1078). */
export type Loopback = { open: string; closed: string };

/**
 * Ways to write an address of the server's own machine, the plainest first: as few programs know all of them, lists of what is
 * refused do not. Sources: RFC 6890 (loopback), RFC 4291 §2.5.5.2 (IPv4 in IPv6), inet_aton(3) (shortened, whole, octal and hexadecimal numbers).
 * @param path with its slash
 */
export function loopbackAddresses(origin: string, path: string): Loopback[] {
  const { protocol, port, host } = new URL(origin);
  const own = protocol === 'https:' ? '80' : port || '80';
  const ports = protocol === 'https:' || own === '80' ? usualPorts : [own, '80'];
  const at = (begin: string, end = '', number = own): Loopback => ({
    open: `${begin}${number === '80' ? '' : `:${number}`}${path}${end}`,
    closed: `${begin}:1${path}${end}`,
  });
  return [
    ...ports.map((number) => at('http://127.0.0.1', '', number)),
    at('http://localhost'),
    at('http://[::1]'),
    at('127.0.0.1'),
    at('//127.0.0.1'),
    // refused by a list of addresses
    at('http://127.1'),
    at('http://2130706433'),
    at('http://0.0.0.0'),
    at('http://[::]'),
    at('http://[::ffff:127.0.0.1]'),
    at('http://0177.0.0.1'),
    at('http://0x7f000001'),
    at('http://localhost.'),
    at('HTTP://LOCALHOST'),
    ...withName(origin, path, host),
  ];
}

/** For an address that has to have a name in it: before the host's own, or behind the path. Sources: RFC 3986 §3.2.1, §3.4 and §3.5. */
export function withName(origin: string, path: string, name: string): Loopback[] {
  const { protocol, port } = new URL(origin);
  const own = protocol === 'https:' || port === '' ? '' : `:${port}`;
  const at = (user: string, end: string): Loopback => ({
    open: `http://${user}127.0.0.1${own}${path}${end}`,
    closed: `http://${user}127.0.0.1:1${path}${end}`,
  });
  return [at(`${name}@`, ''), at('', `?${name}`), at('', `#${name}`)];
}

const maxNames = 3;
const hostName = /(?<![\w.@-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,4}[a-z]{2,12}(?![\w-])/gi;
const fileEnding = /\.(?:html?|php|js|css|png|jpe?g|gif|svg|webp|txt|xml|json|pdf|md|py|rb|ico)$/i;

/** Hosts that the site's own value and the text of a refusal name, beside the site itself. */
export function hostsNamed(sample: string, text: string, { host, hostname }: URL): string[] {
  const own = URL.parse(sample)?.host;
  const named = [...visibleText(text.slice(0, 20_000)).matchAll(hostName)].map(([name]) => name.toLowerCase());
  const all = [...(own ? [own] : []), ...named.filter((name) => !fileEnding.test(name))];
  return [...new Set(all)].filter((name) => name !== host && name !== hostname).slice(0, maxNames);
}

/** Long ones are the most distinctive; small pages have none. */
const runs = [/[\w .,:+=-]{24,60}/g, /[\w .,:+=-]{12,23}/g];

/** A piece of a text that neither of the others has, as every spelling of HTML and JSON would write it. */
export function pieceOnlyIn(text: string, others: readonly string[]): string | undefined {
  for (const run of runs)
    for (const [piece] of text.slice(0, 50_000).matchAll(run))
      if (/[a-z]{4}.*[a-z]{4}/i.test(piece) && !others.some((other) => other.includes(piece.trim())))
        return piece.trim();
  return undefined;
}
