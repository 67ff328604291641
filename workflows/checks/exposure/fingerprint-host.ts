import type { PageSurface, Surface } from '../../model/surface.ts';

/** What a site is made with or served by, as far as its answers tell. */
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

type Trace = { stack: Stack; header?: RegExp; cookie?: RegExp; address?: RegExp; field?: RegExp; implies?: Stack };

/** Header lines are "name: value" in lower case. Sources: the defaults of each program. */
const traces: readonly Trace[] = [
  { stack: 'php', header: /^x-powered-by: php/, cookie: /^PHPSESSID$/, address: /\.php[57]?(?:[?/]|$)/i },
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
  { stack: 'python', header: /^server: .*(?:python|gunicorn|uvicorn|werkzeug|waitress|tornado|cherrypy)/ },
  { stack: 'django', cookie: /^(?:csrftoken|django_language)$/, field: /^csrfmiddlewaretoken$/, implies: 'python' },
  { stack: 'ruby', header: /^(?:server: .*(?:puma|passenger|webrick|thin)|x-powered-by: phusion)/ },
  { stack: 'rails', header: /^x-runtime: /, field: /^authenticity_token$/, address: /\/packs\//, implies: 'ruby' },
  {
    stack: 'java',
    header: /^(?:server: .*(?:jetty|glassfish|weblogic|wildfly|jboss)|x-powered-by: .*(?:servlet|jsp))/,
    cookie: /^JSESSIONID$/,
    address: /\.(?:jsp|do|action|jsf)(?:[;?]|$)/i,
  },
  { stack: 'tomcat', header: /^server: .*(?:coyote|tomcat)/, implies: 'java' },
  {
    stack: 'dotnet',
    header: /^(?:x-powered-by: asp\.net|x-aspnet|server: kestrel)/,
    cookie: /^(?:ASP\.NET_SessionId|\.AspNet)/,
    field: /^__(?:VIEWSTATE|RequestVerificationToken)$/,
    address: /\.(?:aspx|ashx|asmx|asp)(?:\?|$)/i,
  },
  { stack: 'iis', header: /^server: microsoft-iis/, implies: 'dotnet' },
  {
    stack: 'node',
    header: /^x-powered-by: (?:express|next)/,
    cookie: /^connect\.sid$/,
    address: /\/_next\/|\/_nuxt\//,
  },
  { stack: 'vite', address: /\/@vite\/client|\/@react-refresh|\/src\/main\.[jt]sx?/, implies: 'node' },
  { stack: 'go', header: /^server: (?:caddy|traefik)/ },
  { stack: 'apache', header: /^server: apache(?!-coyote)/ },
  { stack: 'nginx', header: /^server: (?:nginx|openresty|tengine)/ },
];

/** What the survey's answers tell of the host. Behind a proxy several may be there, or none be told. */
export function fingerprintHost({ origins, pages, forms }: Surface): Set<Stack> {
  const lines = [...origins, ...pages].flatMap(({ headers }) =>
    headers.map(([name, value]) => `${name}: ${value}`.toLowerCase()),
  );
  const cookies = pages.flatMap(({ setCookies }) => setCookies.map((line) => line.split('=', 1)[0]?.trim() ?? ''));
  const addresses = pages.flatMap(addressesOf);
  const fields = forms.flatMap((form) => form.fields.map(({ name }) => name));
  const shows = ({ header, cookie, address, field }: Trace): boolean =>
    lines.some((line) => header?.test(line)) ||
    cookies.some((name) => cookie?.test(name)) ||
    addresses.some((url) => address?.test(url)) ||
    fields.some((name) => field?.test(name));
  const found = traces.filter(shows);
  return new Set(found.flatMap(({ stack, implies }) => (implies ? [stack, implies] : [stack])));
}

/** Whether they tell what the site is made with: a server alone does not say what runs behind it. */
export const tellMake = (stacks: ReadonlySet<Stack>): boolean =>
  [...stacks].some((stack) => stack !== 'apache' && stack !== 'nginx');

const addressesOf = ({ url, scripts }: PageSurface): string[] => [
  url,
  ...scripts.flatMap((script) => script.url ?? []),
];
