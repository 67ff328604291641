import type { BrowserVisit } from '../../model/browser.ts';
import type { Experiment, Step } from '../../model/experiment.ts';
import { isGuest } from '../../model/gained-name.ts';
import type { HttpRequest } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import { isFinal, ProbeError } from '../../model/probe-error.ts';
import type { Surface } from '../../model/surface.ts';
import type { Prover } from '../confirm.ts';
import type { CheckContext } from '../contract.ts';
import { type FindingInit, gradeOf } from '../finding.ts';
import { isPrivileged } from '../sessions/roles.ts';

/**
 * The context of a check that looks as an identity: every request and every page in the browser carries its session, which is read
 * anew each time, since it may have been renewed.
 * @param surface what this identity alone is shown (see `ownSurface`)
 * @param shownBefore what the visitors before it were shown
 */
export function contextAs(
  context: CheckContext,
  identity: Identity,
  surface: Surface,
  shownBefore: readonly Surface[] = [],
): CheckContext {
  const { http, browser } = context;
  const carried = (request: HttpRequest): HttpRequest =>
    request.jar
      ? request
      : { ...request, jar: identity.jar, mayBeKept: true, headers: withSession(identity, request.headers) };
  const shown = <T extends Pick<BrowserVisit, 'jar' | 'headers' | 'storage'>>(visit: T): T =>
    visit.jar
      ? visit
      : {
          ...visit,
          jar: identity.jar,
          headers: withSession(identity, visit.headers),
          ...(identity.storage && { storage: identity.storage }),
        };
  return {
    ...context,
    surface,
    visitor: identity.name,
    shownBefore,
    http: {
      send: (request) => http.send(carried(request)),
      get: (url, options) => http.send(carried({ ...options, url, method: 'GET' })),
      newJar: () => http.newJar(),
    },
    browser: {
      ...browser,
      visit: (visit) => browser.visit(shown(visit)),
      explore: (exploration) => browser.explore(shown(exploration)),
    },
  };
}

/** Headers of a check's own replace those of the session. */
function withSession({ headers }: Identity, own: HttpRequest['headers'] = []) {
  const given = new Set(own.map(([name]) => name.toLowerCase()));
  return [...headers.filter(([name]) => !given.has(name.toLowerCase())), ...own];
}

/**
 * Proves an experiment as nobody, and where that does not do, with the session on each step, those of the control included: what is
 * only shown to an identity need not be closed to others.
 */
export function proverAs(prove: Prover, { name }: Identity): Prover {
  return async (experiment, signal) => {
    const open = await prove(experiment, signal).catch((error: unknown) => {
      if (!(error instanceof ProbeError) || isFinal(error)) throw error;
      return undefined;
    });
    return open?.proven ? open : prove(experimentAs(experiment, name), signal);
  };
}

/** A finding with who reaches it. */
export function findingAs(finding: FindingInit, identity: Pick<Identity, 'name' | 'role'>): FindingInit {
  const role = identity.role === '' ? '' : ` (role ${identity.role})`;
  const found = `It was found as the test identity "${identity.name}"${role}`;
  const needsSession = finding.proof?.steps?.some((step) => step.identity === identity.name) ?? false;
  const reach = needsSession
    ? `${found}, and proven with its session: without one the experiment does not hold.`
    : `${found}, and proven without a session: everybody reaches it.`;
  const graded = needsSession ? { ...finding, ...gradedAs(finding.cvss?.vector ?? '', identity) } : finding;
  return { ...graded, description: `${reach} ${finding.description ?? ''}`.trimEnd() };
}

/**
 * Whoever attacks by himself needs an account for what lies behind a login; where a visitor is attacked, it is that one who has it.
 * A session that is given to whoever asks is no account. Source: CVSS 3.1 §2.1.3.
 */
function gradedAs(vector: string, identity: Pick<Identity, 'name' | 'role'>): Pick<FindingInit, 'cvss' | 'severity'> {
  if (!vector.includes('/UI:N/') || !vector.includes('/PR:N/') || isGuest(identity.name)) return {};
  return gradeOf(vector.replace('/PR:N/', isPrivileged(identity) ? '/PR:H/' : '/PR:L/'));
}

function experimentAs({ steps, control }: Experiment, identity: string): Experiment {
  const own = (step: Step): Step =>
    step.identity === undefined && step.session === undefined && ('http' in step || 'browser' in step)
      ? { ...step, identity }
      : step;
  return { steps: steps.map(own), control: control.map(own) };
}
