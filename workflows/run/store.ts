import { fromJsonString } from '@bufbuild/protobuf';
import { z } from 'zod';
import {
  type DocumentedRequests,
  DocumentedRequestsSchema,
  type Login,
  LoginSchema,
} from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import type { WebStorage } from '../model/browser.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Observations } from '../model/gate.ts';
import type { LoginRecipe } from '../model/login-recipe.ts';
import type { PlanState } from '../model/plan-state.ts';
import type { ProvenLogin } from '../model/proven-login.ts';
import type { Run } from './run.ts';
import { storedSurface } from './stored-surface.ts';

/**
 * Everything that the activities of a run keep in core for each other, besides what its contract has calls for: the
 * name, the type and the reader of each. Artifacts live as long as the scan, secrets as long as the run.
 */

export type ArtifactRun = Pick<Run, 'putArtifact' | 'findArtifact'>;
type SecretRun = Pick<Run, 'putSecret' | 'openSecret' | 'findSecret'>;

const nameOf = (name: string, of: string): string => (of === '' ? name : `${name}:${of}`);

/** A JSON document; the newest of its name counts. */
const artifact = <T>(name: string, schema: z.ZodType<T>) => {
  const read = (content: Uint8Array) => schema.parse(JSON.parse(Buffer.from(content).toString('utf8')));
  return {
    /**
     * @param of whose it is: the name of an identity, "" for nobody's or the run's
     * @returns a ref, under which exactly this one is found
     */
    put: (run: ArtifactRun, of: string, value: T): Promise<string> =>
      run.putArtifact(nameOf(name, of), 'application/json', Buffer.from(JSON.stringify(value))),
    async find(run: Pick<ArtifactRun, 'findArtifact'>, of: string): Promise<T | undefined> {
      const content = await run.findArtifact(nameOf(name, of));
      return content && read(content);
    },
    async at(run: ArtifactRun, ref: string): Promise<T | undefined> {
      const content = await run.findArtifact(ref);
      return content && read(content);
    },
  };
};

/** A secret of the activities' own. */
const secret = <T>(name: string, schema: z.ZodType<T>) => ({
  put: (run: SecretRun, of: string, value: T): Promise<void> => run.putSecret(nameOf(name, of), JSON.stringify(value)),
  async find(run: SecretRun, of: string): Promise<T | undefined> {
    const text = await run.findSecret(nameOf(name, of));
    return text === undefined ? undefined : schema.parse(JSON.parse(text));
  },
});

const text = z.string();

const stepField = z.union([
  z.object({ name: text, holds: z.enum(['username', 'password', 'code', 'hidden']) }),
  z.object({ name: text, holds: z.literal('fixed'), value: text }),
]);

const recipe: z.ZodType<LoginRecipe> = z.object({
  kind: z.enum(['form', 'json', 'bearer', 'basic', 'header', 'cookie', 'browser']),
  steps: z.array(
    z.object({
      pageUrl: text.exactOptional(),
      ...{ url: text, method: z.enum(['GET', 'POST']), encoding: z.enum(['urlencoded', 'multipart', 'json']) },
      ...{ fields: z.array(stepField), body: text.exactOptional() },
    }),
  ),
  tokenPath: text.exactOptional(),
  sends: z.object({ headers: z.array(z.object({ name: text, prefix: text })), cookies: z.array(text) }),
});

const texts = z.array(text);
const provenLogin: z.ZodType<ProvenLogin> = z.object({
  ...{ checkUrl: text, marker: text, name: text, inBrowser: z.boolean(), isKept: z.boolean(), recipe },
  ...{ role: text.exactOptional(), others: texts.exactOptional() },
  account: z.object({
    ...{ username: text.exactOptional(), subject: text.exactOptional() },
    pages: z.array(
      z.object({ url: text, names: texts, isList: z.literal(true).exactOptional(), words: texts, numbered: texts }),
    ),
  }),
});

const observations: z.ZodType<Observations> = z.record(text, z.enum(['reads', 'writes', 'unknown']));

const planState: z.ZodType<PlanState> = z.object({
  seen: texts,
  waiting: z.array(z.object({ actionId: text, factIds: texts })),
  given: z.record(text, z.number()),
  dropped: z.record(text, z.object({ actionId: text, count: z.number() })),
});

