import type { Candidate } from '../../model/candidate.ts';
import { type Assertion, claim, type HttpAction } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { type CheckContext, defineCheck } from '../contract.ts';
import { sample } from '../inputs/at-most.ts';
import { inputUrl } from '../inputs/input-url.ts';
import { inParallel } from '../inputs/parallel.ts';
import { siteRoots } from '../pages/folders.ts';
import { type TraceFormat, traceIn } from './stack-traces.ts';

/** A request that is wrong in a harmless way, and the same without the fault. */
type ForcedFault = { what: string; url: string; request: HttpAction; ordinary: HttpAction };
type ShownTrace = ForcedFault & { format: TraceFormat };

/** Routes whose inputs are tried; how errors are shown is a setting of the whole application. */
const maxInputs = 25;
/** How errors are shown is one setting: so many places show it. */
const enoughPlaces = 3;
/** Traces stand at the beginning; the rest of a long page costs time. */
const maxBodyBytes = 512 * 1024;
const faultBytes = '%FF%C0';

/** An error shows where in the source it happened. Source: WSTG-ERRH-02, CWE-209. */
export const stackTrace = defineCheck<ShownTrace>({
  id: 'exposure.stack-trace',
  title: 'Stack traces in error messages',
  cwe: 209,
  owasp: 'A10:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  visitors: 'each',
  risk: 'safe',

  async detect(context) {
    const faults = [...siteRoots(context.surface).flatMap(faultsOfSite), ...faultsOfInputs(context)];
    const found: Candidate<ShownTrace>[] = [];
    await inParallel(faults, 4, async (fault) => {
      if (found.length < enoughPlaces) found.push(...(await lookUnlessRefused(context, fault)));
    });
    return found.slice(0, enoughPlaces);
  },

  confirm: (_context, { data }) => {
    if (!data) return undefined;
    const { what, request, ordinary, format } = data;
    const shows: Assertion[] = [
      claim('body:masked', 'matches', format.pattern, `It has the form of ${format.name}.`),
      ...(format.anyStatus ? [] : [claim('status', 'greater-than', '399')]),
    ];
    return {
      steps: [{ http: request, note: `A request with ${what} is answered with ${format.name}.`, expect: shows }],
      control: [{ http: ordinary, note: 'The same request without the fault is answered without it.', expect: shows }],
    };
  },

  explain: {
    description:
      'When something goes wrong, the application answers with the place in its source: files, lines, functions and libraries, as developers need it. The request that showed it was malformed, but changes nothing.',
    impact:
      'A trace names the framework and libraries that run, in which versions and folders, and how the code is built; debug pages also show settings, queries and variables, and some let visitors run code (the console of Werkzeug). It shows those who look for a weakness what their requests do.',
    sends:
      'Requests a random path, a broken percent-encoding and characters that no URL may have; for up to 25 GET inputs a broken encoding, a list, or a word in place of a number.',
    proves:
      'The faulty request is answered with a stack trace in the form of a known runtime; the same request without the fault is not. An attacker reads paths, libraries and versions.',
    remedy:
      'Switch debugging off in production and show a page of your own. Django `DEBUG = False`; Flask: no `debug=True`, no FLASK_DEBUG; Laravel `APP_DEBUG=false`; PHP `display_errors = Off`, `log_errors = On`; Node.js `NODE_ENV=production` and an error handler as the last middleware; Spring `server.error.include-stacktrace=never`; Tomcat `<Valve className="org.apache.catalina.valves.ErrorReportValve" showReport="false" showServerInfo="false"/>`; ASP.NET `<customErrors mode="On"/>` or `app.UseExceptionHandler("/error")`; Rails `config.consider_all_requests_local = false`. Write the trace to the log with a number that the page shows.',
    references: [
      'CWE-209: https://cwe.mitre.org/data/definitions/209.html',
      'WSTG-ERRH-02: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/08-Testing_for_Error_Handling/02-Testing_for_Stack_Traces',
      'OWASP Error Handling Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html',
    ],
  },
});

/** What every application parses before it knows the page: the path and its encoding. */
function faultsOfSite(root: string): ForcedFault[] {
  const ordinary = { url: root };
  const fault = (what: string, request: HttpAction): ForcedFault => ({ what, url: root, request, ordinary });
  return [
    fault('a path that does not exist', { url: `${root}‹nonce›` }),
    fault('a path in a broken encoding', { url: `${root}‹nonce›${faultBytes}` }),
    fault('characters that no address may have', { url: `${root}?‹nonce›=[|]{^}` }),
  ];
}

/** One input of each route: a value in a broken encoding, a list instead of a word, a word instead of a number. */
function faultsOfInputs(context: CheckContext): ForcedFault[] {
  const gets = context.surface.inputs.filter((input) => input.method === 'GET' && input.in !== 'body');
  const places = [...new Map(gets.map((input) => [`${input.route} ${input.parameter}`, input])).values()];
  const why = 'how errors are shown is a setting of the whole application';
  return sample(context, places, maxInputs, 'inputs', why).flatMap((input) => {
    const ordinary = { url: inputUrl(input, encodeURIComponent(input.sample) || '1') };
    const fault = (what: string, url: string): ForcedFault => ({
      what: `${what} in "${input.parameter}"`,
      url: input.url,
      request: { url },
      ordinary,
    });
    const list = { ...input, parameter: `${input.parameter}[]` };
    return [
      fault('a value in a broken encoding', inputUrl(input, faultBytes)),
      ...(input.in === 'query' ? [fault('a list instead of one value', inputUrl(list, '‹nonce›'))] : []),
      ...(/^\d+$/.test(input.sample) ? [fault('a word instead of a number', inputUrl(input, '‹nonce›'))] : []),
    ];
  });
}

/** What the write gate refuses is a limit; neither it nor a connection that breaks at one fault keeps the others from being tried. */
async function lookUnlessRefused(context: CheckContext, fault: ForcedFault): Promise<Candidate<ShownTrace>[]> {
  try {
    return await look(context, fault);
  } catch (error) {
    if (isLeftOut(error))
      context.leave({ code: 'would_write', count: 1, text: `${fault.what} was not sent: it might write` });
    else if (error instanceof ProbeError && /^(?:unreachable|protocol_error|timeout)$/.test(error.code))
      context.leave({ code: 'unreachable', count: 1, text: `${fault.what} got no answer: ${error.message}` });
    else throw error;
    return [];
  }
}

async function look(context: CheckContext, fault: ForcedFault): Promise<Candidate<ShownTrace>[]> {
  const put = (text: string) => text.replaceAll('‹nonce›', context.nonce());
  const { request } = fault;
  const { status, text } = await context.http.send({
    ...request,
    url: put(request.url),
    maxBodyBytes,
    closingIsAnswer: true,
  });
  const format = traceIn(status, text);
  if (!format) return [];
  const location = { url: fault.url, ...(request.method ? { method: request.method } : {}) };
  return [
    {
      location,
      route: '/{error}',
      detail: `A request with ${fault.what} shows ${format.name}.`,
      data: { ...fault, format },
    },
  ];
}
