import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemo } from '../../../dev/demo/demo.ts';
import { demoHost } from '../../../dev/demo/identities.ts';
import { html, redirect, startSite } from '../../fixtures/site.ts';
import { security } from '../sites/small-site.ts';
import type { countArrivals } from './arrivals.ts';
import type { Authority } from './authority.ts';
import type { Running } from './tls-targets.ts';
import { headerWeaknesses, shopWeaknesses } from './truth.ts';
import type { Target } from './types.ts';

type Arrivals = ReturnType<typeof countArrivals>;

/** Two sites of a few pages: one sets neither header nor attribute of its session cookie, the other all of them. */
export async function startHeaderTargets(authority: Authority, arrivals: Arrivals): Promise<Running<Target>> {
  const started = await Promise.all([
    startHeaderTarget('bare', authority, arrivals, {}, 'sid=8d2f6c1e0b7a4f53', headerWeaknesses),
    startHeaderTarget(
      'set',
      authority,
      arrivals,
      security,
      '__Host-sid=8d2f6c1e0b7a4f53; Secure; HttpOnly; SameSite=Lax; Path=/',
      [],
    ),
  ]);
  return {
    targets: started.map(({ target }) => target),
    close: async () => void (await Promise.all(started.map(({ close }) => close()))),
  };
}

async function startHeaderTarget(
  name: string,
  authority: Authority,
  arrivals: Arrivals,
  headers: Record<string, string>,
  cookie: string,
  planted: readonly string[],
) {
  const host = `${name}.headers.localhost`;
  const certificate = await authority.issue(host);
  const page = (path: string) =>
    path === '/' || path === '/about'
      ? html('<h1>Hello</h1><a href="/about">About</a>', 200, { ...headers, 'set-cookie': cookie })
      : html('<h1>Not found</h1>', 404, headers);
  const site = await startSite(({ path }) => page(path), { host, tls: certificate });
  const plain = await startSite(
    ({ path, target }) => (planted.length > 0 ? page(path) : redirect(`${site.url}${target}`, 301)),
    { host },
  );
  const target: Target = {
    ...{ name: `headers: ${name}`, kind: 'headers', host, port: site.port, httpPort: plain.port },
    ...{ url: `${site.url}/`, planted, isTwin: planted.length === 0 },
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
