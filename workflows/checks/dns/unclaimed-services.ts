/**
 * What a hosting service says of a name that no customer of it has. Only services where whoever comes next may take such a
 * name, without showing that it is theirs, and whose page two sources describe alike.
 * Sources: https://github.com/EdOverflow/can-i-take-over-xyz (fingerprints.json), ProjectDiscovery's templates of takeovers, and
 * the services' own pages. Left out on purpose: Heroku, ngrok, UserVoice, Vercel, Fastly (names are no longer given to others), Bitbucket
 * (serves no names but its own), Ghost, LaunchRock, ReadMe, Read the Docs, Gemfury (their sources disagree, or the page is also shown of names
 * that somebody has).
 */
export type UnclaimedAnswer = {
  service: string;
  /** RE2 pattern of the names that the service gives its customers, without the dot at the end. */
  target: string;
  status: number;
  /** RE2 pattern of the body. */
  body: string;
  heldBy?: HeldBy;
};

/**
 * Names whose text record, a token of the service, makes it refuse the owner to other customers.
 * @param owner the alias, which leads to `target`
 */
export type HeldBy = (owner: string, target: string) => string[];

/** RE2 pattern of such a token, which distinguishes it from what a wildcard in the zone answers. */
export const tokenPattern = '(?im)^[0-9a-f]{20,}$';

const parentOf = (name: string): string => name.slice(name.indexOf('.') + 1);
const firstLabel = (name: string): string => name.slice(0, name.indexOf('.'));

/** A verified domain covers itself and the names right below it. Source: GitHub, "Verifying your custom domain for GitHub Pages". */
const byGitHub: HeldBy = (owner, target) =>
  [owner, parentOf(owner)].map((name) => `_github-pages-challenge-${firstLabel(target)}.${name}`);

/** Source: Microsoft, "Prevent subdomain takeovers in Azure App Service". */
const byAppService: HeldBy = (owner) => [`asuid.${owner}`];

export const unclaimedAnswers: readonly UnclaimedAnswer[] = [
  {
    service: 'Amazon S3',
    target: '(?:^|\\.)s3(?:[.-][a-z0-9-]+)*\\.amazonaws\\.com(?:\\.cn)?$',
    status: 404,
    body: '<Code>NoSuchBucket</Code>|<li>Code: NoSuchBucket</li>',
  },
  {
    service: 'GitHub Pages',
    target: '^[^.]+\\.github\\.io$',
    status: 404,
    body: "There isn't a GitHub Pages site here\\.",
    heldBy: byGitHub,
  },
  {
    service: 'Pantheon',
    target: '\\.pantheonsite\\.io$',
    status: 404,
    body: '404 error unknown site!|The gods are wise, but do not know of the site which you seek',
  },
  { service: 'Surge', target: '(?:^|\\.)surge\\.sh$', status: 404, body: 'project not found' },
  { service: 'HatenaBlog', target: '(?:^|\\.)hatenablog\\.com$', status: 404, body: '404 Blog is not found' },
  {
    service: 'Help Scout Docs',
    target: '(?:^|\\.)helpscoutdocs\\.com$',
    status: 404,
    body: 'No settings were found for this company:',
  },
  {
    service: 'Help Juice',
    target: '\\.helpjuice\\.com$',
    status: 404,
    body: "We could not find what you're looking for\\.",
  },
  {
    service: 'Pingdom status pages',
    target: '^stats\\.pingdom\\.com$',
    status: 404,
    body: "Sorry, couldn't find the status page",
  },
  {
    service: 'Short.io',
    target: '(?:^|\\.)cname\\.short\\.io$',
    status: 404,
    // "Link does not exist" alone is said of a domain that a customer has, too.
    body: 'This domain is not configured on Short\\.io',
  },
  {
    service: 'Strikingly',
    target: '^s\\.strikinglydns\\.com$',
    status: 404,
    body: "But if you're looking to build your own website|PAGE NOT FOUND\\.",
  },
  { service: 'SurveySparrow', target: '\\.surveysparrow\\.com$', status: 404, body: 'Account not found\\.' },
  {
    service: 'Uberflip',
    target: '^read\\.uberflip\\.com$',
    status: 404,
    body: "The URL you've accessed does not provide a hub\\.",
  },
  {
    service: 'WordPress.com',
    target: '\\.wordpress\\.com$',
    status: 404,
    body: 'Do you want to register <em>[^<]+\\.wordpress\\.com',
  },
  {
    service: 'Worksites',
    target: '(?:^|\\.)worksites\\.net$',
    status: 404,
    body: 'Hello! Sorry, but the website you(?:&rsquo;|’)re looking for doesn(?:&rsquo;|’)t exist\\.|(?s)Company Not Found.*worksites\\.net',
  },
];

/**
 * Services whose customers choose their names, and whose zones have no others: one that is not there can be chosen. Names with a part
 * that the service makes up (`app-1a2b3c.westeurope-01.azurewebsites.net`) have more labels, and cannot.
 * Sources: https://learn.microsoft.com/azure/security/fundamentals/subdomain-takeover, can-i-take-over-xyz. Cloud Services (cloudapp.net)
 * and Azure CDN (azureedge.net) give no names any more.
 */
export const chosenNames: readonly { service: string; target: string; heldBy?: HeldBy }[] = [
  { service: 'Azure App Service', target: '^[^.]+\\.azurewebsites\\.net$', heldBy: byAppService },
  {
    service: 'Microsoft Azure',
    target:
      '^[^.]+\\.(?:trafficmanager\\.net|azure-api\\.net|blob\\.core\\.windows\\.net|[a-z0-9]+\\.(?:cloudapp\\.azure\\.com|azurecontainer\\.io))$',
  },
  { service: 'AWS Elastic Beanstalk', target: '^[^.]+\\.[a-z]{2}(?:-[a-z]+)+-\\d\\.elasticbeanstalk\\.com$' },
];
