import type { ScoreCase } from '../../../case.ts';
import { type HeaderPair, headerCases, pairOf } from '../../../sites/header-sites.ts';

const [policy, referrer, types, permissions] = [
  'Content-Security-Policy',
  'Referrer-Policy',
  'X-Content-Type-Options',
  'Permissions-Policy',
] as const;
const [opener, resource] = ['Cross-Origin-Opener-Policy', 'Cross-Origin-Resource-Policy'] as const;
const strict = "default-src 'self'; object-src 'none'; base-uri 'none'";

/** What a site has that lacks none of them. */
const complete: Record<string, string> = {
  [policy]: strict,
  [referrer]: 'no-referrer',
  [types]: 'nosniff',
  [permissions]: 'camera=()',
  [opener]: 'same-origin',
  [resource]: 'same-origin',
};

type Pairs = [HeaderPair, HeaderPair, HeaderPair];

/** Sites on which only these headers are not as they should be. */
function casesOf(what: string, own: readonly string[], pairs: Pairs): ScoreCase[] {
  const others = Object.fromEntries(Object.entries(complete).filter(([name]) => !own.includes(name)));
  const filled = ({ vulnerable, patched }: HeaderPair): HeaderPair => ({
    vulnerable: { ...vulnerable, headers: { ...others, ...vulnerable.headers } },
    patched: { ...patched, headers: { ...others, ...patched.headers } },
  });
  const [first, second, third] = pairs;
  const named = headerCases([filled(first), filled(second), filled(third)]);
  return named.map((each) => ({ ...each, name: `${each.name}, ${what}` }));
}

const pair = (vulnerable: Record<string, string>, patched: Record<string, string>): HeaderPair => ({
  vulnerable: { headers: vulnerable },
  patched: { headers: patched },
});

export const cases: ScoreCase[] = [
  ...casesOf(
    'policy for scripts',
    [policy],
    [
      pairOf(policy, undefined, strict),
      // What is only reported stops nothing.
      pair({ 'Content-Security-Policy-Report-Only': strict }, { [policy]: strict }),
      {
        vulnerable: { headers: { [policy]: "frame-ancestors 'none'; upgrade-insecure-requests" } },
        patched: {
          headers: { [policy]: "frame-ancestors 'none'; upgrade-insecure-requests" },
          markup: `<meta http-equiv="${policy}" content="script-src 'self'">`,
        },
      },
    ],
  ),
  ...casesOf(
    'referrer',
    [referrer],
    [
      pairOf(referrer, undefined, 'strict-origin-when-cross-origin'),
      pairOf(referrer, 'unsafe-url', 'no-referrer'),
      {
        vulnerable: { headers: { [referrer]: 'same-origin' }, markup: '<meta name="referrer" content="always">' },
        patched: { headers: { [referrer]: 'same-origin' }, markup: '<meta name="referrer" content="never">' },
      },
    ],
  ),
  ...casesOf(
    'types',
    [types],
    [
      pairOf(types, undefined, 'nosniff'),
      pairOf(types, 'sniff', 'NoSniff'),
      pairOf(types, '"nosniff"', 'nosniff, nosniff'),
    ],
  ),
  ...casesOf(
    'isolation',
    [opener, resource],
    [
      pair({}, { [opener]: 'same-origin', [resource]: 'same-origin' }),
      pair({ [resource]: 'same-site' }, { [resource]: 'same-site', [opener]: 'same-origin-allow-popups' }),
      // Words that no browser knows are as good as none.
      pair(
        { [opener]: 'deny', [resource]: 'same-origin' },
        { [opener]: 'same-origin; report-to="coop"', [resource]: 'same-origin' },
      ),
    ],
  ),
  ...casesOf(
    'permissions',
    [permissions],
    [
      pairOf(permissions, undefined, 'camera=(), microphone=(), geolocation=()'),
      // A name that browsers do not know, and the one of before the standard.
      pair({ 'X-Permissions-Policy': 'camera=()' }, { 'Feature-Policy': "camera 'none'" }),
      pairOf(permissions, undefined, 'geolocation=(self)'),
    ],
  ),
];
