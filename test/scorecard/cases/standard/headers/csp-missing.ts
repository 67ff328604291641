import { headerCases, pairOf } from '../../../sites/header-sites.ts';

const name = 'Content-Security-Policy';
const strict = "default-src 'self'; object-src 'none'; base-uri 'none'";

export const cases = headerCases([
  pairOf(name, undefined, strict),
  // What is only reported stops nothing.
  {
    vulnerable: { headers: { 'Content-Security-Policy-Report-Only': strict } },
    patched: { headers: { [name]: strict } },
  },
  {
    vulnerable: { headers: { [name]: "frame-ancestors 'none'; upgrade-insecure-requests" } },
    patched: {
      headers: { [name]: "frame-ancestors 'none'; upgrade-insecure-requests" },
      markup: `<meta http-equiv="${name}" content="script-src 'self'">`,
    },
  },
]);
