import { pieceOnlyIn } from '../checks/addresses/loopback-addresses.ts';
import { type CheckContext, defineChainStep } from '../checks/contract.ts';
import {
  fetchedBy,
  needsServerRequest,
  type ServerRequests,
  serverRequestsBy,
} from '../checks/injection/server-requests.ts';
import { atMost } from '../checks/inputs/at-most.ts';
import { inputAction } from '../checks/inputs/input-request.ts';
import { inputSteps } from '../checks/inputs/open-input.ts';
import { inParallel } from '../checks/inputs/parallel.ts';
import { commonAdminPaths } from '../checks/pages/admin-paths.ts';
import { ownScripts } from '../checks/pages/scripts.ts';
import { claim, type Experiment, type Step } from '../model/experiment.ts';
import { isLeftOut } from '../probe/errors.ts';
import { readAddress } from '../probe/gate/urls.ts';

/** A place inside: a path of the site itself, or of another port of its machine. */
type Inside = { path: string; port?: string };
type ReachedInside = ServerRequests & Inside & { url: string; piece: string };

const maxPages = 12;
const maxPlaces = 40;
/** What is meant for the machine itself or for who runs it. */
const usualPaths = [
  '/internal',
  '/internal/status',
  '/status',
  '/metrics',
  '/debug',
  '/config',
  '/private',
  '/secret',
  '/flag',
];

/** The server gives pages that it keeps for its own machine to whoever has it ask. Source: CWE-918 with CWE-291. */
export const internalPage = defineChainStep<ReachedInside>({
  id: 'chains.internal-page',
  title: 'Internal pages read by server-side request forgery',
  cwe: 918,
  owasp: 'A01:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:N',
  risk: 'safe',
  needs: [needsServerRequest],
  goal: 'read(internal page)',
  cost: 60,

  async detect(context, [fact]) {
    const by = await serverRequestsBy(context, fact);
    const shown = by && (await firstShown(context, by));
    if (!shown) return [];
    const { url, input } = shown;
    return [
      {
        location: { url: input.url, method: input.method, parameter: input.parameter, parameterIn: input.in },
        detail: `${url}, which visitors are not shown, was read by way of the server itself.`,
        data: shown,
      },
    ];
  },

  confirm: (_context, { data }) => data && experimentFor(data),

  explain: {
    description:
      'The server fetches addresses for visitors, and keeps pages or services for requests of its own machine: a page that a visitor is refused, or that stands at another port of the machine, was read by way of the server.',
    impact:
      'What is guarded by nothing but where a request comes from is open to everybody: administration, states and settings of the application, other services of the machine.',
    sends:
      'Asks up to 40 paths that the site refuses, names without leading there, or that are usual for internal pages, and ports of the machine that its pages name, first as a visitor and then by way of the server. GET requests alone, and none to an address with a word that may act.',
    proves:
      'By way of the server the page is shown, which a visitor is refused; at a random path and at a port at which nothing listens it is not. An attacker reads what is meant for the machine itself.',
    remedy:
      'Ask for a login on internal pages as well, whatever address a request comes from, and have services of the machine take a password. Mend the request forgery: compare the parsed host with a list of those that are meant, and refuse loopback and private addresses after the name was resolved.',
    references: [
      'CWE-918: https://cwe.mitre.org/data/definitions/918.html',
      'CWE-291: https://cwe.mitre.org/data/definitions/291.html',
      'OWASP SSRF Prevention Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html',
    ],
  },
});

async function firstShown(context: CheckContext, by: ServerRequests): Promise<ReachedInside | undefined> {
  const ask = unlessLeftOut(fetchedBy(context, by.input));
  const { origin } = new URL(by.input.url);
  const usual = await ask(by.input.sample);
  const nothing = `/${context.nonce()}`;
  const nothingAt = new Map<string | undefined, Promise<string | undefined>>();
  for (const place of atMost(context, await placesInside(context, origin), maxPlaces, 'pages that may be internal')) {
    const { path, port } = place;
    const text = await ask(addressOf(by.open, place));
    const begun = nothingAt.get(port) ?? ask(addressOf(by.open, { ...place, path: nothing }));
    nothingAt.set(port, begun);
    const others = [usual ?? '', (await begun) ?? ''];
    // Most are answered as a path that does not exist, and cost no further request.
    if (text === undefined || pieceOnlyIn(text, others) === undefined) continue;
    const url = urlOf(origin, place);
    const direct = port === undefined ? await refusalAt(context, url) : '';
    const closed = direct === undefined ? undefined : await ask(addressOf(by.closed, { path }));
    const piece = closed === undefined ? undefined : pieceOnlyIn(text, [...others, direct ?? '', closed]);
    if (piece !== undefined) return { ...by, ...place, url, piece };
  }
  return undefined;
}

