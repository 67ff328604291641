/**
 * The mistakes that the shop was built with, each a flag at the one place where it is made. The patched twin is the same
 * source with all of them off, so each `if` is a weakness beside its repair.
 */
export type Weaknesses = {
  /** No Strict-Transport-Security (CWE-319). policy.ts */
  noStrictTransport: boolean;
  /** A Content-Security-Policy that allows inline scripts (CWE-1021, CWE-79). policy.ts */
  inlineScriptsAllowed: boolean;
  /** The session cookie lacks Secure (CWE-614). session-cookie.ts */
  cookieWithoutSecure: boolean;
  /** Files are refused by a list of folders, which forgot .git (CWE-527). site-files.ts */
  repositoryServed: boolean;
  /** The search term is put into the page as it is (CWE-79). pages/search.ts */
  searchTermUnescaped: boolean;
  /** Any address is a target of the redirector (CWE-601). pages/go.ts */
  anyRedirectTarget: boolean;
  /** Orders are looked up by number alone (CWE-639). orders.ts */
  ordersOfOthersReadable: boolean;
  /** Sessions are tokens that carry the role, signed with a key from the repository (CWE-798, CWE-269). sessions.ts */
  roleFromSignedToken: boolean;
};

const everyFlag = (value: boolean): Weaknesses => ({
  noStrictTransport: value,
  inlineScriptsAllowed: value,
  cookieWithoutSecure: value,
  repositoryServed: value,
  searchTermUnescaped: value,
  anyRedirectTarget: value,
  ordersOfOthersReadable: value,
  roleFromSignedToken: value,
});

export const asBuilt = everyFlag(true);
export const patched = everyFlag(false);
