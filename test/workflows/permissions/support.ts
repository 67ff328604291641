import { randomUUID } from 'node:crypto';
import { createLogger } from '../../../kit/logger.ts';
import { PermissionOutcome, PermissionOutcomeSchema } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { Identity } from '../../../workflows/model/identity.ts';
import type { Surface } from '../../../workflows/model/surface.ts';
import { chooseAddresses } from '../../../workflows/permissions/addresses.ts';
import type { MatrixRow, MatrixVisitor } from '../../../workflows/permissions/answer.ts';
import { type AskTools, askAsEach } from '../../../workflows/permissions/ask.ts';
import { matrixOf, type PermissionsInit } from '../../../workflows/permissions/matrix.ts';
import { parseAllowRules } from '../../../workflows/probe/guard/allow.ts';
import { openProbes } from '../../../workflows/probe/open.ts';
import { survey } from '../../../workflows/survey/crawler.ts';
import { type Answer, type Handler, html, type Request, redirect, type Site, startSite } from '../../fixtures/site.ts';

/** Who has a session on the site of these tests: its cookie is their name. */
const people = ['ann', 'bob', 'root'] as const;
export type Person = (typeof people)[number];

const visitors: MatrixVisitor[] = [
  { name: '', role: '', administrator: false },
  { name: 'ann', role: 'user', administrator: false },
  { name: 'bob', role: 'user', administrator: false },
  { name: 'root', role: 'admin', administrator: true },
];

export const personOf = ({ cookies }: Request): Person | undefined => people.find((name) => name === cookies.sid);

/** A page in the frame of the site, which names who is logged in. */
export const page = (reader: Person | undefined, content: string, status = 200): Answer =>
  html(
    `<nav><a href="/">Start page</a> <a href="/prices">Price list</a> ${
      reader
        ? `<a href="/account">Account</a> <p>Signed in as ${reader}</p> <a href="/logout">Log out</a>`
        : '<a href="/login">Log in here</a>'
    }</nav><main>${content}</main>`,
    status,
  );

export type Pages = Record<string, (reader: Person | undefined, request: Request) => Answer>;

/** A site with public pages, an account for each person that links to `links`, and further pages. */
export function siteWith(links: Record<Person, string[]>, pages: Pages): Handler {
  return (request) => {
    const reader = personOf(request);
    const own = pages[request.target] ?? pages[request.path];
    if (own) return own(reader, request);
    switch (request.path) {
      case '/':
        return page(reader, '<h1>Oak and paper lamps</h1><p>Made in Westbridge since 1921</p>');
      case '/prices':
        return page(reader, '<h1>Our prices</h1><p>Floor lamp 240 crowns</p><p>Desk lamp 120 crowns</p>');
      case '/login':
        return page(reader, '<form method="post"><input name="user"><input type="password" name="password"></form>');
      case '/account':
        if (!reader) return redirect('/login?next=%2Faccount');
        return page(
          reader,
          `<h1>Your account</h1><p>Customer number of ${reader}</p>${links[reader].map((to) => `<a href="${to}">${to}</a>`).join(' ')}`,
        );
      default:
        return undefined;
    }
  };
}

const openInstruments = (url: string, signal: AbortSignal, maxRequests: number) =>
  openProbes({
    runId: randomUUID(),
    target: `${url}/`,
    share: { maxRequests, maxConnections: 5, requestsPerSecond: 500, deadlineMs: Date.now() + 60_000 },
    guard: { allow: parseAllowRules(['shop.localhost=127.0.0.0/8']) },
    signal,
    logger: createLogger('test', 'silent'),
  });

const loginPaths = new Set(['/login']);

type Asked = { matrix: PermissionsInit; rows: MatrixRow[]; site: Site; surfaces: Record<string, Surface> };

type AskOptions = {
  excludedPaths?: string[];
  /** In place of sessions that are always there. */
  renew?: AskTools['identities']['renew'];
  /** Requests that may be sent after the surveys. */
  maxRequests?: number;
  /** Moment of performance.now() after which nothing is asked for. */
  endMs?: number;
};

/** Surveys a site as each visitor with the real crawler, and asks for everything as all of them. */
export async function ask(
  handler: Handler,
  {
    excludedPaths = [],
    renew = async () => [],
    maxRequests = 5_000,
    endMs = Number.POSITIVE_INFINITY,
  }: AskOptions = {},
): Promise<Asked> {
  const site = await startSite(handler);
  const signal = new AbortController().signal;
  const probes = openInstruments(site.url, signal, 5_000);
  const limited = openInstruments(site.url, signal, maxRequests);
  try {
    const all: Record<string, Identity> = {};
    for (const { name, role } of visitors.slice(1)) {
      const jar = probes.http.newJar();
      jar.set(site.url, 'sid', name);
      all[name] = { name, role, jar, headers: [], checkUrl: `${site.url}/account`, marker: `Signed in as ${name}` };
    }
    const look = (identity?: Identity) =>
      survey({ probes, url: `${site.url}/`, startUrls: [], excludedPaths, signal, ...(identity ? { identity } : {}) });
    const surfaces: Record<string, Surface> = { '': await look() };
    for (const identity of Object.values(all)) surfaces[identity.name] = await look(identity);
    site.requests.length = 0;
    const { addresses, leftOut } = chooseAddresses(surfaces, excludedPaths, loginPaths);
    const rows = await askAsEach({ http: limited.http, identities: { all, renew }, signal, endMs }, addresses, [
      ...people,
    ]);
    return { rows, matrix: matrixOf(visitors, rows, loginPaths, leftOut.asked + leftOut.untried), site, surfaces };
  } finally {
    await limited.close();
    await probes.close();
    await site.close();
  }
}

const words = new Map(PermissionOutcomeSchema.values.map(({ number, localName }) => [number, localName.toLowerCase()]));

/** The cells of an address in words, in the order nobody, ann, bob, root: "shown", "shown private", "shown private = ann", "refused". */
export function cellsOf({ matrix, site }: Asked, path: string): string[] | undefined {
  const found = matrix.addresses?.find(({ url }) => url === site.url + path);
  return found?.permissions?.map(({ outcome = PermissionOutcome.UNSPECIFIED, private: isPrivate, sameAs }) =>
    [words.get(outcome), isPrivate && 'private', sameAs && `= ${sameAs}`].filter(Boolean).join(' '),
  );
}
