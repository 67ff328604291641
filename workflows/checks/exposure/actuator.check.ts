import type { Candidate } from '../../model/candidate.ts';
import { claim, type Step } from '../../model/experiment.ts';
import { firstMatch } from '../../proof/pattern.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { fingerprintSite } from '../pages/fingerprint-host.ts';
import { siteFolders, siteRoots } from '../pages/folders.ts';
import { lookAtGuesses } from './guesses.ts';

type ActuatorEndpoint = {
  path: string;
  shows: string;
  /** RE2 patterns that its JSON has to fit, all of them. */
  shape: readonly string[];
  cvss?: string;
};
type OpenEndpoint = { url: string; endpoint: ActuatorEndpoint };
/** An address without an endpoint only shows whether the others are worth a request. */
type Place = { url: string; endpoint?: ActuatorEndpoint };

/** Somebody else's session or password is in the answer, or can be. */
const grave = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N';

const requestWithHeaders = ['"request"\\s*:\\s*\\{', '(?i)"(?:cookie|authorization|x-[\\w-]+)"\\s*:'];

/**
 * Endpoints that show something which is not for visitors, in the JSON of Spring Boot 2 to 4. "health" and "info" are meant to be
 * public. "heapdump" would stop the application while it runs, and "shutdown" permanently: neither is ever asked for.
 * Source: Spring Boot Actuator REST API.
 */
const endpoints: readonly ActuatorEndpoint[] = [
  {
    path: 'httpexchanges',
    shows: 'the last requests with their headers',
    shape: ['^\\s*\\{\\s*"exchanges"\\s*:\\s*\\[', ...requestWithHeaders],
    cvss: grave,
  },
  {
    path: 'httptrace',
    shows: 'the last requests with their headers',
    shape: ['^\\s*\\{\\s*"traces"\\s*:\\s*\\[', ...requestWithHeaders],
    cvss: grave,
  },
  {
    path: 'env',
    shows: 'the settings of the application',
    shape: ['"activeProfiles"\\s*:\\s*\\[', '"propertySources"\\s*:\\s*\\[\\s*\\{\\s*"name"\\s*:'],
  },
  {
    path: 'configprops',
    shows: 'the settings of its parts',
    shape: ['^\\s*\\{\\s*"contexts"\\s*:\\s*\\{', '"prefix"\\s*:', '"properties"\\s*:\\s*\\{'],
  },
  {
    path: 'mappings',
    shows: 'all routes with the code behind them',
    shape: [
      '^\\s*\\{\\s*"contexts"\\s*:\\s*\\{',
      '"mappings"\\s*:\\s*\\{',
      '"(?:dispatcherServlets|dispatcherHandlers|servletFilters)"\\s*:',
    ],
  },
  {
    path: 'beans',
    shows: 'all components of the application',
    shape: ['^\\s*\\{\\s*"contexts"\\s*:\\s*\\{', '"beans"\\s*:\\s*\\{', '"scope"\\s*:\\s*"singleton"'],
  },
  {
    path: 'threaddump',
    shows: 'what every thread is doing',
    shape: ['^\\s*\\{\\s*"threads"\\s*:\\s*\\[', '"threadName"\\s*:', '"stackTrace"\\s*:\\s*\\['],
  },
  {
    path: 'loggers',
    shows: 'its loggers',
    shape: ['"levels"\\s*:\\s*\\[\\s*"OFF"', '"loggers"\\s*:\\s*\\{', '"ROOT"\\s*:\\s*\\{'],
  },
  { path: 'metrics', shows: 'its measurements', shape: ['^\\s*\\{\\s*"names"\\s*:\\s*\\[', '"jvm\\.[\\w.]+"'] },
];

/** The same in Spring Boot 1, which has them at the root of the application by default. */
const oldEndpoints: readonly ActuatorEndpoint[] = [
  {
    path: 'trace',
    shows: 'the last requests with their headers',
    shape: [
      '^\\s*\\[\\s*\\{\\s*"timestamp"\\s*:',
      '"info"\\s*:\\s*\\{\\s*"method"\\s*:',
      '"headers"\\s*:\\s*\\{\\s*"request"',
    ],
    cvss: grave,
  },
  {
    path: 'env',
    shows: 'the settings of the application',
    shape: ['^\\s*\\{\\s*"profiles"\\s*:\\s*\\[', '"systemProperties"\\s*:\\s*\\{', '"java\\.[\\w.]+"'],
  },
];

