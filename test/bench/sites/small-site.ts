import { makeCertificate } from '../../fixtures/certificates.ts';
import { type Answer, escapeHtml, html, type Site, startSite } from '../../fixtures/site.ts';

/** A small site over HTTPS as a careful team runs it, with the PEM of the authority of its certificate. */
export type SmallSite = Site & { authority: string };

const topics = ['bread', 'coffee', 'opening-hours', 'our-flour', 'visit'];

/** Headers that leave nothing to say. */
export const security = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'content-security-policy': "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const navigation = topics.map((topic) => `<a href="/${topic}">${topic}</a>`).join(' ');
const searchForm = '<form action="/search"><input name="q"><button>Search</button></form>';
const page = (content: string, status = 200): Answer =>
  html(`<nav>${navigation}</nav>${searchForm}${content}<script src="/site.js"></script>`, status, security);

/** Starts it under a name on loopback; whoever listens there counts the requests. */
export async function startSmallSite(host: string): Promise<SmallSite> {
  const authority = await makeCertificate({ commonName: 'Bench authority', isAuthority: true });
  const certificate = await makeCertificate({ commonName: host, issuer: authority });
  const site = await startSite(
    ({ path, query }) => {
      if (path === '/') return page('<h1>A bakery</h1>');
      if (path === '/search') return page(`<p>Nothing is called ${escapeHtml(query.get('q') ?? '')}.</p>`);
      if (path === '/site.js')
        return { headers: { ...security, 'content-type': 'text/javascript' }, body: 'document.title += "!";' };
      if (topics.includes(path.slice(1))) return page(`<h1>${path.slice(1)}</h1><p>Every day from seven.</p>`);
      return page('<h1>There is no such page.</h1>', 404);
    },
    { host, tls: certificate },
  );
  return { ...site, authority: authority.cert };
}
