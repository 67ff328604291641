import { create } from '@bufbuild/protobuf';
import { createLogger } from '../../../kit/logger.ts';
import { type Login, LoginSchema } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import { gatedSurface } from '../../../workflows/activities/gated-surface.ts';
import type { ChainStep, Check, CheckContext } from '../../../workflows/checks/contract.ts';
import { exposedPaths } from '../../../workflows/checks/exposure/paths/catalogue.ts';
import { factIdOf } from '../../../workflows/checks/facts.ts';
import { type LibraryData, shippedLibraryData } from '../../../workflows/checks/library-data.ts';
import { type CheckResult, runCheck } from '../../../workflows/checks/run-check.ts';
import { isPrivileged } from '../../../workflows/checks/sessions/roles.ts';
import { contextAs, findingAs, proverAs } from '../../../workflows/checks/visitors/as-visitor.ts';
import { ownSurface } from '../../../workflows/checks/visitors/own-surface.ts';
import { type LogIn, loginUrlOf, loginWith } from '../../../workflows/login/log-in.ts';
import { passwordOf, usernameOf } from '../../../workflows/login/settings.ts';
import type { WebStorage } from '../../../workflows/model/browser.ts';
import type { CallbackProbe } from '../../../workflows/model/callbacks.ts';
import type { Fact } from '../../../workflows/model/fact.ts';
import type { Identity } from '../../../workflows/model/identity.ts';
import type { Surface } from '../../../workflows/model/surface.ts';
import { withGivenCookies } from '../../../workflows/observation/given-cookies.ts';
import { createLeads } from '../../../workflows/observation/leads.ts';
import { observeAs } from '../../../workflows/observation/visitor.ts';
import { type ActionOutcome, type ActTools, actStep } from '../../../workflows/planner/act.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import type { Gate, GateSettings } from '../../../workflows/probe/gate/gate.ts';
import { knowledgeOf } from '../../../workflows/probe/gate/knowledge.ts';
import { noteIdentity } from '../../../workflows/probe/gate/sessions.ts';
import { parseAllowRules } from '../../../workflows/probe/guard/allow.ts';
import { type OpenProbes, openProbes } from '../../../workflows/probe/open.ts';
import { createTrust } from '../../../workflows/probe/tls/trust.ts';
import type { PlannedWrite, RecordedLasting } from '../../../workflows/proof/planned-write.ts';
import { prove } from '../../../workflows/proof/prove.ts';
import { storeAndLook } from '../../../workflows/proof/store-and-look.ts';
import type { ProofContext } from '../../../workflows/proof/trial.ts';
import { survey } from '../../../workflows/survey/crawler.ts';
import { addedTo, unitedSurface } from '../../../workflows/survey/united.ts';
import { testBrowsers } from '../../support/browsers.ts';

/** A session that the test has made: the checks of logins are elsewhere. */
export type TestIdentity = {
  name: string;
  role?: string;
  cookies?: Record<string, string>;
  headers?: [string, string][];
  /** With it the session is made by a real login, and further ones can be. */
  login?: TestLogin | Login;
  /** What its pages' scripts keep, where it is not its login that is typed into a browser. */
  storage?: WebStorage;
  /** Path and text that show that the session works. */
  checkPath: string;
  marker: string;
};

/** Credentials for a form, typed into the browser if need be, or for JSON with the token at a path of the answer. */
export type TestLogin = {
  path: string;
  username: string;
  password: string;
  json?: { tokenPath: string };
  inBrowser?: boolean;
};

