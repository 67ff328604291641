import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Depth } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { registryOf } from '../../../workflows/checks/registry.ts';
import { isLeftOut } from '../../../workflows/probe/errors.ts';
import { checkLike } from '../support/checks.ts';
import { hasEnded } from '../support/installation.ts';
import { openSite, page, type Site } from '../support/site.ts';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

const editors = ['/posts/new', '/essays/new'];

/** Opens what the surface names, as everybody, the way comparisons do. */
const comparing = checkLike({
  id: 'access.comparing',
  depth: 'deep',
  detect: async ({ http, surface, identities }) => {
    for (const { jar, headers } of [{ jar: undefined, headers: [] }, ...Object.values(identities)])
      for (const path of editors)
        await http
          .get(new URL(path, surface.url).href, { fresh: true, headers, ...(jar ? { jar } : {}) })
          .catch((error: unknown) => {
            if (!isLeftOut(error)) throw error;
          });
    return [];
  },
});

type World = { bench: Workbench; site: Site; opened: string[] };
const test = suite<World>('pages that make something as soon as they are opened');

/** Editors that make a draft for everybody, one of which leads to the draft at once; a list has them all. */
test.before(async (world) => {
  world.opened = [];
  const drafts: string[] = [];
  world.site = await openSite((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const who = /sid=session-of-(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? 'nobody';
    if (editors.includes(pathname)) {
      world.opened.push(`${who} ${pathname}`);
      drafts.push(`Draft ${drafts.length}`);
      if (pathname === '/posts/new') return page(response, '<h1>Write</h1><textarea></textarea>');
      return page(response, '', 302, { location: `/essays/${drafts.length}/view` });
    }
    const list = `<ul>${drafts.map((text) => `<li>${text}</li>`).join('')}</ul>`;
    if (pathname === '/posts/' || pathname === '/essays/')
      return page(response, `<a href="${pathname}new">New</a>${list}`);
    if (pathname === '/account')
      return page(response, who === 'nobody' ? '<p>Who are you?</p>' : `<p>Hello, ${who}</p>`);
    const links = ['/posts/', '/essays/', '/account'].map((path) => `<a href="${path}">${path}</a>`).join('');
    return pathname === '/' ? page(response, `<h1>Blog</h1>${links}`) : page(response, 'none', 404);
  });
  world.bench = await openWorkbench(registryOf([comparing], []));
  for (const [name, role] of [
    ['ann', 'user'],
    ['bob', 'user'],
    ['carla', 'admin'],
  ])
    await world.bench.domains.putLogin({
      domain: world.bench.host,
      name: name ?? '',
      login: {
        kind: { case: 'cookie', value: `sid=session-of-${name}-1f3a` },
        checkUrl: `http://site.localhost:${world.site.port}/account`,
        role: role ?? '',
      },
    });
});
test.after(async ({ bench, site }) => {
  await bench.close();
  await site.close();
});

test('are opened by nobody once that was seen: by no further identity, check or comparison', async (world) => {
  const { bench, site, opened } = world;
  const { runId } = await bench.scans.startScan({ url: `http://site.localhost:${site.port}/`, depth: Depth.DEEP });
  const record = await bench.until(runId, hasEnded);
  const times = Object.fromEntries([...Map.groupBy(opened, (each) => each)].map(([each, all]) => [each, all.length]));
  assert.equal(times, {
    'nobody /posts/new': 1,
    'nobody /essays/new': 1,
    'ann /posts/new': 2,
    'ann /essays/new': 2,
  });
  const remark = record.coverage?.families.find(({ id }) => id === 'observation:ann')?.reason ?? '';
  assert.match(remark, /2 pages make something as soon as they are opened, and are not opened again/);
});

test.run();
