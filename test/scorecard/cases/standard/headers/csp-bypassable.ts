import { type HeaderPair, headerCases, pairOf } from '../../../sites/header-sites.ts';

const name = 'Content-Security-Policy';

const inMarkup = (policy: string) => ({ markup: `<meta http-equiv="${name}" content="${policy}">` });
const markup: HeaderPair = {
  vulnerable: inMarkup("default-src 'self'; script-src https: data:"),
  patched: inMarkup("default-src 'self'; script-src 'self'"),
};

export const cases = headerCases([
  pairOf(name, "default-src 'self' 'unsafe-inline'", "default-src 'self'; style-src 'self' 'unsafe-inline'"),
  markup,
  pairOf(
    name,
    "script-src *; object-src 'none'",
    "script-src 'nonce-‹fresh›' 'strict-dynamic' 'unsafe-inline' https:; object-src 'none'; base-uri 'none'",
  ),
]);
