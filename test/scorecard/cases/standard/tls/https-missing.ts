import { type Handler, html, json, redirect } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';
import { onTwoPorts } from '../../../sites/two-ports.ts';

const brochure: Handler = ({ path }) =>
  path === '/' ? html('<h1>Kestrel Boatyard</h1><p>Moorings and repairs.</p>') : undefined;

const localised: Handler = ({ path }) => {
  if (path === '/') return redirect('/de/');
  return path === '/de/' ? html('<main><h1>Willkommen</h1><a href="/de/preise">Preise</a></main>') : undefined;
};

const service: Handler = ({ path }) =>
  path === '/' ? json({ name: 'tides', version: 3, links: [{ rel: 'stations', href: '/stations' }] }) : undefined;

/** Mended by a second port; the first may go on serving, which is another weakness. */
const withoutHttps = (name: string, host: string, pages: Handler, mended: Handler): ScoreCase => ({
  name,
  start: (variant) => (variant === 'vulnerable' ? onTwoPorts(host, pages) : onTwoPorts(host, mended, pages)),
});

export const cases: ScoreCase[] = [
  withoutHttps('brochure of a small firm', 'www.kestrel-boats.shop', brochure, brochure),
  withoutHttps('site that leads to a language first', 'www.seglerheim.shop', localised, () =>
    redirect('https://www.seglerheim.shop/', 301),
  ),
  withoutHttps('service that answers with JSON', 'api.tidewatch.shop', service, () =>
    redirect('https://api.tidewatch.shop/', 308),
  ),
];
