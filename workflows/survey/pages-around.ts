import type { Surface } from '../model/surface.ts';

/** Pages that are read for one form, besides the one that it leads to. */
const maxPages = 6;
/** Of these, requests by which the form's page is filled by its script. */
const maxFilling = 2;

/**
 * Where it would show that a form has stored something: its page, what the script of that asks for, the page of the same address,
 * those above them, those that lead there, and of data what lies beside it; the likeliest first. Only what the survey was shown.
 * @returns with the number of those beyond the limit
 */
export function pagesAround(
  surface: Surface,
  { url, pageUrl }: { url: string; pageUrl: string },
): { pages: string[]; left: number } {
  const shown = surface.pages.filter(
    ({ status, contentType }) => status === 200 && /html|json|xml|plain/.test(contentType),
  );
  const known = new Map(shown.map((page) => [withoutFragment(page.url), page]));
  const near = [pageUrl, withoutQuery(url), ...above(url), ...above(pageUrl)];
  const { origin } = new URL(surface.url);
  const asked = surface.calls
    .filter((call) => call.method === 'GET' && !call.held && URL.parse(call.url)?.origin === origin)
    .map((call) => ({ ...call, url: withoutFragment(call.url) }));
  // What the page's own script shows comes from there, whatever its type.
  const filling = asked
    .filter((call) => withoutFragment(call.pageUrl) === withoutFragment(pageUrl))
    .map((call) => call.url);
  const leading = shown.flatMap((page) => (near.includes(page.url) ? [page.source] : []));
  const data = [
    ...new Set([...shown.filter(({ contentType }) => /json/.test(contentType)), ...asked].map((each) => each.url)),
  ];
  const beside = data
    .map((each) => ({ url: each, shared: sharedSegments(each, url) }))
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared);
  const start = withoutQuery(new URL('/', surface.url).href);
  const wanted = [
    pageUrl,
    ...filling.slice(0, maxFilling),
    ...near,
    ...leading,
    ...beside.map((each) => each.url),
    start,
  ];
  const shownToScript = new Set(asked.map((call) => call.url));
  const chosen = new Set(wanted.filter((each) => known.has(each) || shownToScript.has(each)));
  const all = [...(known.has(pageUrl) ? [] : [pageUrl]), ...chosen];
  return { pages: all.slice(0, maxPages), left: Math.max(0, all.length - maxPages) };
}

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/** "/notes/" and "/notes" of "/notes/new". */
function above(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const parent = pathname.replace(/\/[^/]*\/?$/, '');
  return parent === '' ? [] : [`${origin}${parent}/`, origin + parent];
}

function sharedSegments(one: string, other: string): number {
  const [first, second] = [one, other].map((url) => new URL(url).pathname.split('/').filter((part) => part !== ''));
  return first?.findIndex((segment, index) => segment !== second?.[index]) ?? 0;
}
