import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import { type CheckContext, defineCheck, notApplicable, notRun } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, openInput, requestOfInput } from '../inputs/open-input.ts';
import { acts } from './acting-files.ts';
import { inlineFiles, inlineTakings } from './inline-uploads.ts';
import { contextOf } from './plant.ts';
import { type ActiveFile, filesFor } from './upload-files.ts';
import { maxForms, sending, type Taking, takingFormsApart } from './upload-forms.ts';
import { addressesIn, type KeptFile, keptFile, namePattern, pagesWithFiles } from './upload-places.ts';

type Taken = Taking & { active: ActiveFile; kept: KeptFile; nonce: string };

/** A file that a visitor sends is run by the server, or opened as a page of the site. Source: CWE-434, WSTG-BUSL-09. */
export const upload = defineCheck<Taken>({
  id: 'injection.upload',
  title: 'Unrestricted file upload (the file is run)',
  cwe: 434,
  owasp: 'A06:2025',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  depth: 'deep',
  risk: 'caution',
  cost: 80,

  async detect(context) {
    if (context.writes !== 'create')
      return notApplicable('Files that are sent stay, which only a scope with "writes": "create" allows.');
    const taking = [...(await takingFormsApart(context)), ...inlineTakings(context)];
    const forms = likeliest(context, taking, maxForms, 'forms that take a file');
    if (forms.length === 0) return notApplicable('No form or script sends a file.');
    const unavailable = await context.browser.unavailable();
    if (unavailable !== undefined) return notRun('browser_unavailable', unavailable);
    const found = [];
    for (const form of forms) {
      const taken = await tryFiles(context, form);
      if (taken) found.push(candidateFor(taken));
    }
    return found;
  },

  async confirm(context, { data }) {
    return data && experimentFor(data, await openInput(contextOf(context, data.identity), data.input));
  },

  explain: {
    description:
      'The form takes a file of any kind, and the site keeps it where it can be asked for: a file of ours was run by the server, or opened as a page of the site whose script the browser ran.',
    impact:
      'Where the server runs the file, whoever may send one runs any code with the rights of the application. Where it is opened as a page, its script acts as whoever is led there: reads what the site shows them, and changes their data.',
    sends:
      'With `writes: "create"`, sends what takes a file (forms, scripts) up to 13 small ones that print a product of two random numbers (PHP, JSP) or open a dialog (HTML, SVG), and 4 more for the proof; asks for them where answer, pages and usual folders say. They stay, recorded before they are sent.',
    proves:
      'The address of the file gives the product, or a real browser that opens it runs its script; the same file with the code misspelt, or without the call, does not. The server ran code of ours, or a page of ours acts as the site.',
    remedy:
      'Take the kinds of files that are needed by a list, check what is in them by decoding it (an image is drawn anew), and give each a random name with an ending of your own. Keep them outside of what the web server runs, best on another host, and send `Content-Disposition: attachment` and `X-Content-Type-Options: nosniff` with them.',
    references: [
      'CWE-434: https://cwe.mitre.org/data/definitions/434.html',
      'OWASP File Upload Cheat Sheet: https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
      'WSTG-BUSL-09: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/09-Test_Upload_of_Malicious_Files',
    ],
  },
});

/** The first file that is kept and does something. @throws ProbeError, ProofError */
async function tryFiles(context: CheckContext, taking: Taking): Promise<Taken | undefined> {
  const files = filesFor(context.surfaces[taking.identity] ?? context.surface, taking.accept);
  for (const active of taking.inline ? inlineFiles(files, taking.inline) : files) {
    const taken = await tryFile(context, taking, active).catch((error: unknown) => {
      if (error instanceof ProbeError && error.code === 'refused') return undefined;
      throw error;
    });
    if (taken) return taken;
  }
  return undefined;
}