const cookie = z.object({
  ...{ name: text, value: text, domain: text, path: text, sameSite: text.exactOptional() },
  ...{ secure: z.boolean(), httpOnly: z.boolean(), hostOnly: z.boolean(), partitioned: z.boolean() },
});
const entries = z.record(text, text);
const webStorage: z.ZodType<WebStorage> = z.record(text, z.object({ local: entries, session: entries }));
const keptSession = z.object({
  cookies: z.array(cookie),
  headers: z.array(z.tuple([text, text])),
  storage: webStorage.exactOptional(),
});
export type KeptSession = z.infer<typeof keptSession>;

const reachedSteps = z.object({ urls: texts, cookies: text });
/** Pages that a visitor reached by several steps, the last first, and the Cookie header of the session in which they are shown. */
export type ReachedSteps = z.infer<typeof reachedSteps>;

const place: z.ZodType<Candidate> = z.object({
  location: z.object({
    url: text,
    method: text.exactOptional(),
    parameter: text.exactOptional(),
    parameterIn: z.enum(['query', 'body', 'path', 'header', 'cookie', 'fragment']).exactOptional(),
  }),
  ...{ route: text.exactOptional(), detail: text.exactOptional(), cvss: text.exactOptional() },
  data: z.unknown().exactOptional(),
});

const expected = z.array(z.object({ token: text, checkId: text, sentAtMs: z.number(), candidate: place }));
/** A token that a check has sent, and what it shows when it is called. */
export type ExpectedCallback = z.infer<typeof expected>[number];

export const store = {
  /** What the survey saw as an identity. */
  surface: artifact('surface', storedSurface),
  /** The same for readers: JSON of scanaudit.v1.SiteMap, which core gives to those who ask for it. */
  siteMap: artifact('site-map', z.json()),
  /** Names of the accounts that the audit has found for itself. */
  gained: artifact('gained-logins', texts),
  /** A login that was proven. No secret is in it. */
  login: artifact('identity', provenLogin),
  /** What forms were seen to do. */
  observations: artifact('observations', observations),
  /** Forms that were seen to only read what a user sends, by identity. */
  readForms: artifact('read-forms', texts),
  /** What the planner goes on from. Travels by ref, so that a repeated call gives the same plan. */
  plan: artifact('plan', planState),
  /** Callbacks that may come when their check has ended, by family. */
  expected: artifact('expected-callbacks', expected),
  /** A session that serves all activities of the run. */
  session: secret('session', keptSession),
  /** What scripts keep of a login that is sent without a browser. */
  storage: secret('storage', webStorage),
  /** Steps that were taken to see what they do. */
  reachedSteps: secret('reached-steps', reachedSteps),
  /** Where a check showed a fact. */
  place: secret('place', place),
};

/** Secrets of the org's that core opens for its runs, and those of facts, which are texts. */
export const opened = {
  factRef: (factId: string): string => `fact:${factId}`,
  keepFact: (run: SecretRun, factId: string, secret: string): Promise<void> =>
    run.putSecret(opened.factRef(factId), secret),
  fact: (run: SecretRun, ref: string): Promise<string> => run.openSecret(ref),
  /** How to log in as an account that the audit has found for itself. */
  keepLogin: (run: SecretRun, name: string, login: string): Promise<void> => run.putSecret(`gained:${name}`, login),
  async login(run: SecretRun & Pick<ArtifactRun, 'findArtifact'>, name: string): Promise<Login> {
    const isGained = (await store.gained.find(run, ''))?.includes(name) ?? false;
    const content = await run.openSecret(isGained ? `gained:${name}` : `login:${name}`);
    return fromJsonString(LoginSchema, content, { ignoreUnknownFields: true });
  },
  headers: async (run: SecretRun): Promise<[string, string][]> =>
    z.array(z.tuple([text, text])).parse(JSON.parse(await run.openSecret('scope:headers'))),
  /** @returns undefined when the org has taken it away meanwhile */
  async document(run: SecretRun, name: string): Promise<DocumentedRequests | undefined> {
    const content = await run.findSecret(`scope:document:${name}`);
    return content === undefined
      ? undefined
      : fromJsonString(DocumentedRequestsSchema, content, { ignoreUnknownFields: true });
  },
};