export type AuditOptions = {
  /** Without one the checks that need a browser report that there is none. */
  browsers?: BrowserPool;
  identities?: TestIdentity[];
  /** "ip:port" of a name server. */
  dnsServer?: string;
  /** Keys that DNSSEC is validated by instead of the root's. */
  dnsAnchors?: readonly string[];
  /** Where mail servers listen; 25 by default. */
  mailPort?: number;
  /** Further names that may be found on loopback. */
  hosts?: string[];
  /** PEM of an authority that is trusted. */
  authority?: string;
  startPaths?: string[];
  /** The survey of each identity begins at its check page, too, as that of a scan does. */
  startsAtCheckPages?: true;
  /** What sent forms lead to is surveyed as well, as in a scan. */
  followsLeads?: true;
  /** Takes over what this one has seen of the same site, instead of looking around again. */
  after?: Audit;
  /** What is published on libraries; what is shipped by default. */
  libraryData?: LibraryData;
  now?: () => Date;
  /** For everything that the audit does; 120,000 by default. */
  timeLimitMs?: number;
  /** 5,000 by default. */
  maxRequests?: number;
  /** Requests that each check may look with; without a bound by default. */
  allowance?: number;
  /** Hears callbacks; without it the checks report that there is no listener. */
  callbacks?: CallbackProbe;
  /** Of the scan that is played; "standard" by default. A deep one observes unknown forms before it probes them. */
  depth?: GateSettings['depth'];
  /** What the domain's scope allows; "reversible" by default. */
  writes?: GateSettings['writes'];
};

/** What a check is run in, and what came before it: a survey for each visitor, by the real crawler. */
export type Audit = {
  context: CheckContext;
  gate: Gate;
  /** What the engine has and checks have not. */
  licensed: OpenProbes['licensed'];
  /** What was announced before it was sent, in order. */
  writes: PlannedWrite[];
  /** What was read to be gone, in order. */
  undone: PlannedWrite[];
  /** What was announced to stay, in order. */
  lasting: RecordedLasting[];
  requests(): number;
  close(): Promise<void>;
};

export { testBrowsers };

