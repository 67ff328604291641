import type { TargetKind } from './types.ts';

/** What our checks are about, in the words of the ground truth. */
const words: Record<TargetKind, Record<string, readonly string[]>> = {
  tls: {
    'tls.certificate-expired': ['certificate expired'],
    'tls.certificate-untrusted': ['certificate untrusted'],
    'tls.suites-unprotected': ['suites without encryption'],
    'tls.forward-secrecy-missing': ['no forward secrecy'],
    'tls.dh-weak': ['Diffie-Hellman of 1024 bits'],
  },
  headers: {
    'headers.hsts-missing': ['no HSTS'],
    'headers.security-headers-missing': ['no Content-Security-Policy', 'types guessed', 'no Referrer-Policy'],
    'headers.framing-allowed': ['framing allowed'],
    'cookies.session-without-secure': ['cookie without Secure'],
    'cookies.session-readable-by-script': ['cookie readable by script'],
    'tls.redirect-missing': ['no redirect to HTTPS'],
  },
  shop: {
    'headers.hsts-missing': ['noStrictTransport'],
    'headers.csp-bypassable': ['inlineScriptsAllowed'],
    'headers.framing-allowed': ['framingAllowed'],
    'headers.security-headers-missing': ['typesGuessed', 'referrerToAll', 'noIsolation'],
    'headers.version-banner': ['versionsNamed'],
    'cookies.session-without-secure': ['cookieWithoutSecure'],
    'cookies.session-readable-by-script': ['cookieReadableByScript'],
    'cookies.session-without-samesite': ['cookieSentAcrossSites'],
    'cookies.session-sent-across-sites': ['partnerCookieAcrossSites'],
    'cookies.broad-domain': ['cookieForSubdomains'],
    'auth.session-fixation': ['sessionKeptAtLogin'],
    'auth.logout-keeps-session': ['sessionOutlivesLogout'],
    'guessing.password-guessing': ['passwordsGuessable'],
    'auth.jwt-weak-secret': ['weakSigningKey'],
    'auth.csrf': ['profileWithoutToken'],
    'chains.forge-session': ['roleFromSignedToken'],
    'cors.null-origin-trusted': ['nullOriginTrusted'],
    'cors.origin-prefix-or-suffix-trusted': ['suffixOriginTrusted'],
    'cors.reflected-origin-with-credentials': ['anyOriginReadsAccount'],
    'exposure.git-repository': ['repositoryServed'],
    'exposure.environment-file': ['settingsServed'],
    'exposure.backup-file': ['backupServed'],
    'exposure.source-map': ['sourceMapServed'],
    'exposure.secret-in-script': ['secretInScript'],
    'exposure.directory-listing': ['folderListed'],
    'exposure.stack-trace': ['stackTraces'],
    'exposure.openapi-public': ['apiDescriptionForAll'],
    'exposure.security-txt-missing': ['noSecurityContact'],
    'injection.reflected-xss': ['searchTermUnescaped'],
    'injection.open-redirect': ['anyRedirectTarget'],
    'injection.path-traversal': ['guideByPath'],
    'injection.host-header': ['forwardedHostTrusted'],
    'injection.trace-enabled': ['requestsTraced'],
    'client.dom-xss': ['fragmentAsMarkup'],
    'client.token-in-storage': ['tokenInStorage'],
    'client.vulnerable-library': ['oldLibrary'],
    'access.function-level': ['adminApiForAll'],
    'access.mass-assignment': ['roleFromProfile'],
  },
};

type OurFinding = {
  checkId: string;
  proof?: unknown;
  location: { url: string; parameter?: string | null | undefined };
};

/** The weaknesses that a finding of ours names; none when the truth does not list it. */
export function wordsFor(kind: TargetKind, { checkId, proof, location }: OurFinding): readonly string[] {
  if (checkId === 'tls.protocol-outdated')
    return ['TLS 1.0', 'TLS 1.1']
      .filter((name) => JSON.stringify(proof).includes(name))
      .map((name) => `protocol ${name}`);
  if (checkId.startsWith('injection.sql-'))
    return [location.parameter === 'q' ? 'searchTermInStatement' : 'categoryInStatement'];
  if (checkId === 'access.idor-read' || checkId === 'chains.hidden-route')
    return [location.url.includes('invoice') ? 'invoicesOfOthersReadable' : 'ordersOfOthersReadable'];
  return words[kind][checkId] ?? [];
}
