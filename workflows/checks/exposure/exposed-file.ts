import { isIP } from 'node:net';
import type { Candidate } from '../../model/candidate.ts';
import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { Surface } from '../../model/surface.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { holds as claimHolds } from '../../proof/assertions.ts';
import { subjectValue } from '../../proof/subjects.ts';
import { leadSource } from '../../survey/lead.ts';
import type { CheckContext } from '../contract.ts';
import { fingerprintSite, identifiesPlatform, type Stack } from '../pages/fingerprint-host.ts';
import { siteFolders, siteRoots } from '../pages/folders.ts';
import { isLikeMissing, siblingOf } from '../pages/soft-404.ts';
import { type Guesses, lookAtGuesses } from './guesses.ts';
import { exposedPaths } from './paths/catalogue.ts';
import { type ExposedPath, notPage, type Reading } from './paths/entry.ts';
import { likeliestPaths } from './paths/likeliest.ts';

/** What is open at an address, or why that could not be determined. */
export type Exposed = { url: string; reading: Reading } | { failure: ProbeError };

type EntryUrl = { url: string; entry: ExposedPath };

type FindOptions = {
  /** One finding for all places: they have one cause or setting. By default each path is a finding of its own. */
  route?: string;
  /** What the site itself links to is meant for visitors. */
  exceptLinked?: boolean;
  /**
   * Paths of each entry that fits any site, the likeliest first; default 8. An entry of another product than the site shows
   * gets one path where the site shows no product, and none where it shows what it is made with. All but the
   * likeliest are asked for only where an answer gives a reason.
   */
  maxPaths?: number;
};

/** Folders of the site besides its roots. */
const maxFolders = 3;
/** Enough for the head of every kind of file, and for the schema of a database. */
const maxBodyBytes = 512 * 1024;
/** A host that gives no answer to so many requests will not answer the others either. */
const maxFailures = 4;

/**
 * Asks for the paths of a check, those that fit the site's make first and those that it rules out not at all, and keeps what has the
 * structure of what is looked for and is not what the site says of any name. What gives no answer becomes a candidate that cannot be
 * proven, so that it is reported; so does what is not requested after several such answers.
 * @param check its name without the family
 */
export async function findExposed(
  context: CheckContext,
  check: string,
  { route, exceptLinked = false, maxPaths = 8 }: FindOptions = {},
): Promise<Candidate<Exposed>[]> {
  const linked = exceptLinked ? linkedBy(context.surface) : new Set<string>();
  const failures: ProbeError[] = [];
  const guesses = await placesOf(context, check, maxPaths, (url) => !linked.has(url));
  const looked = await lookAtGuesses(
    context,
    guesses,
    async (watched, place): Promise<Candidate<Exposed>[]> => {
      const [failed] = failures;
      if (failed && failures.length >= maxFailures) return [failureAt(place.url, failed)];
      try {
        const reading = await look(watched, place);
        return reading ? [candidateOf(place.url, reading, route)] : [];
      } catch (error) {
        if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
        if (!isLeftOut(error)) failures.push(error);
        return [failureAt(place.url, error)];
      }
    },
    (candidate) => !isFailure(candidate),
  );
  // What failed comes last, since a budget that is used up ends the proofs.
  return looked.toSorted((a, b) => Number(isFailure(a)) - Number(isFailure(b)));
}

const failureAt = (url: string, failure: ProbeError): Candidate<Exposed> => ({ location: { url }, data: { failure } });

const isFailure = ({ data }: Candidate<Exposed>): boolean => data !== undefined && 'failure' in data;

/**
 * The claims hold at the address, and not for a random name beside it (R3).
 * @throws ProbeError when the place could not be looked at
 */
export function proveExposed({ data }: Candidate<Exposed>): Experiment | undefined {
  if (data === undefined) return undefined;
  if ('failure' in data) throw data.failure;
  const { url, reading } = data;
  const step = (at: string, note: string): Step => ({
    http: { url: at },
    note,
    expect: [claim('status', 'equals', String(reading.status ?? 200)), ...reading.claims],
  });
  return {
    steps: [step(url, `The answer is ${reading.holds}.`)],
    control: [step(siblingOf(url, '‹nonce›'), 'A random name beside it is not answered with it.')],
  };
}

/** What is given to steps that read such a file. */
export const exposedText = {
  kinds: ['exposed-text'],
  facts: ({ data }: Candidate<Exposed>) =>
    data && 'url' in data ? [{ kind: 'exposed-text', subject: data.url, attributes: {} }] : [],
};

async function look(context: CheckContext, { url, entry }: EntryUrl): Promise<Reading | undefined> {
  const exchange = await context.http.get(url, { maxBodyBytes });
  // Most sites answer with a page; many claims about it would take long.
  const isPage = /^\s*<(?:!doctype html|html)\b/i.test(exchange.text);
  const reading = entry.readings.find(
    ({ status = 200, claims }) =>
      exchange.status === status &&
      !(isPage && claims.includes(notPage)) &&
      claims.every((each) => claimHolds(each, subjectValue({ kind: 'http', exchange }, each.subject), context.now())),
  );
  return reading && !(await isLikeMissing(context, exchange)) ? reading : undefined;
}

