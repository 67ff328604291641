/**
 * What a hosting service says of a name that no customer of it has. Only services where whoever comes next may take such a
 * name, without showing that it is theirs. Source: https://github.com/EdOverflow/can-i-take-over-xyz, and the services' own pages.
 */
export type UnclaimedAnswer = {
  service: string;
  /** RE2 pattern of the names that the service gives its customers, without the dot at the end. */
  target: string;
  status: number;
  /** RE2 pattern of the body. */
  body: string;
};

export const unclaimedAnswers: readonly UnclaimedAnswer[] = [
  {
    service: 'Amazon S3',
    target: '(?:^|\\.)s3(?:[.-][a-z0-9-]+)*\\.amazonaws\\.com(?:\\.cn)?$',
    status: 404,
    body: '<Code>NoSuchBucket</Code>|<li>Code: NoSuchBucket</li>',
  },
  { service: 'Bitbucket Pages', target: '\\.bitbucket\\.io$', status: 404, body: 'Repository not found' },
  {
    service: 'GitHub Pages',
    target: '\\.github\\.io$',
    status: 404,
    body: "There isn't a GitHub Pages site here\\.",
  },
  {
    service: 'Heroku',
    target: '\\.(?:herokuapp|herokudns)\\.com$',
    status: 404,
    body: 'error-pages/no-such-app\\.html',
  },
  { service: 'Pantheon', target: '\\.pantheonsite\\.io$', status: 404, body: '404 error unknown site!' },
  { service: 'Surge', target: '(?:^|\\.)surge\\.sh$', status: 404, body: 'project not found' },
  { service: 'Gemfury', target: '\\.furyns\\.com$', status: 404, body: '404: This page could not be found\\.' },
  {
    service: 'Ghost',
    target: '\\.ghost\\.io$',
    status: 404,
    body: 'Site unavailable|Failed to resolve DNS path for this host',
  },
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
  { service: 'LaunchRock', target: '\\.launchrock\\.com$', status: 500, body: 'HTTP_STATUS=500' },
  {
    service: 'Ngrok',
    target: '\\.ngrok(?:-free\\.app|\\.io|\\.app|\\.dev)$',
    status: 404,
    body: 'Tunnel \\S+ not found|ERR_NGROK_3200',
  },
  {
    service: 'Pingdom status pages',
    target: '\\.pingdom\\.com$',
    status: 404,
    body: "Sorry, couldn't find the status page",
  },
  {
    service: 'ReadMe',
    target: '\\.readme\\.io$',
    status: 404,
    body: 'The creators of this project are still working on making everything perfect!',
  },
  {
    service: 'Read the Docs',
    target: '(?:^|\\.)readthedocs\\.io$',
    status: 404,
    body: 'The link you have followed or the URL that you entered does not exist\\.',
  },
  {
    service: 'Short.io',
    target: '(?:^|\\.)cname\\.short\\.io$',
    status: 404,
    body: 'Link does not exist',
  },
  {
    service: 'SmartJobBoard',
    target: '\\.smartjobboard\\.com$',
    status: 404,
    body: 'This job board website is either expired or its domain name is invalid\\.',
  },
  {
    service: 'Strikingly',
    target: '\\.(?:strikinglydns|s\\.strikinglydns)\\.com$',
    status: 404,
    body: 'PAGE NOT FOUND\\.',
  },
  { service: 'SurveySparrow', target: '\\.surveysparrow\\.com$', status: 404, body: 'Account not found\\.' },
  {
    service: 'Uberflip',
    target: '(?:^|\\.)read\\.uberflip\\.com$',
    status: 404,
    body: "The URL you've accessed does not provide a hub\\.",
  },
  {
    service: 'UserVoice',
    target: '\\.uservoice\\.com$',
    status: 404,
    body: 'This UserVoice subdomain is currently available!',
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
    body: 'Hello! Sorry, but the website you(?:&rsquo;|’)re looking for doesn(?:&rsquo;|’)t exist\\.',
  },
  {
    service: 'Agile CRM',
    target: '\\.agilecrm\\.com$',
    status: 404,
    body: 'Sorry, this page is no longer available\\.',
  },
];

/**
 * Services whose customers choose their names, and whose zones have no others: one that is not there can be chosen.
 * Source: https://learn.microsoft.com/azure/security/fundamentals/subdomain-takeover, can-i-take-over-xyz.
 */
export const chosenNames: readonly { service: string; target: string }[] = [
  {
    service: 'Microsoft Azure',
    target:
      '\\.(?:cloudapp\\.net|cloudapp\\.azure\\.com|azurewebsites\\.net|trafficmanager\\.net|azureedge\\.net|azure-api\\.net|azurecontainer\\.io|blob\\.core\\.windows\\.net|search\\.windows\\.net|azurehdinsight\\.net)$',
  },
  { service: 'AWS Elastic Beanstalk', target: '\\.[a-z]{2}-[a-z]+-\\d\\.elasticbeanstalk\\.com$' },
  { service: 'Discourse', target: '\\.trydiscourse\\.com$' },
];