/** Asked for on any site; the others where it, or the list of all, shows that the folder is there. */
const likeliest = 'env';
/** The default folder, and the one that is configured most often. */
const bases = ['actuator/', 'manage/'];
/** An application may run below a folder. */
const maxFolders = 4;

/** Management endpoints of Spring Boot answer everybody. Source: WSTG-CONF-05, CWE-497. */
export const actuator = defineCheck<OpenEndpoint>({
  id: 'exposure.actuator',
  title: 'Exposed Spring Boot Actuator endpoints',
  cwe: 497,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 10,

  async detect(context) {
    const roots = siteRoots(context.surface);
    const isJava = (await fingerprintSite(context)).has('java');
    const placesIn = (folders: readonly string[], asked: readonly ActuatorEndpoint[]): Place[] =>
      folders.flatMap((folder) => asked.map((endpoint) => ({ url: folder + endpoint.path, endpoint })));
    const folders = siteFolders(context, maxFolders).flatMap((folder) => bases.map((base) => folder + base));
    const all = [...placesIn(folders, endpoints), ...placesIn(roots, oldEndpoints)];
    const likely = endpoints.filter(({ path }) => path === likeliest);
    const first: Place[] = [
      ...roots.map((root) => ({ url: `${root}actuator` })),
      ...placesIn(folders, likely),
      ...placesIn(roots, oldEndpoints),
    ];
    const asked = new Set(first.map(({ url }) => url));
    const further = all.filter(({ url }) => !asked.has(url));
    return lookAtGuesses(context, isJava ? { first: all, further: [] } : { first, further }, look);
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { url, endpoint } = data;
    const step = (at: string, note: string): Step => ({
      http: { url: at },
      note,
      expect: [
        claim('status', 'equals', '200'),
        ...endpoint.shape.map((pattern) => claim('body:masked', 'matches', pattern)),
      ],
    });
    return {
      steps: [
        step(url, `The endpoint "${endpoint.path}" shows ${endpoint.shows}, in the form that Spring Boot gives it.`),
      ],
      control: [step(url.replace(/[^/]+$/, '‹nonce›'), 'An endpoint of a random name beside it does not.')],
    };
  },

  explain: {
    description:
      'Spring Boot Actuator lets operators look into a running application. Here endpoints of it that are not meant for visitors answer without logging in.',
    impact:
      'They show settings, routes, components and, in traces of requests, cookies and tokens of other users. Together they are a plan of the application; a heap dump, where it is offered too, holds every password in memory.',
    sends:
      'GET requests for the list of endpoints, for `env` below `actuator/` and `manage/` in up to 4 folders and for two of Spring Boot 1; where one answers, or Java is seen, for eight more in each. Never for `heapdump` or `shutdown`.',
    proves:
      'An endpoint answers with the JSON that Spring Boot writes; a random endpoint beside it does not. An attacker reads settings and routes, or, in traces, the headers of other visitors’ requests.',
    remedy:
      'Expose only what is needed: `management.endpoints.web.exposure.include=health,info`. Put the rest on a port that is not reachable from outside (`management.server.port=9090`, `management.server.address=127.0.0.1`) or behind a role: `http.securityMatcher(EndpointRequest.toAnyEndpoint()).authorizeHttpRequests(a -> a.anyRequest().hasRole("OPS"))`. Refuse the path in the proxy as well: nginx `location /actuator { return 404; }`.',
    references: [
      'Spring Boot, securing endpoints: https://docs.spring.io/spring-boot/reference/actuator/endpoints.html#actuator.endpoints.security',
      'CWE-497: https://cwe.mitre.org/data/definitions/497.html',
      'WSTG-CONF-05: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/05-Enumerate_Infrastructure_and_Application_Admin_Interfaces',
    ],
  },
});

async function look({ http }: CheckContext, { url, endpoint }: Place): Promise<Candidate<OpenEndpoint>[]> {
  const { status, text } = await http.get(url);
  if (endpoint === undefined) return [];
  const { shape, path, shows, cvss } = endpoint;
  if (status !== 200 || shape.some((pattern) => firstMatch(pattern, text) === undefined)) return [];
  return [
    {
      location: { url },
      // One setting opens them all.
      route: '/actuator',
      detail: `The endpoint "${path}" shows ${shows}.`,
      ...(cvss ? { cvss } : {}),
      data: { url, endpoint },
    },
  ];
}