const candidateOf = (url: string, reading: Reading, route: string | undefined): Candidate<Exposed> => ({
  location: { url },
  ...(route === undefined ? {} : { route }),
  detail: `"${new URL(url).pathname}" answers with ${reading.holds}.`,
  ...(reading.cvss === undefined ? {} : { cvss: reading.cvss }),
  data: { url, reading },
});

async function placesOf(
  context: CheckContext,
  check: string,
  maxPaths: number,
  isAsked: (url: string) => boolean,
): Promise<Guesses<EntryUrl>> {
  const { surface } = context;
  const roots = siteRoots(surface);
  const stacks = await fingerprintSite(context);
  const isKnown = identifiesPlatform(stacks);
  const seen = new Set<string>();
  const placesIn = (bases: readonly string[], paths: readonly string[], entry: ExposedPath): EntryUrl[] =>
    bases
      .flatMap((base) => paths.map((path) => ({ url: base + named(path, surface.host), entry })))
      .filter(({ url }) => {
        const key = `${url} ${exposedPaths.indexOf(entry)}`;
        return isAsked(url) && !seen.has(key) && seen.add(key);
      });
  const entries = exposedPaths
    .filter((entry) => entry.check === check)
    .toSorted((a, b) => rank(a, stacks) - rank(b, stacks));
  // Folders that are left out are reported only where some would be requested.
  const wantsFolders = entries.some((entry) => entry.inFolders && rank(entry, stacks) < 2);
  const folders = wantsFolders
    ? siteFolders(context, maxFolders + roots.length).filter((folder) => !roots.includes(folder))
    : [];
  const first = entries.flatMap((entry) => {
    const fit = rank(entry, stacks);
    const paths = fit === 0 ? entry.paths : entry.paths.filter((path) => likeliestPaths.has(path));
    const bases = entry.inFolders && fit === 0 ? [...roots, ...folders] : roots;
    return fit === 2 && isKnown && isPartOfSite(entry) ? [] : placesIn(bases, paths, entry);
  });
  const further = entries.flatMap((entry) => {
    const fit = rank(entry, stacks);
    const bases = entry.inFolders && fit < 2 ? [...roots, ...folders] : roots;
    const count = fit < 2 ? maxPaths : isKnown && isPartOfSite(entry) ? 0 : 1;
    return placesIn(bases, entry.paths.slice(0, count), entry);
  });
  const mentioned = entries.flatMap((entry) =>
    mentionedBy(surface, entry)
      .filter((url) => isAsked(url) && !seen.has(`${url} ${exposedPaths.indexOf(entry)}`))
      .map((url) => ({ url, entry })),
  );
  return { first: [...mentioned, ...first], further };
}

/** Files by the names of an entry, wherever a page or a comment says that one is. */
function mentionedBy({ url: base, pages, skipped }: Surface, { paths }: ExposedPath): string[] {
  const names = new Set(
    paths.map((path) => path.split('/').at(-1) ?? '').filter((name) => /^[\w-]{2,}\.\w/.test(name)),
  );
  const { origin } = new URL(base);
  // A program is one place, however many queries it is asked.
  const files = new Map<string, string>();
  for (const { url } of [...pages.filter(({ status }) => status === 200), ...skipped]) {
    const { origin: own, pathname = '' } = URL.parse(url) ?? {};
    if (own === origin && names.has(pathname.split('/').at(-1) ?? '') && !files.has(pathname)) files.set(pathname, url);
  }
  return [...files.values()];
}

/** Programs and files that stand beside a site, whatever it is made with; the others are parts of it. */
const beside = ['admin-panel', 'credentials-file', 'database-dump', 'server-status', 'service-dashboard'];
const isPartOfSite = ({ check }: ExposedPath): boolean => !beside.includes(check);

/** "{host}" and "{name}" in a path: backups and keys are named after what they are of. */
function named(path: string, host: string): string {
  const bare = host.replace(/^\[|\]$|^www\./g, '');
  return path.replace('{host}', bare).replace('{name}', isIP(bare) ? 'www' : (bare.split('.')[0] ?? bare));
}

const rank = ({ stacks: own }: ExposedPath, seen: ReadonlySet<Stack>): number =>
  own === undefined ? 1 : own.some((stack) => seen.has(stack)) ? 0 : 2;

/** Pages and files that a page of the site names. A list of a folder names what nobody meant to. */
function linkedBy({ pages, skipped }: Surface): Set<string> {
  const isListed = pages.some(({ title }) =>
    /^(?:Index of|Directory listing|listing directory|Directory:)/i.test(title),
  );
  return new Set(
    isListed
      ? []
      : [...pages.filter(({ source }) => source !== leadSource.wellKnown), ...skipped].map(({ url }) => url),
  );
}
