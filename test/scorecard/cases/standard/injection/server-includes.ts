import { escapeHtml } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';
import { withEdgeIncludes, withServerIncludes } from '../../../sites/directive-shows.ts';
import { startValuePage } from '../../../sites/value-page.ts';

const page = (
  name: string,
  link: string,
  read: (page: string) => string,
  place: (value: string) => string,
): ScoreCase => ({
  name,
  start: (variant) =>
    startValuePage({
      link,
      make: (value) => read(place(variant === 'vulnerable' ? value : escapeHtml(value))),
    }),
});

export const cases: ScoreCase[] = [
  page(
    'greeting whose page is read for SSI',
    '/hello.shtml?name=Ada',
    withServerIncludes,
    (value) => `<p>Hello ${value}</p>`,
  ),
  page(
    'title of a page that is read for SSI',
    '/news.shtml?about=lamps',
    withServerIncludes,
    (value) => `<title>${value}</title>`,
  ),
  page(
    'search behind a cache that carries out ESI',
    '/search?q=lamp',
    withEdgeIncludes,
    (value) => `<h1>For ${value}</h1>`,
  ),
];
