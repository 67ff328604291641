import type { BrowserVisit } from '../../model/browser.ts';
import type { Candidate } from '../../model/candidate.ts';
import type { Experiment, Step } from '../../model/experiment.ts';
import type { HttpRequest } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import type { Surface } from '../../model/surface.ts';
import type { Check, CheckContext } from '../contract.ts';
import { isPrivileged } from '../sessions/roles.ts';

/**
 * The context of a check that looks as an identity: every request and every page in the browser carries its session, which is read
 * anew each time, since it may have been renewed.
 * @param surface what this identity alone is shown (see `ownSurface`)
 */
export function contextAs(context: CheckContext, identity: Identity, surface: Surface): CheckContext {
  const { http, browser } = context;
  const carried = (request: HttpRequest): HttpRequest =>
    request.jar ? request : { ...request, jar: identity.jar, headers: withSession(identity, request.headers) };
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

/** The same check with the session on each step of its experiments, those of the control included, and who it is in its findings. */
export function checkAs(check: Check, identity: Identity): Check {
  return {
    ...check,
    async detect(context) {
      const detected = await check.detect(context);
      if ('notApplicable' in detected || 'notRun' in detected) return detected;
      const named = (candidate: Candidate) => candidateAs(check, candidate, identity);
      return Array.isArray(detected)
        ? detected.map(named)
        : { ...detected, candidates: detected.candidates.map(named) };
    },
    async confirm(context, candidate) {
      const experiment = await check.confirm(context, candidate);
      return experiment && experimentAs(experiment, identity.name);
    },
  };
}

function candidateAs(check: Check, candidate: Candidate, identity: Identity): Candidate {
  const { detail, cvss = check.cvss } = candidate;
  const role = identity.role === '' ? '' : ` (role ${identity.role})`;
  const reach = `It was found and proven as the test identity "${identity.name}"${role}; visitors without a session were not led there, or were shown something else.`;
  return { ...candidate, detail: [detail, reach].filter(Boolean).join(' '), cvss: vectorAs(cvss, identity) };
}

/**
 * Whoever attacks by himself needs an account for what lies behind a login; where a visitor is attacked, it is that one who has it.
 * Source: CVSS 3.1 §2.1.3.
 */
const vectorAs = (vector: string, identity: Identity): string =>
  vector.includes('/UI:N/') ? vector.replace('/PR:N/', isPrivileged(identity) ? '/PR:H/' : '/PR:L/') : vector;

function experimentAs({ steps, control }: Experiment, identity: string): Experiment {
  const own = (step: Step): Step =>
    step.identity === undefined && step.session === undefined && ('http' in step || 'browser' in step)
      ? { ...step, identity }
      : step;
  return { steps: steps.map(own), control: control.map(own) };
}
