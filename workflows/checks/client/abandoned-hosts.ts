/** A host that served files to many sites, and that its makers no longer have or keep. */
export type AbandonedHost = {
  /** The domain; hosts below it count, too. */
  domain: string;
  /** What became of it, to stand behind the host's name. */
  fate: string;
  /** Somebody else has had the domain, and changed what it serves. */
  isTakenOver: boolean;
};

const polyfill = 'was sold in 2024, and its new owner added code to the files that sends visitors elsewhere';
const sameOwner = 'is run by those who added hostile code to the files of polyfill.io in 2024';
const ended = 'ended its service: nobody keeps the files';

/**
 * Sources: Sansec, "Polyfill supply chain attack hits 100K+ sites" (June 2024) and what Cloudflare and Censys found to belong to
 * the same owner; the notices of the services that ended.
 */
const hosts: readonly AbandonedHost[] = [
  ...['polyfill.io', 'polyfill.com'].map((domain) => ({
    domain,
    fate: polyfill,
    isTakenOver: true,
  })),
  ...[
    'bootcdn.net',
    'bootcss.com',
    'staticfile.net',
    'staticfile.org',
    'unionadjs.com',
    'xhsbpza.com',
    'union.macoms.la',
    'newcrbpc.com',
  ].map((domain) => ({ domain, fate: sameOwner, isTakenOver: true })),
  ...[
    'rawgit.com',
    'rawgithub.com',
    'gitcdn.xyz',
    'oss.maxcdn.com',
    'netdna-cdn.com',
    'netdna-ssl.com',
    'cdn.mathjax.org',
    'googlecode.com',
  ].map((domain) => ({ domain, fate: ended, isTakenOver: false })),
];

/** @param host as it stands in a URL */
export function abandonedHost(host: string): AbandonedHost | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.find(({ domain }) => name === domain || name.endsWith(`.${domain}`));
}
