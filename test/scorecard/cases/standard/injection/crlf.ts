import type { ScoreCase } from '../../../case.ts';
import { rawAnswer, startRaw } from '../../../sites/raw.ts';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const queryOf = (target: string): URLSearchParams => new URL(target, 'http://any.invalid').searchParams;
const pageHeaders = ['Content-Type: text/html'];

/** As `return 302 https://$host$uri` is: the path comes decoded. `$request_uri` is as it was sent. */
const schemeRedirect: ScoreCase = {
  name: 'nginx-like redirect that repeats the decoded path',
  start: (variant) =>
    startRaw(({ target }) => {
      if (target === '/') return rawAnswer('200 OK', pageHeaders, '<h1>Welcome</h1>');
      const path = variant === 'vulnerable' ? decoded(target) : target;
      return rawAnswer('302 Found', [`Location: /en${path}`]);
    }),
};

/** A choice is kept in a cookie, whose value nobody looked at. */
const languageCookie: ScoreCase = {
  name: 'CGI-like page that keeps a choice in a cookie',
  start: (variant) =>
    startRaw(({ target }) => {
      if (!target.startsWith('/cgi-bin/lang'))
        return rawAnswer('200 OK', pageHeaders, '<a href="/cgi-bin/lang?set=en">English</a>');
      const value = queryOf(target).get('set') ?? '';
      const kept = variant === 'vulnerable' ? value : encodeURIComponent(value);
      return rawAnswer('200 OK', [...pageHeaders, `Set-Cookie: lang=${kept}; Path=/`], '<p>Saved.</p>');
    }),
};

/** CR LF is removed, and a lone LF ends a line for most who read the answer. */
const fileName: ScoreCase = {
  name: 'export with a file name of the visitor, and a filter for CR LF',
  start: (variant) =>
    startRaw(({ target }) => {
      if (!target.startsWith('/export'))
        return rawAnswer('200 OK', pageHeaders, '<a href="/export?name=report.csv&amp;year=2024">Report of 2024</a>');
      const given = queryOf(target).get('name') ?? '';
      const name = variant === 'vulnerable' ? given.replaceAll('\r\n', '') : given.replace(/[^\w.-]/g, '_');
      return rawAnswer(
        '200 OK',
        ['Content-Type: text/csv', `Content-Disposition: attachment; filename="${name}"`],
        'a,b\n',
      );
    }),
};

/** The application decodes once more than the server has. */
const decodedTwice: ScoreCase = {
  name: 'router that decodes an address again before it redirects',
  start: (variant) =>
    startRaw(({ target }) => {
      if (!target.startsWith('/go')) return rawAnswer('200 OK', pageHeaders, '<a href="/go?to=%2Fnews%2F">News</a>');
      const to = queryOf(target).get('to') ?? '/';
      const safe = to.replace(/[\r\n]/g, '');
      return rawAnswer('301 Moved Permanently', [
        `Location: ${variant === 'vulnerable' ? decoded(safe) : encodeURI(safe)}`,
      ]);
    }),
};

export const cases: ScoreCase[] = [schemeRedirect, languageCookie, fileName, decodedTwice];
