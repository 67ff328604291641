import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim } from '../../model/experiment.ts';
import type { PageSurface } from '../../model/surface.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { pagesAtMost, sample, widened } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { htmlPages } from '../pages/html-pages.ts';

/** Where an address of the inside stands, and the claim that shows it there. */
type ShownAddress = { url: string; where: string; shown: Assertion };

const maxPages = 60;
/** Places of one kind: a header is set for the whole site. */
const maxPlaces = 3;

/** RFC 1918 and RFC 6598; not a part of a version number or of a longer one. */
const address =
  '(?:10(?:\\.\\d{1,3}){3}|192\\.168(?:\\.\\d{1,3}){2}|172\\.(?:1[6-9]|2\\d|3[01])(?:\\.\\d{1,3}){2}|100\\.(?:6[4-9]|[7-9]\\d|1[01]\\d|12[0-7])(?:\\.\\d{1,3}){2})';
const inHeader = `(?:^|[\\s=,;:/@"'(])${address}(?:$|[\\s,;:/"')])`;
/** What a browser would load or send from the page by itself; text and links may be about any network. */
const inMarkup = `(?i)<(?:script|img|form|link|iframe|base|source|object|embed)\\b[^<>]{0,300}\\s(?:src|href|action|data)\\s*=\\s*["']?https?://${address}[:/"'\\s>]`;

/** What those who built the page left in it: a comment, or an address that its script is configured to request. */
const leftBehind = `<!--[^<>]{0,300}[\\s/@:=(]${address}(?:$|[\\s:/,;)-])|(?i:api|base|url|host|endpoint|server|backend|socket)\\w{0,20}["']?\\s{0,3}[:=]\\s{0,3}["'\`](?:https?|wss?)://${address}[:/"'\`]`;

const inText = [
  ['what the page loads', inMarkup],
  ['a comment or script of the page', leftBehind],
] as const;

/** Headers that may repeat the address of whoever asks, and those in which a number with dots is none. */
const otherHeader =
  /client|remote|real-ip|forwarded-for|visitor|your|^(?:etag|date|expires|server|x-powered-by|set-cookie)$/i;

/** An answer names an address of the inside of the network. Source: CWE-200, WSTG-INFO-05. */
export const privateAddress = defineCheck<ShownAddress>({
  id: 'exposure.private-address',
  title: 'Disclosure of internal IP addresses',
  cwe: 200,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const { surface } = context;
    const own = new Set(surface.addresses);
    const answers = [
      ...surface.pages,
      ...surface.origins.map(({ origin, headers }) => ({ url: `${origin}/`, headers, setCookies: [] })),
    ];
    const reported = answers.flatMap((page) => [...inHeaders(page, own), ...inCookies(page)]);
    const pages = pagesAtMost(context, htmlPages(surface), widened(context, maxPages));
    const looked = await inParallel(pages, 4, (page) => inPage(context, page, own));
    return fewOfEach(context, [...reported, ...looked.flat()]).map(candidateOf);
  },

  confirm: (_context, { data }) =>
    data && {
      steps: [
        { http: { url: data.url }, note: `An address of the inside stands in ${data.where}.`, expect: [data.shown] },
      ],
      control: [
        {
          http: { url: data.url },
          note: 'A random text is not found there: it is this address that the answer holds.',
          expect: [claim(data.shown.subject, 'matches', '‹nonce›')],
        },
      ],
    },

  explain: {
    description:
      'An answer of the site names an address that only exists inside of its network (RFC 1918): in a header that a proxy or a balancer adds, in a cookie of one, or in what the page loads.',
    impact:
      'It shows how the inside is numbered and which servers stand behind the site. Who finds a way to let the server ask for a URL needs such addresses. Parts of a page that are loaded from there are missing for visitors.',
    sends: 'Requests seen pages again, 60 or as many as the budget allows.',
    proves:
      'A header, cookie, loaded address, comment or script of an answer holds an address of a private network; a random text is not found there. An attacker learns internal addresses. Nothing internal was reached.',
    remedy:
      'Take the header away at the outermost proxy (nginx `proxy_hide_header X-Backend;`, Apache `Header unset X-Backend-Server`, HAProxy `http-response del-header`), rewrite redirects (`proxy_redirect`, `ProxyPassReverse`), encrypt the cookie of the balancer (F5: "cookie encryption" in the HTTP profile), and build pages with the public address (WordPress: Settings → General; Spring `server.forward-headers-strategy=framework`).',
    references: [
      'CWE-200: https://cwe.mitre.org/data/definitions/200.html',
      'RFC 1918: https://www.rfc-editor.org/rfc/rfc1918',
      'F5, encoding of addresses in cookies: https://my.f5.com/manage/s/article/K6917',
    ],
  },
});

const fewOfEach = (context: CheckContext, reported: readonly ShownAddress[]): ShownAddress[] =>
  [...Map.groupBy(reported, ({ where }) => where)].flatMap(([where, places]) => {
    const pages = [...new Map(places.map((place) => [place.url, place])).values()];
    return sample(context, pages, maxPlaces, 'pages', `${where} is the same on most`);
  });

const candidateOf = (data: ShownAddress): Candidate<ShownAddress> => ({
  location: { url: data.url },
  route: '/{private-address}',
  detail: `An address of the inside stands in ${data.where}.`,
  data,
});

type PageHead = Pick<PageSurface, 'url' | 'headers' | 'setCookies'>;

function inHeaders({ url, headers }: PageHead, own: ReadonlySet<string>): ShownAddress[] {
  return headers.flatMap(([name, value]) => {
    const found = otherHeader.test(name) ? undefined : firstMatch(inHeader, value)?.text;
    if (found === undefined || [...own].some((each) => found.includes(each))) return [];
    const where = `the header "${name}"`;
    return [{ url, where, shown: claim(`header:${name.toLowerCase()}`, 'matches', inHeader) }];
  });
}

/** F5 writes address and port of a server as numbers, the bytes of the address in reverse. */
function inCookies({ url, setCookies }: PageHead): ShownAddress[] {
  return setCookies.flatMap((line) => {
    const [, name = '', encoded] = /^(BIGipServer[^=\s]{1,80})=(\d{6,10})\.\d{1,5}\.0000(?:;|$)/.exec(line) ?? [];
    if (encoded === undefined || firstMatch(`^${address}$`, decoded(Number(encoded))) === undefined) return [];
    const shown = claim(`cookie:${name}`, 'matches', `^${escapePattern(name)}=\\d{6,10}\\.\\d{1,5}\\.0000`);
    return [{ url, where: `the cookie "${name}", as a number`, shown }];
  });
}

const decoded = (number: number): string => [0, 8, 16, 24].map((shift) => (number >>> shift) & 0xff).join('.');

async function inPage({ http }: CheckContext, { url }: PageSurface, own: ReadonlySet<string>): Promise<ShownAddress[]> {
  const { text } = await http.get(url);
  // Most pages name none; a look for the patterns themselves takes longer.
  if (!/\b(?:10|100|172|192)\.\d{1,3}\.\d/.test(text)) return [];
  for (const [where, pattern] of inText) {
    const found = firstMatch(pattern, text)?.text;
    if (found !== undefined && ![...own].some((each) => found.includes(each)))
      return [{ url, where, shown: claim('body', 'matches', pattern) }];
  }
  return [];
}