async function tryFile(context: CheckContext, taking: Taking, active: ActiveFile): Promise<Taken | undefined> {
  const { identity, input, pageUrl } = taking;
  const values = newTrialValues(context.nonce);
  const sender = contextOf(context, identity);
  const opened = await openInput(sender, input);
  const request = await requestOfInput(sender, opened, sending(taking, opened, active.file), values);
  const place = { identity, pageUrl, url: input.url };
  const before = addressesIn(await pagesWithFiles(context, place));
  const [nonce, word] = [fill('‹nonce3›', values), fill('‹nonce›', values)];
  const name = fill(active.file.name, values);
  const kept = await context.store?.(identity, request, (answer) =>
    keptFile(context, answer, { ...place, name, nonce, word, before }),
  );
  if (!kept || !(await acts(context, active, kept, (text) => fill(text, values)))) return undefined;
  return { ...taking, active, kept, nonce };
}

function candidateFor(taken: Taken) {
  const { input, identity, needs, active, kept } = taken;
  const who = identity === '' ? 'Anybody sends it' : `The test identity "${identity}" sends it`;
  return {
    location: { url: input.url, method: input.method, parameter: input.parameter, parameterIn: 'body' as const },
    route: input.route,
    detail: `${active.detail} ${who}, and it was found at ${new URL('.', kept.url).href}.`,
    cvss:
      active.effect === 'opens'
        ? `CVSS:3.1/AV:N/AC:L/PR:${needs}/UI:R/S:C/C:L/I:L/A:N`
        : `CVSS:3.1/AV:N/AC:L/PR:${needs}/UI:N/S:U/C:H/I:H/A:H`,
    data: taken,
  };
}

function experimentFor(taken: Taken, input: OpenedInput): Experiment {
  const { active, kept, identity, nonce } = taken;
  const renamed = kept.written ?? kept.renamedOn?.written;
  const url = renamed === undefined ? kept.url.replaceAll(nonce, '‹nonce3›') : addressOfCaptured(kept.url, renamed);
  const listedIn = kept.listedIn ?? (kept.renamedOn && { url: kept.renamedOn.url, isLast: false });
  const isWho = identity === '' ? {} : { identity };
  const pattern = renamed === undefined ? '' : (listedIn?.isLast ? '(?s)^.*' : '') + namePattern(renamed, nonce);
  // A list that names both files is to name the one that was sent last.
  const other = (text: string): string => (kept.renamedOn ? text.replaceAll('‹nonce3›', '‹nonce4›') : text);
  const send = (file: ActiveFile['file'], note: string, expression = pattern): Step[] => {
    const rule = { name: 'file', subject: 'body' as const, pattern: expression };
    const capture = renamed === undefined ? {} : { capture: [rule] };
    return [
      ...inputSteps(input, sending(taken, input, file), {
        note,
        expect: [claim('status', 'less-than', '400')],
        ...(listedIn ? {} : capture),
      }).map((step) => ({ ...step, ...isWho })),
      ...(listedIn
        ? [
            {
              http: { url: listedIn.url },
              ...isWho,
              note: 'The page names the file that was sent.',
              expect: [],
              ...capture,
            },
          ]
        : []),
    ];
  };
  const viewer = kept.viewer === '' ? {} : { identity: kept.viewer };
  const look = (note: string): Step =>
    active.effect === 'opens'
      ? { browser: { url }, ...viewer, note, expect: [claim('browser:dialogs', 'matches', '(?m)^‹nonce›$')] }
      : { http: { url }, ...viewer, note, expect: [claim('body', 'contains', active.effect.runs)] };
  return {
    steps: [
      ...send(active.file, 'The file is sent as the form sends it.'),
      look(
        active.effect === 'opens'
          ? 'A browser that opens the file runs its script on the site.'
          : 'The address of the file gives what only its code can have calculated.',
      ),
    ],
    control: [
      ...send(
        { ...active.inert, name: other(active.inert.name) },
        'The same file without what makes it do something.',
        other(pattern),
      ),
      look('It does nothing: the code in the file was the cause.'),
    ],
  };
}

/** The name that the site gave to the file stands for the one that it had. */
const addressOfCaptured = (url: string, written: string): string =>
  url.replace(/[^/]*$/, '‹file›') + (/[?#].*$/.exec(written)?.[0] ?? '');
