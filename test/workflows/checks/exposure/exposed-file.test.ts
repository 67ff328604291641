import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findExposed } from '../../../../workflows/checks/exposure/exposed-file.ts';
import type { Omitted } from '../../../../workflows/model/omission.ts';
import { html, type Site, startSite } from '../../../fixtures/site.ts';
import { openAudit } from '../harness.ts';

const test = suite('exposed files');

/** Paths that are asked for on a site whose start page has these headers. */
async function askedOn(headers: Record<string, string>, check: string): Promise<string[]> {
  const site: Site = await startSite(({ path }) => (path === '/' ? html('<h1>Shop</h1>', 200, headers) : undefined));
  const audit = await openAudit(`${site.url}/`);
  try {
    const before = site.requests.length;
    assert.equal(await findExposed(audit.context, check), []);
    return site.requests.slice(before).map((line) => line.replace('GET /', ''));
  } finally {
    await audit.close();
    await site.close();
  }
}

const among = (asked: readonly string[], pattern: RegExp): number => asked.filter((path) => pattern.test(path)).length;

test('a site that shows what it is made with is asked for its own files, and for none that it rules out', async () => {
  const asked = await askedOn({ 'x-powered-by': 'Express' }, 'settings-file');
  assert.ok(asked.includes('config.json') && asked.includes('ecosystem.config.js'), asked.join(' '));
  assert.is(among(asked, /wp-config|sites\/default|WEB-INF|appsettings|database\.yml/), 0);
});

test('a site that shows nothing is asked for the likeliest file of each kind', async () => {
  const asked = await askedOn({}, 'settings-file');
  assert.is(among(asked, /^wp-config/), 1);
  assert.is(among(asked, /^appsettings/), 1);
});

test('a server alone rules nothing out', async () => {
  const asked = await askedOn({ server: 'nginx/1.28.0' }, 'settings-file');
  assert.is(among(asked, /^appsettings/), 1);
});

test('what may stand beside any site is asked for whatever that is made with', async () => {
  const asked = await askedOn({ 'x-powered-by': 'Express' }, 'admin-panel');
  assert.ok(among(asked, /phpmyadmin/i) > 0, asked.join(' '));
});

test('folders are reported as left out only by checks that would ask in some', async () => {
  const folders = Array.from({ length: 9 }, (_, index) => `/f${index}/`);
  const links = folders.map((folder) => `<a href="${folder}">${folder}</a>`).join(' ');
  const site = await startSite(({ path }) => (path === '/' || folders.includes(path) ? html(links) : undefined));
  const audit = await openAudit(`${site.url}/`);
  const foldersLeftBy = async (check: string): Promise<number> => {
    const reported: Omitted[] = [];
    await findExposed({ ...audit.context, leave: (omitted) => void reported.push(omitted) }, check);
    return reported.length;
  };
  try {
    assert.equal([await foldersLeftBy('admin-panel'), await foldersLeftBy('log-file')], [0, 1]);
  } finally {
    await audit.close();
    await site.close();
  }
});

test.run();
