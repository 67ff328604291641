import type { Experiment, Step } from '../../model/experiment.ts';
import { isGuest } from '../../model/gained-name.ts';
import type { FormSurface, InputSurface } from '../../model/surface.ts';
import { takesUpload } from '../../probe/gate/structure.ts';
import { fittingText } from '../../probe/html/fitting-text.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { fillerFor, isPageToken, sentFields } from '../../survey/form-inputs.ts';
import type { CheckContext } from '../contract.ts';
import { type OpenedInput, type UploadedFile, uploadAction } from '../inputs/input-request.ts';
import { byRole, isPrivileged } from '../sessions/roles.ts';
import { type InlineFile, inlineAction } from './inline-action.ts';
import { arePagesOfPrograms } from './numbered-pages.ts';
import { contextOf } from './plant.ts';

/** A field for a file, and who is shown its form. */
export type Taking = {
  identity: string;
  /** The rights that it takes to send it, as CVSS writes them. Source: CVSS 3.1 §2.1.3. */
  needs: 'N' | 'L' | 'H';
  input: InputSurface;
  pageUrl: string;
  /** Kinds of files that it says to take, and what else it and its place are called. */
  accept: string;
  called: string;
  /** Script sends the file in the text of a request. */
  inline?: InlineFile;
};

export const maxForms = 10;

/** By design an administrator runs what extends or restores a site. */
const installs =
  /plug-?in|theme|extension|module|package|add-?on|update|upgrade|import|restor|back-?up|install|deploy|\.(?:jar|war|phar)\b/i;

/** Forms that take a file, each once, as the first visitor who is shown it. @param isProgram of an address with a number that names a program */
export function takingForms(context: CheckContext, isProgram: (route: string) => boolean = () => false): Taking[] {
  const all = sendersOf(context).flatMap((identity) =>
    (identity === '' ? context.surface : (context.surfaces[identity] ?? context.surface)).forms
      .filter((form) => form.method === 'POST' && takesUpload(form))
      .flatMap((form) => takingForm(form, identity, privilegesOf(context, identity)))
      .filter(({ needs, called, accept }) => needs !== 'H' || !installs.test(`${called} ${accept}`)),
  );
  const apart = all.map((taking): Taking => {
    const { input } = taking;
    return isProgram(input.route) ? { ...taking, input: { ...input, route: new URL(input.url).pathname } } : taking;
  });
  const known = new Map(apart.toReversed().map((each) => [`${each.input.route} ${each.input.parameter}`, each]));
  return [...known.values()].toReversed();
}

/** The same, with each of the forms that differ in a number which names a program. @throws ProbeError */
export async function takingFormsApart(context: CheckContext): Promise<Taking[]> {
  const forms = context.surface.forms.filter((form) => form.method === 'POST' && takesUpload(form));
  const programs = new Set<string>();
  for (const [route, alike] of Map.groupBy(forms, ({ action }) => partRoute(action))) {
    const pages = [...new Map(alike.map(({ action, pageUrl }) => [action, pageUrl])).values()];
    if (pages.length > 1 && (await arePagesOfPrograms(context, pages))) programs.add(route);
  }
  return takingForms(context, (route) => programs.has(route));
}

/**
 * Nobody, users, and on a test system administrators, whose account may be anybody's to guess; what guests are shown others merely reached
 * on the way through earlier steps, and are not shown what became of it.
 */
export function sendersOf(context: CheckContext): string[] {
  const { users, administrators } = byRole(context);
  const names = users.map(({ name }) => name);
  const others = context.writes === 'create' ? administrators.map(({ name }) => name) : [];
  return [...names.filter(isGuest), '', ...names.filter((name) => !isGuest(name)), ...others];
}

export function privilegesOf(context: CheckContext, identity: string): Taking['needs'] {
  const own = context.identities[identity];
  if (own === undefined) return 'N';
  return isPrivileged(own) ? 'H' : 'L';
}

function takingForm(form: FormSurface, identity: string, needs: Taking['needs']): Taking[] {
  const file = form.fields.find(({ type }) => type === 'file');
  if (!file) return [];
  const sent = sentFields(form.fields);
  const typed = /^(?:text|textarea|search|url)$/;
  const others = sent.map((field) => {
    const { name, type, value } = field;
    if (value !== '' || !typed.test(type)) return { name, value };
    return { name, value: type === 'url' ? fillerFor(field) : fittingText(field, 'audit') };
  });
  const tokens = sent.filter(isPageToken).map(({ name }) => ({ field: name }));
  const { action: url, pageUrl } = form;
  const place = { method: 'POST', url, route: partRoute(url), parameter: file.name, in: 'body' as const };
  const contentType = 'multipart/form-data';
  const called = [file.name, form.label ?? '', new URL(pageUrl).pathname, new URL(url).pathname].join(' ');
  const hints = { accept: file.accept ?? '', called };
  return [
    {
      ...hints,
      identity,
      needs,
      pageUrl,
      input: { ...place, sample: '', others, contentType, page: { url: pageUrl, tokens } },
    },
  ];
}

type Uploading = Pick<Taking, 'identity' | 'pageUrl' | 'input'>;

const lastingOf = ({ pageUrl, input: { url } }: Pick<Uploading, 'pageUrl'> & { input: Pick<InputSurface, 'url'> }) => ({
  description: `A file of the audit is kept by ${new URL(url).pathname}.`,
  place: pageUrl,
});

/** The request that sends a file; it is recorded as what stays. */
export const sending = (
  { pageUrl, inline }: Pick<Taking, 'pageUrl' | 'inline'>,
  input: OpenedInput,
  file: UploadedFile,
) => ({
  ...(inline ? inlineAction(input, inline, file) : uploadAction(input, file)),
  lasting: lastingOf({ pageUrl, input }),
});

/** A context whose requests of this form are recorded as what stays. */
export function storingUploads(context: CheckContext, upload: Uploading): CheckContext {
  const { identity, input } = upload;
  const own = contextOf(context, identity);
  const { http } = own;
  const send: CheckContext['http']['send'] = (request) => {
    const { method, url, headers, body } = request;
    return method === 'POST' && url === input.url && context.store && typeof body === 'string'
      ? context.store(
          identity,
          { method, url, body, lasting: lastingOf(upload), ...(headers && { headers }) },
          async (answer) => answer,
        )
      : http.send(request);
  };
  return { ...own, http: { ...http, send } };
}

/** An experiment whose requests send such a form, as who has it, and are recorded as what stays. */
export function uploadingExperiment(upload: Uploading, { steps, control }: Experiment): Experiment {
  const asSender = (step: Step): Step =>
    'http' in step
      ? {
          ...step,
          ...(upload.identity === '' ? {} : { identity: upload.identity }),
          http: step.http.method === 'POST' ? { ...step.http, lasting: lastingOf(upload) } : step.http,
        }
      : step;
  return { steps: steps.map(asSender), control: control.map(asSender) };
}
