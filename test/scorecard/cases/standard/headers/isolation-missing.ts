import { type HeaderPair, headerCases } from '../../../sites/header-sites.ts';

const [opener, resource] = ['Cross-Origin-Opener-Policy', 'Cross-Origin-Resource-Policy'] as const;

const pair = (vulnerable: Record<string, string>, patched: Record<string, string>): HeaderPair => ({
  vulnerable: { headers: vulnerable },
  patched: { headers: patched },
});

export const cases = headerCases([
  pair({}, { [opener]: 'same-origin', [resource]: 'same-origin' }),
  pair({ [resource]: 'same-site' }, { [resource]: 'same-site', [opener]: 'same-origin-allow-popups' }),
  // Words that no browser knows are as good as none.
  pair(
    { [opener]: 'deny', [resource]: 'same-origin' },
    { [opener]: 'same-origin; report-to="coop"', [resource]: 'same-origin' },
  ),
]);
