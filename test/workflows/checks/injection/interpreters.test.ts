import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decidedPage } from '../../../../workflows/checks/injection/decided-page.ts';
import { ldapInjection } from '../../../../workflows/checks/injection/ldap.check.ts';
import { nosqlInjection } from '../../../../workflows/checks/injection/nosql.check.ts';
import { osCommand } from '../../../../workflows/checks/injection/os-command.check.ts';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { comparisonsFor } from '../../../../workflows/checks/injection/sql-comparisons.ts';
import { sqlTime } from '../../../../workflows/checks/injection/sql-time.check.ts';
import { xpathInjection } from '../../../../workflows/checks/injection/xpath.check.ts';
import { escapeHtml, html, startSite } from '../../../fixtures/site.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('inputs that one interpreter was seen to take');

const run = (command: string): string => spawnSync('sh', ['-c', command], { encoding: 'utf8', timeout: 5_000 }).stdout;

test('a value that a shell runs is sent nothing for databases, directories and documents', async () => {
  const site = await startSite(({ path, query }) => {
    if (path === '/') return html('<a href="/lookup?host=gate1">Look up</a>');
    if (path !== '/lookup') return undefined;
    return html(`<h1>Lookup</h1><pre>${escapeHtml(run(`echo answer of ${query.get('host') ?? ''}`))}</pre>`);
  });
  const audit = await openAudit(site.url);
  try {
    const found = await check(audit, osCommand);
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    const before = site.requests.length;
    for (const each of [ldapInjection, nosqlInjection, sqlBoolean, sqlTime, xpathInjection]) {
      const { outcome } = await check(audit, each);
      assert.is(outcome.kind, 'clean', `${each.id}: ${outcome.reason}`);
    }
    // With the site's own value, headers are tried.
    const sent = site.requests.slice(before).filter((request) => /^GET \/lookup\?(?!host=gate1$)/.test(request));
    const operators = sent.filter((request) => request.includes('host%5B') || request.includes('host['));
    assert.ok(sent.length - operators.length <= 3, sent.join('\n'));
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
});

test('of a page that goes on showing what it was sent, a comparison decides nothing', async () => {
  const entries = ['Welcome'];
  const site = await startSite(({ path, query }) => {
    if (path !== '/book') return html('<h1>Book</h1>');
    entries.push(query.get('entry') ?? '');
    return html(`<ul>${entries.map((entry) => `<li>${escapeHtml(entry)}</li>`).join('')}</ul>`);
  });
  const audit = await openAudit(site.url);
  try {
    const ask = (value: string, fresh = false) =>
      audit.context.http.get(`${site.url}/book?entry=${encodeURIComponent(value)}`, { fresh });
    const before = site.requests.length;
    assert.is(await decidedPage(ask, ['garden gate'], comparisonsFor, true), undefined);
    assert.ok(site.requests.length - before <= 4, site.requests.slice(before).join('\n'));
  } finally {
    await Promise.all([audit.close(), site.close()]);
  }
});

test.run();
