import { startNameServer } from '../../fixtures/name-server.ts';
import { soa } from '../../workflows/checks/named-site.ts';
import type { ScoreCase, ScoreSite } from '../case.ts';
import { certificateForShop } from './certificate.ts';
import { startApp } from './express.ts';
import { scriptPages } from './script-pages.ts';

/** Elements of a page that load something, when they are wrong and when they were mended. */
type Loading = { name: string; vulnerable: string; patched: string; head?: string };

/** Pages over HTTPS that load files of others; the registry of ".com" has few names. */
async function start(markup: string, head = ''): Promise<ScoreSite> {
  const names = await startNameServer({
    'com SOA': [soa],
    'jquery.com A': ['192.0.2.1'],
    'jsdelivr.net A': ['192.0.2.2'],
    'stripe.com A': ['192.0.2.3'],
    'googleapis.com A': ['192.0.2.4'],
    'cloudflare.com A': ['192.0.2.5'],
  });
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}<title>Studio</title></head><body><h1>Studio</h1>${markup}</body></html>`;
  return startApp(
    scriptPages({
      pages: { '/': page, '/about': page },
      scripts: { '/js/own.js': 'document.title = "Studio";' },
    }),
    { tls: await certificateForShop(), options: { dnsServer: names.address }, close: () => names.close() },
  );
}

export const loadingCases = (all: readonly Loading[]): ScoreCase[] =>
  all.map(({ name, head, ...markup }) => ({ name, start: (variant) => start(markup[variant], head) }));
