import type { Exchange } from '../../model/http.ts';
import type { PageChange } from './opened-page.ts';

/** The names that Next.js gives a middleware, by its version and where its file lies. */
const names = ['middleware', 'src/middleware', 'pages/_middleware'] as const;
/** So many runs of one middleware for one request are taken for a circle, and end it. */
const mostRuns = 5;

const circleOf = (all: readonly string[]): string => all.flatMap((name) => Array(mostRuns).fill(name)).join(':');

/** Whether an answer is made by Next.js. */
const isOfNext = ({ header, text }: Exchange): boolean =>
  /^next\.js/i.test(header('x-powered-by') ?? '') ||
  header('x-nextjs-cache') !== undefined ||
  text.includes('/_next/static/');

/**
 * A header by which Next.js tells itself how often a middleware has run: before it was mended, it was taken from clients too, and the
 * page was served without the middleware that guards it. Source: CVE-2025-29927.
 */
export function middlewareChanges(url: string, pages: readonly Exchange[]): PageChange[] {
  if (!pages.some(isOfNext)) return [];
  const header = 'X-Middleware-Subrequest';
  return [
    {
      what: `the runs of its middleware in the header ${header}`,
      refused: { url },
      changed: { url, headers: [[header, circleOf(names)]] },
      twin: { url, headers: [[header, circleOf(['‹nonce›'])]] },
    },
  ];
}