/** Opens real instruments on a fixture's URL, looks around, and is ready to run checks. */
export async function openAudit(url: string, options: AuditOptions = {}): Promise<Audit> {
  const signal = new AbortController().signal;
  const hosts = ['*.localhost', 'shop.localhost', ...(options.hosts ?? [])];
  const probes = openProbes({
    runId: '0193b2a0-0000-7000-8000-000000000002',
    target: url,
    share: {
      maxRequests: options.maxRequests ?? 5_000,
      maxConnections: 5,
      requestsPerSecond: 500,
      deadlineMs: Date.now() + (options.timeLimitMs ?? 120_000),
    },
    guard: {
      allow: parseAllowRules(hosts.map((host) => `${host}=127.0.0.0/8`)),
      dnsServer: options.dnsServer,
      dnsAnchors: options.dnsAnchors,
      mailPort: options.mailPort,
    },
    signal,
    logger: createLogger('test', 'silent'),
    trust: createTrust(options.authority),
    ...(options.browsers ? { browsers: options.browsers } : {}),
    gate: {
      depth: options.depth ?? 'standard',
      writes: options.writes ?? 'reversible',
      cataloguedPaths: exposedPaths.flatMap(({ paths }) => paths),
    },
  });
  const { gate, licensed } = probes;
  const credentials = { http: licensed('credentials'), browser: probes.browser };
  const look = (identity?: Identity): Promise<Surface> =>
    survey({
      probes,
      url,
      startUrls: [
        ...(options.startPaths ?? []),
        ...(identity && options.startsAtCheckPages ? [identity.checkUrl] : []),
      ],
      excludedPaths: [],
      signal,
      ...(identity ? { identity } : {}),
    });
  const identities: Record<string, Identity> = {};
  const logins = new Map<string, LogIn>();
  for (const given of options.identities ?? []) {
    identities[given.name] = identityOf(given, url, probes.http.newJar());
    if (!given.login) continue;
    const login = '$typeName' in given.login ? given.login : loginOf(given.login);
    const enter = loginWith({ ...credentials, baseUrl: url, signal }, login);
    const { jar, headers, recipe, storage } = await enter();
    jar.settle();
    const loginUrl = loginUrlOf(login, url) ?? '';
    const kept = given.storage ?? storage;
    const password = passwordOf(login);
    const own = {
      ...{ headers, loginUrl, recipe, userName: usernameOf(login) ?? '' },
      ...(kept && { storage: kept }),
      ...(password && { password: () => password }),
    };
    identities[given.name] = { ...identityOf(given, url, jar), ...own };
    logins.set(given.name, enter);
  }
  for (const identity of Object.values(identities)) noteIdentity(gate, identity);
  const surfaces: Record<string, Surface> = { ...options.after?.context.surfaces };
  if (!options.after) for (const identity of Object.values(identities)) surfaces[identity.name] = await look(identity);
  let surface = options.after?.context.surface ?? (await look());
  gate.learn(knowledgeOf([surface, ...Object.values(surfaces)]));
  if (options.depth === 'deep') {
    const visitors = [undefined, ...Object.values(identities).filter((identity) => !isPrivileged(identity))];
    for (const identity of visitors) {
      const name = identity?.name ?? '';
      const leads = createLeads(surfaces[name] ?? surface);
      let unseen = surfaces[name] ?? surface;
      for (let round = 0; round <= (options.followsLeads ? 3 : 0); round += 1) {
        await observeAs({
          ...{ probes, gate, signal, leads, surface: unseen, nonce: makeNonce },
          ...(identity && { identity }),
          known: () => undefined,
          record: async () => {},
        });
        const led = leads.take();
        const count = led.urls.length + led.forms.length + led.again.length + led.cookies.length;
        if (!options.followsLeads || count === 0) break;
        const known = surfaces[name] ?? surface;
        const further = await survey({
          ...{ probes, url, known, signal, startUrls: led.urls, excludedPaths: [], explored: known.explored },
          ...{ forms: led.forms, again: led.again, observes: true, ...(identity && { identity }) },
        });
        const all = unitedSurface(known, identity ? further : withGivenCookies(further, known, led));
        unseen = addedTo(known, all);
        if (identity) surfaces[name] = all;
        else surface = all;
        gate.learn(knowledgeOf([surface, ...Object.values(surfaces)]));
      }
    }
  }
  const gated = Object.entries(surfaces).map(([name, each]) => {
    const { headers = [], jar } = identities[name] ?? {};
    const cookies = jar ? ([['Cookie', jar.header(each.url)]] as const) : [];
    return [name, gatedSurface(each, gate, [...headers, ...cookies])] as const;
  });
  const { http, tls, dns, smtp, browser, quiet } = probes;
  const context: CheckContext = {
    runId: 'test',
    surface: gatedSurface(surface, gate),
    surfaces: Object.fromEntries(gated),
    identities,
    libraryData: options.libraryData ?? shippedLibraryData,
    http,
    tls,
    dns,
    smtp,
    browser,
    quiet,
    ...(options.callbacks && { callbacks: options.callbacks }),
    as(name, address) {
      const identity = identities[name];
      if (!identity) throw new Error(`no identity ${name}`);
      return http.get(address, { jar: identity.jar, headers: identity.headers });
    },
    async logIn(name, jar, url) {
      const [identity, enter] = [identities[name], logins.get(name)];
      if (!identity || !enter) throw new Error(`${name} cannot log in`);
      const { answer, ...session } = await enter(jar, url);
      if (!answer) throw new Error(`${name} has no credentials`);
      const { headers, storage, recipe } = session;
      const own = { ...identity, jar: session.jar, headers, answer, recipe, ...(storage && { storage }) };
      noteIdentity(gate, own);
      return own;
    },
    nonce: makeNonce,
    now: options.now ?? (() => new Date()),
    allowance: () => options.allowance ?? Number.POSITIVE_INFINITY,
    writes: options.writes ?? 'reversible',
    leave: () => {},
    signal,
  };
  return {
    context,
    gate,
    licensed,
    writes: [],
    undone: [],
    lasting: [],
    requests: probes.requests,
    close: () => probes.close(),
  };
}