/** Asks for what the write gate lets pass, and nothing else. */
const unlessLeftOut =
  (ask: (value: string) => Promise<string>) =>
  async (value: string): Promise<string | undefined> => {
    try {
      return await ask(value);
    } catch (error) {
      if (isLeftOut(error)) return undefined;
      throw error;
    }
  };

const urlOf = (origin: string, { path, port }: Inside): string =>
  port === undefined ? origin + path : `http://127.0.0.1:${port}${path}`;

/** The port stands before the path, or behind "/to/" of an address that is redirected. */
const addressOf = (template: string, { path, port }: Inside): string => {
  const [before = '', after = ''] = template.split('‹path›', 2);
  const at = port === undefined ? before : /[:/]\d+$/.test(before) ? before.replace(/\d+$/, port) : `${before}:${port}`;
  return at + path + after;
};

/** What a visitor is answered who is refused the page; undefined for one that is shown. */
async function refusalAt({ http }: CheckContext, url: string): Promise<string | undefined> {
  try {
    const { status, text } = await http.get(url, { fresh: true });
    return [401, 403, 404].includes(status) ? text : undefined;
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}

const pathPattern = /(?<![\w/.<])\/[a-z][\w-]{1,30}(?:\/[\w-]{1,30}){0,3}\b(?![/=])/gi;
const portPattern = /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(\d{2,5})(\/[\w/.-]{0,60})?/gi;

/** What the site refuses, what its pages and scripts name, and what is usual. */
async function placesInside(context: CheckContext, origin: string): Promise<Inside[]> {
  const { surface } = context;
  const own = surface.pages.filter(({ url }) => URL.parse(url)?.origin === origin);
  const refused = own.filter(({ status }) => status === 401 || status === 403);
  const known = new Set(own.filter(({ status }) => status < 400).map(({ url }) => new URL(url).pathname));
  const html = own.filter(({ status, contentType }) => status === 200 && contentType === 'text/html');
  const files = [...html.map(({ url }) => url), ...ownScripts(surface)];
  const read = atMost(context, files, maxPages, 'pages and scripts that may name internal ones');
  const texts = await inParallel(read, 4, async (url) => (await context.http.get(url)).text);
  const ports = texts.flatMap((text) =>
    [...text.matchAll(portPattern)].map(([, port = '', path = '/']): Inside => ({ port, path })),
  );
  const named = texts.flatMap((text) => [...text.matchAll(pathPattern)].map(([path]) => path));
  const paths = [...refused.map(({ url }) => new URL(url).pathname), ...named, ...usualPaths, ...commonAdminPaths];
  const ownPort = new URL(origin).port || '80';
  const inside = [...new Set(paths)].filter((path) => !known.has(path)).map((path): Inside => ({ path }));
  const elsewhere = [...new Map(ports.map((each) => [`${each.port}${each.path}`, each])).values()];
  const all = [...elsewhere.filter(({ port }) => port !== ownPort), ...inside];
  const acting = all.filter((place) => mayAct(urlOf(origin, place)));
  const text = 'internal pages were not asked for by way of the server: their addresses may act';
  if (acting.length > 0) context.leave({ code: 'would_act', count: acting.length, text });
  return all.filter((place) => !acting.includes(place));
}

/** The write gate reads the address that is asked for, and not the one that the server is given: inside, any word that may act is enough. */
function mayAct(url: string): boolean {
  const { acting, mild, making } = readAddress(url);
  return (acting ?? mild ?? making) !== undefined;
}

function experimentFor({ input, open, closed, path, port, url, piece }: ReachedInside): Experiment {
  const shown = claim('body', 'contains', piece, 'A piece of the internal page.');
  const fetched = [claim('status', 'not-matches', '^3'), shown];
  const ask = (address: string, note: string, expect: Step['expect']): Step[] =>
    inputSteps(input, inputAction(input, address), { note, expect });
  const place: Inside = { path, ...(port !== undefined && { port }) };
  return {
    steps: [
      ...(port === undefined
        ? [
            {
              http: { url },
              note: 'A visitor is refused the page.',
              expect: [claim('status', 'one-of', '401|403|404'), claim('body', 'not-contains', piece)],
            },
          ]
        : []),
      ...ask(
        addressOf(open, place),
        'With its address on the server’s own machine, the server shows the page.',
        fetched,
      ),
    ],
    control: [
      ...ask(addressOf(open, { ...place, path: '/‹nonce›' }), 'A random path at the same port gives nothing of it.', [
        claim('body', 'not-contains', piece),
      ]),
      ...ask(addressOf(closed, { path }), 'A port at which nothing listens gives nothing of it.', fetched),
    ],
  };
}
