import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemo } from '../../../dev/demo/demo.ts';
import { demoHost } from '../../../dev/demo/identities.ts';
import { type Answer, html, type Request, redirect, startSite } from '../../fixtures/site.ts';
import { security } from '../sites/small-site.ts';
import type { countArrivals } from './arrivals.ts';
import type { Authority } from './authority.ts';
import type { Running } from './tls-targets.ts';
import { headerWeaknesses, shopWeaknesses } from './truth.ts';
import type { Target } from './types.ts';

type Arrivals = ReturnType<typeof countArrivals>;

/**
 * Two sites of a few pages with a form and a session for each visitor: one sets neither header nor attribute of its cookie,
 * the other all of them.
 */
export async function startHeaderTargets(authority: Authority, arrivals: Arrivals): Promise<Running<Target>> {
  const started = await Promise.all([
    startHeaderTarget(authority, arrivals, { name: 'bare', headers: {}, cookie: 'sid=', planted: headerWeaknesses }),
    startHeaderTarget(authority, arrivals, { name: 'set', headers: security, cookie: '__Host-sid=', planted: [] }),
  ]);
  return {
    targets: started.map(({ target }) => target),
    close: async () => void (await Promise.all(started.map(({ close }) => close()))),
  };
}

type HeaderSite = { name: string; headers: Record<string, string>; cookie: string; planted: readonly string[] };

const letterForm = '<form method="post" action="/letter"><input name="name"><button>Send me the letter</button></form>';

async function startHeaderTarget(
  authority: Authority,
  arrivals: Arrivals,
  { name, headers, cookie, planted }: HeaderSite,
) {
  const host = `${name}.headers.localhost`;
  const certificate = await authority.issue(host);
  const isTwin = planted.length === 0;
  const attributes = isTwin ? '; Secure; HttpOnly; SameSite=Lax; Path=/' : '';
  const sessions = new Set<string>();
  const page = ({ path, cookies }: Request): Answer => {
    if (path !== '/' && path !== '/about' && path !== '/letter') return html('<h1>Not found</h1>', 404, headers);
    const content = `<h1>Hello</h1><a href="/about">About</a>${letterForm}`;
    if (sessions.has(cookies[cookie.slice(0, -1)] ?? '')) return html(content, 200, headers);
    const session = randomBytes(16).toString('hex');
    sessions.add(session);
    return html(content, 200, { ...headers, 'set-cookie': `${cookie}${session}${attributes}` });
  };
  const site = await startSite(page, { host, tls: certificate });
  const plain = await startSite((request) => (isTwin ? redirect(`${site.url}${request.target}`, 301) : page(request)), {
    host,
  });
  const target: Target = {
    ...{ name: `headers: ${name}`, kind: 'headers', host, port: site.port, httpPort: plain.port },
    ...{ url: `${site.url}/`, planted, isTwin },
    arrived: () => arrivals.at(site.port, plain.port),
  };
  return { target, close: async () => void (await Promise.all([site.close(), plain.close()])) };
}

/** The demo shop, or its patched twin. */
export async function startShopTarget(
  isTwin: boolean,
  arrivals: Arrivals,
): Promise<{ target: Target; caFile: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-bench-shop-'));
  const demo = await startDemo({ folder, port: 0, patched: isTwin });
  const port = Number(new URL(demo.url).port);
  const target: Target = {
    ...{ name: isTwin ? 'shop: patched twin' : 'shop', kind: 'shop', host: demoHost, port, url: demo.url, isTwin },
    dnsServer: demo.dnsServer,
    planted: isTwin ? [] : shopWeaknesses,
    arrived: () => arrivals.at(port),
  };
  const close = async () => {
    await demo.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { target, caFile: demo.caFile, close };
}
