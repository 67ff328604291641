/**
 * The mistakes that the shop was built with, each a flag at the one place where it is made, and that place. The patched
 * twin is the same source with all of them off, so each `if` is a weakness beside its repair.
 */
const mistakes = {
  noStrictTransport: 'No Strict-Transport-Security (CWE-319). policy.ts',
  inlineScriptsAllowed: 'A Content-Security-Policy that allows inline scripts (CWE-1021, CWE-79). policy.ts',
  framingAllowed: 'Other sites may show the shop in a frame (CWE-1021). policy.ts',
  typesGuessed: 'Browsers may guess the type of an answer (CWE-693). policy.ts',
  referrerToAll: 'The address of a page goes to every site that it links to (CWE-200). policy.ts',
  noIsolation: 'No Permissions-Policy, COOP and CORP (CWE-693). policy.ts',
  versionsNamed: 'Headers name the software and its version (CWE-200). policy.ts',
  privatePagesCacheable: 'Pages for a customer may be kept by caches for everybody (CWE-524). layout.ts',

  cookieWithoutSecure: 'The session cookie lacks Secure (CWE-614). session-cookie.ts',
  cookieReadableByScript: 'The session cookie lacks HttpOnly (CWE-1004). session-cookie.ts',
  cookieSentAcrossSites: 'The session cookie lacks SameSite (CWE-1275). session-cookie.ts',
  partnerCookieAcrossSites: 'The cookie for pages of partners is sent from every site (CWE-1275). session-cookie.ts',
  cookieForSubdomains: 'The session cookie goes to all subdomains (CWE-1275). session-cookie.ts',
  sessionKeptAtLogin: 'The session of a visitor becomes that of who logs in (CWE-384). sessions.ts',
  sessionOutlivesLogout: 'Logging out changes the cookie, and ends nothing (CWE-613). sessions.ts',
  roleFromSignedToken:
    'Sessions are tokens that carry the role, signed with a key from the repository (CWE-798, CWE-269). sessions.ts',
  passwordsGuessable: 'Passwords can be guessed one after the other (CWE-307). login-limit.ts',
  weakSigningKey: 'The key that signs is a word (CWE-521). checkout.ts',

  nullOriginTrusted: 'The public API trusts the origin "null" (CWE-942). cors.ts',
  suffixOriginTrusted: 'The public API trusts every origin that ends as ours does (CWE-942). cors.ts',
  anyOriginReadsAccount: 'The account API trusts every origin with credentials (CWE-942). cors.ts',

  repositoryServed: 'Files are served by a rule that forgot .git (CWE-527). site-files.ts',
  settingsServed: 'Files are served by a rule that forgot .env (CWE-538). site-files.ts',
  backupServed: 'Files are served by a rule that forgot what editors leave behind (CWE-530). site-files.ts',
  sourceMapServed: 'The source map of a script is served, sources included (CWE-540). site-files.ts',
  secretInScript: 'A script holds the secret key of the payment service (CWE-798). checkout.ts',
  folderListed: 'A folder without an index lists its files (CWE-548). site-files.ts',
  stackTraces: 'Error pages show where in the code it went wrong (CWE-209). errors.ts',
  statusForAll: 'The status page shows everybody how the shop runs (CWE-497). pages/status.ts',
  apiDescriptionForAll: 'The description of the API is for everybody (CWE-200). api/description.ts',
  noSecurityContact: 'No security.txt names a contact for reports (RFC 9116). site-files.ts',

  searchTermUnescaped: 'The search term is put into the page as it is (CWE-79). pages/search.ts',
  searchTermInStatement: 'The search term becomes part of the statement, its errors of the page (CWE-89). catalogue.ts',
  categoryInStatement: 'The category becomes part of the statement (CWE-89). catalogue.ts',
  anyRedirectTarget: 'Any address is a target of the redirector (CWE-601). pages/go.ts',
  guideByPath: 'A guide is any file that the value names (CWE-22). guides.ts',
  forwardedHostTrusted: 'Host header injection (CWE-644). address.ts',
  requestsTraced: 'The server repeats requests that ask for it (CWE-16). trace.ts',
  fragmentAsMarkup: 'The studio puts the fragment of its address into the page as markup (CWE-79). pages/studio.ts',
  tokenInStorage: 'The studio keeps a token for the account API in the browser (CWE-922). api-tokens.ts',
  oldLibrary: 'The studio uses a version of jQuery with known weaknesses (CWE-1104). pages/studio.ts',

  ordersOfOthersReadable: 'Orders are looked up by number alone (CWE-639). orders.ts',
  invoicesOfOthersReadable: 'Invoices are looked up by number alone (CWE-639). invoices.ts',
  adminApiForAll: 'The API of the administration asks for a log-in only (CWE-862). api/admin.ts',
  roleFromProfile: 'A changed profile takes every field that is sent, the role too (CWE-915). profile.ts',
  profileWithoutToken: 'The profile is changed without a form token (CWE-352). pages/account.ts',

  zoneForAll: 'The name server copies the zone to everybody who asks (CWE-200). names/authority.ts',
  anyIssuer: 'No CAA record says who may issue certificates (CWE-693). names/zone.ts',
  mailServerGone: 'The second mail server is one of a company that is gone (CWE-672). names/zone.ts',
  anyoneMaySend: 'The SPF record lets everybody send mail for the shop (CWE-290). names/zone.ts',
  forgedMailDelivered: 'The DMARC policy asks for nothing to be done with forged mail (CWE-290). names/zone.ts',
  shortMailKey: 'The key by which mail is verified has 768 bits (CWE-326). names/zone.ts',
  mailPolicyWithoutHost: 'Encrypted mail (MTA-STS) is announced, and no host has the policy (CWE-757). names/zone.ts',
  reportsGoNowhere: 'Reports on encryption are asked for at an address without its kind (CWE-778). names/zone.ts',
} as const;

export type Weakness = keyof typeof mistakes;
export type Weaknesses = Record<Weakness, boolean>;

const isWeakness = (name: string): name is Weakness => name in mistakes;
export const weaknessNames: readonly Weakness[] = Object.keys(mistakes).filter(isWeakness);

function everyFlag(value: boolean): Weaknesses {
  const flags: Partial<Weaknesses> = {};
  for (const name of weaknessNames) flags[name] = value;
  return flags as Weaknesses;
}

export const asBuilt = everyFlag(true);
export const patched = everyFlag(false);