function loginOf({ path: url, username, password, json, inBrowser }: TestLogin): Login {
  const given = { url, username, password };
  const kind = json
    ? { case: 'json' as const, value: { ...given, tokenPath: json.tokenPath } }
    : { case: inBrowser ? ('browser' as const) : ('form' as const), value: given };
  return create(LoginSchema, { kind });
}

function identityOf(given: TestIdentity, url: string, jar: Identity['jar']): Identity {
  for (const [name, value] of Object.entries(given.cookies ?? {})) jar.set(url, name, value);
  return {
    name: given.name,
    role: given.role ?? 'user',
    jar,
    headers: given.headers ?? [],
    checkUrl: new URL(given.checkPath, url).href,
    marker: given.marker,
    ...(given.storage && { storage: given.storage }),
  };
}

const proofContext = (
  { context, licensed, writes, undone, lasting }: Audit,
  signal = context.signal,
): ProofContext => ({
  ...context,
  signal,
  licensed,
  recordWrite: async (write) => void writes.push(write),
  recordUndone: async (write) => void undone.push(write),
  ...(context.writes === 'create' && { recordLasting: async (write) => void lasting.push(write) }),
});

export const world = (audit: Audit): ActTools => ({
  context: audit.context,
  prove: (experiment, signal) => prove(experiment, proofContext(audit, signal)),
});

/** Runs a check on a site as the worker does. */
export function check(audit: Audit, subject: Check): Promise<CheckResult> {
  const store: CheckContext['store'] = (name, request, look) => storeAndLook(proofContext(audit), name, request, look);
  const context = { ...audit.context, ...(subject.risk === 'caution' && { store }) };
  return runCheck(subject, context, world(audit).prove, { timeoutMs: 110_000, signal: audit.context.signal });
}

/** Runs a check as the worker does again as an identity, after nobody and those that are named. */
export async function checkAgain(
  audit: Audit,
  subject: Check,
  name: string,
  after: string[] = [],
): Promise<CheckResult> {
  const { context } = audit;
  const [identity, surface] = [context.identities[name], context.surfaces[name]];
  if (!identity || !surface) throw new Error(`no identity ${name}`);
  const before = [context.surface, ...after.flatMap((each) => context.surfaces[each] ?? [])];
  const own = contextAs(context, identity, ownSurface(surface, before), before);
  const limits = { timeoutMs: 110_000, signal: context.signal };
  const result = await runCheck(subject, own, proverAs(world(audit).prove, identity), limits);
  return { ...result, findings: result.findings.map((finding) => findingAs(finding, identity)) };
}

/** Opens, runs one check and closes. */
export async function runOn(url: string, subject: Check, options: AuditOptions = {}): Promise<CheckResult> {
  const audit = await openAudit(url, options);
  try {
    return await check(audit, subject);
  } finally {
    await audit.close();
  }
}

/** Runs a chain step on facts as the planner does. */
export const step = (audit: Audit, subject: ChainStep, facts: Fact[]): Promise<ActionOutcome> =>
  actStep(subject, facts, world(audit));

/** A fact that something earlier proved. */
export function fact(input: Pick<Fact, 'kind' | 'subject' | 'attributes'> & { secret?: string }): Fact {
  return { ...input, id: factIdOf(input), parents: [], actionId: 'test' };
}

/** "METHOD path parameter" of each finding's first place, for comparing. */
export const places = ({ findings }: CheckResult): string[] =>
  findings.map(({ location }) => {
    const { url = '', parameter = '', method = '' } = location ?? {};
    return [method, URL.parse(url)?.pathname ?? url, parameter].filter(Boolean).join(' ');
  });

/** All texts that would be stored of a result, in one. */
export const stored = (result: CheckResult | ActionOutcome): string =>
  JSON.stringify('findings' in result ? result.findings : result.groups, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
