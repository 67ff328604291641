import type { Exchange } from '../../model/http.ts';
import type { PageSurface, Surface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import { siteRoots } from './folders.ts';
import { missingLike } from './soft-404.ts';

/** What a site is made with or served by, as far as its answers show. */
export type Stack =
  | 'php'
  | 'wordpress'
  | 'laravel'
  | 'symfony'
  | 'drupal'
  | 'joomla'
  | 'magento'
  | 'python'
  | 'django'
  | 'ruby'
  | 'rails'
  | 'java'
  | 'dotnet'
  | 'node'
  | 'vite'
  | 'go'
  | 'apache'
  | 'nginx'
  | 'iis'
  | 'tomcat';

type Trace = {
  stack: Stack;
  header?: RegExp;
  cookie?: RegExp;
  address?: RegExp;
  field?: RegExp;
  /** What its own page says of a name that is not there. */
  missing?: RegExp;
  implies?: Stack;
};

/** Header lines are "name: value" in lower case. Sources: the defaults of each program. */
const traces: readonly Trace[] = [
  {
    stack: 'php',
    header: /^x-powered-by: php/,
    cookie: /^PHPSESSID$/,
    address: /\.php[57]?(?:[?/]|$)/i,
    missing: /^(?:File not found\.|No input file specified\.)\s*$/,
  },
  {
    stack: 'wordpress',
    header: /^(?:link: .*\/wp-json\/|x-pingback: )/,
    cookie: /^wordpress_/,
    address: /\/wp-(?:content|includes|json)\//,
    implies: 'php',
  },
  { stack: 'laravel', cookie: /^(?:laravel_session|XSRF-TOKEN)$/, field: /^_token$/, implies: 'php' },
  { stack: 'symfony', header: /^x-debug-token/, address: /\/(?:_wdt|_profiler|bundles)\//, implies: 'php' },
  {
    stack: 'drupal',
    header: /^x-(?:drupal-|generator: drupal)/,
    address: /\/sites\/(?:default|all)\/|\/core\/misc\/drupal/,
    implies: 'php',
  },
  { stack: 'joomla', address: /\/(?:media\/(?:jui|system|vendor\/joomla)|components\/com_)/, implies: 'php' },
  {
    stack: 'magento',
    header: /^x-magento-/,
    cookie: /^(?:mage-|frontend$)/,
    address: /\/static\/(?:version\d+\/)?frontend\//,
    implies: 'php',
  },
  {
    stack: 'python',
    header: /^server: .*(?:python|gunicorn|uvicorn|werkzeug|waitress|tornado|cherrypy)/,
    missing: /If you entered the URL manually please check your spelling|^\{"detail":"Not Found"\}$/,
  },
  {
    stack: 'django',
    cookie: /^(?:csrftoken|django_language)$/,
    field: /^csrfmiddlewaretoken$/,
    missing: /<p>The requested resource was not found on this server\.<\/p>|<code>DEBUG = True<\/code>/,
    implies: 'python',
  },
  { stack: 'ruby', header: /^(?:server: .*(?:puma|passenger|webrick|thin)|x-powered-by: phusion)/ },
  {
    stack: 'rails',
    header: /^x-runtime: /,
    field: /^authenticity_token$/,
    address: /\/packs\//,
    missing: /The page you were looking for doesn.t exist/,
    implies: 'ruby',
  },
  {
    stack: 'java',
    header: /^(?:server: .*(?:jetty|glassfish|weblogic|wildfly|jboss)|x-powered-by: .*(?:servlet|jsp))/,
    cookie: /^JSESSIONID$/,
    address: /\.(?:jsp|do|action|jsf)(?:[;?]|$)/i,
    missing:
      /<h1>Whitelabel Error Page<\/h1>|^\{"timestamp":[^{}]{1,60},"status":404,"error":"Not Found"|>Powered by Jetty:/,
  },
  {
    stack: 'tomcat',
    header: /^server: .*(?:coyote|tomcat)/,
    missing: /<h1>HTTP Status 404 |<h3>Apache Tomcat\//,
    implies: 'java',
  },
  {
    stack: 'dotnet',
    header: /^(?:x-powered-by: asp\.net|x-aspnet|server: kestrel)/,
    cookie: /^(?:ASP\.NET_SessionId|\.AspNet)/,
    field: /^__(?:VIEWSTATE|RequestVerificationToken)$/,
    address: /\.(?:aspx|ashx|asmx|asp)(?:\?|$)/i,
    missing: /<i>The resource cannot be found\.<\/i>/,
  },
  {
    stack: 'iis',
    header: /^server: microsoft-iis/,
    missing: /<h2>404 - File or directory not found\.<\/h2>/,
    implies: 'dotnet',
  },
  {
    stack: 'node',
    header: /^x-powered-by: (?:express|next)/,
    cookie: /^connect\.sid$/,
    address: /\/_next\/|\/_nuxt\//,
    missing: /<pre>Cannot GET \/|^\{"message":"Route GET:|^\{"statusCode":404,"message":"Cannot GET \//,
  },
  { stack: 'vite', address: /\/@vite\/client|\/@react-refresh|\/src\/main\.[jt]sx?/, implies: 'node' },
  { stack: 'go', header: /^server: (?:caddy|traefik)/, missing: /^404 page not found\s*$/ },
  { stack: 'apache', header: /^server: apache(?!-coyote)/, missing: /<address>Apache\// },
  { stack: 'nginx', header: /^server: (?:nginx|openresty|tengine)/, missing: /<center>(?:nginx|openresty|tengine)/ },
];

/** What the survey's answers show of the host, and what it answers to random names. @throws ProbeError */
export async function fingerprintSite(context: CheckContext): Promise<Set<Stack>> {
  const seen = fingerprintHost(context.surface);
  const [root] = siteRoots(context.surface);
  if (identifiesPlatform(seen) || root === undefined) return seen;
  const missing = await Promise.all(['x', 'x.php'].map((name) => missingLike(context, root + name)));
  return fingerprintHost(
    context.surface,
    missing.flat().map(({ exchange }) => exchange),
  );
}

/**
 * What the survey's answers show of the host. Behind a proxy there may be several products, or none may be visible.
 * @param missing answers for names that are not there
 */
export function fingerprintHost({ origins, pages, forms }: Surface, missing: readonly Exchange[] = []): Set<Stack> {
  const lines = [...origins, ...pages, ...missing].flatMap(({ headers }) =>
    headers.map(([name, value]) => `${name}: ${value}`.toLowerCase()),
  );
  const setCookies = [
    ...pages.flatMap((page) => page.setCookies),
    ...missing.flatMap((answer) => answer.headerValues('set-cookie')),
  ];
  const cookies = setCookies.map((line) => line.split('=', 1)[0]?.trim() ?? '');
  const addresses = pages.flatMap(addressesOf);
  const fields = forms.flatMap((form) => form.fields.map(({ name }) => name));
  const shows = ({ header, cookie, address, field, missing: said }: Trace): boolean =>
    missing.some(({ text }) => said?.test(text)) ||
    lines.some((line) => header?.test(line)) ||
    cookies.some((name) => cookie?.test(name)) ||
    addresses.some((url) => address?.test(url)) ||
    fields.some((name) => field?.test(name));
  const found = traces.filter(shows);
  return new Set(found.flatMap(({ stack, implies }) => (implies ? [stack, implies] : [stack])));
}

/** Whether they identify what the site is made with: a server alone does not say what runs behind it. */
export const identifiesPlatform = (stacks: ReadonlySet<Stack>): boolean =>
  [...stacks].some((stack) => stack !== 'apache' && stack !== 'nginx');

const addressesOf = ({ url, scripts }: PageSurface): string[] => [
  url,
  ...scripts.flatMap((script) => script.url ?? []),
];
