import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { OwnSession } from '../../model/identity.ts';
import type { FormSurface } from '../../model/surface.ts';
import { kindOfForm } from '../../probe/gate/structure.ts';
import { fillerFor } from '../../survey/form-inputs.ts';
import { pagesAround } from '../../survey/pages-around.ts';
import { targetOf } from '../addresses/redirect-target.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { foreignPageHeaders, formBody, type OwnForm, readOwnForm } from '../sessions/own-forms.ts';
import { cookieHeader, type LoginIdentity, type MarkedPage } from '../sessions/own-sessions.ts';
import { isPrivileged } from '../sessions/roles.ts';
import { sessionOfOthers } from './foreign-cookies.ts';

/** A form by which a user adds something, and the page that shows what was added. */
export type ForgedEntry = { form: OwnForm; field: string; shownAt: string };

/** Each is sent once, and four times in a proof. */
const maxForms = 4;
const maxPages = 6;
/** Of JSON, of files and of plain text browsers send none across sites, or applications take none. */
const plain = 'application/x-www-form-urlencoded';

/**
 * Forms that add something for a user when they are sent as a page of another site sends them, with these cookies. What they add stays,
 * so they are sent where the scope of the domain says "create" alone, and only where nothing is filled in that would be overwritten.
 * @throws ProbeError
 */
export async function forgedEntries(
  context: CheckContext,
  identity: LoginIdentity,
  session: OwnSession,
  cookies: readonly string[],
): Promise<ForgedEntry[]> {
  const { store, surface, surfaces } = context;
  if (context.writes !== 'create' || !store || isPrivileged(identity)) return [];
  const isForAll = ({ action }: FormSurface) => surface.forms.some((each) => each.action === action);
  const forms = (surfaces[identity.name]?.forms ?? []).filter((form) => !isForAll(form) && addsText(form));
  const ofPlace = [...new Map(forms.map((form) => [form.action, form])).values()];
  const found: ForgedEntry[] = [];
  const ordered = ofPlace.toSorted((a, b) => doubtOf(a) - doubtOf(b));
  for (const seen of likeliest(context, ordered, maxForms, 'forms by which a user may add something')) {
    const form = await readOwnForm(context, identity, seen);
    const [field] = form ? textsOf(form) : [];
    if (!form || field === undefined || !isEmpty(form)) continue;
    const word = context.nonce();
    const cookie = cookieHeader(session.jar.all().filter(({ name }) => cookies.includes(name)));
    const shownAt = await store('', forgedEntry(form, word, cookie), (answer) =>
      pageWith(context, identity, form, answer, word),
    );
    if (shownAt !== undefined) found.push({ form, field, shownAt });
  }
  return found;
}

/** By its structure and words it keeps a text, and does nothing else. */
const addsText = (form: FormSurface): boolean =>
  form.method === 'POST' &&
  form.enctype === plain &&
  new URL(form.action).origin === new URL(form.pageUrl).origin &&
  ['keeps', 'adds', 'unknown'].includes(kindOfForm(form).kind);

/** What asks for several texts keeps them more often than what asks for one, where no word says so. */
const doubtOf = (form: FormSurface): number =>
  kindOfForm(form).kind !== 'unknown' ? 0 : form.fields.filter(isText).length > 1 ? 1 : 2;

const isText = ({ type }: { type: string }): boolean => type === 'text' || type === 'textarea';
const textsOf = ({ fields }: OwnForm): string[] => fields.filter(isText).map(({ name }) => name);
const isEmpty = ({ fields }: OwnForm): boolean => fields.every((field) => !isText(field) || field.value === '');

/** The form with a text in each of its fields, with everything but what the site's own page alone knows. */
function forgedEntry(form: OwnForm, text: string, cookie: string | undefined): HttpAction {
  const filled = form.fields.flatMap((field) =>
    isText(field) ? [[field.name, text]] : field.value === '' ? [[field.name, fillerFor(field)]] : [],
  );
  const headers = foreignPageHeaders.map(([name, value]): [string, string] => [name, value.replace('‹nonce›', text)]);
  return {
    method: 'POST',
    url: form.action,
    headers: [...headers, ...(cookie === undefined ? [] : [['Cookie', cookie] satisfies [string, string]])],
    body: formBody(form, Object.fromEntries(filled)),
    secrets: form.hidden.map(({ value }) => value).filter(({ length }) => length >= 4),
    lasting: {
      description: `A text of the audit is added by the form of ${new URL(form.pageUrl).pathname}.`,
      place: form.pageUrl,
    },
  };
}

/** A page that shows the word in another session of the same user: it was kept for the account, and not for the session. */
async function pageWith(
  context: CheckContext,
  { name, jar, headers }: LoginIdentity,
  { action, pageUrl }: OwnForm,
  answer: Exchange,
  word: string,
): Promise<string | undefined> {
  if (answer.status >= 400) return undefined;
  const surface = context.surfaces[name] ?? context.surface;
  // The page of one entry is another one for the next.
  const leadsTo = surface.pages.filter(({ url }) => url === targetOf(answer)).map(({ url }) => url);
  const pages = new Set([...leadsTo, ...pagesAround(surface, { url: action, pageUrl }).pages]);
  for (const url of likeliest(context, [...pages], maxPages, 'pages that could show what a form has added')) {
    const page = await context.http.get(url, { jar, headers, fresh: true });
    if (page.status === 200 && page.text.includes(word)) return url;
  }
  return undefined;
}

export function forgedEntryExperiment(
  identity: LoginIdentity,
  page: MarkedPage,
  cookies: readonly string[],
  { form, shownAt }: ForgedEntry,
): Experiment {
  const foreignSession = sessionOfOthers(identity, page, cookies);
  const shown = (text: string, note: string): Step => ({
    http: { url: shownAt },
    identity: identity.name,
    note,
    expect: [claim('status', 'equals', '200'), claim('body', 'contains', text)],
  });
  return {
    steps: [
      ...foreignSession.steps,
      {
        http: forgedEntry(form, '‹nonce›', foreignSession.header),
        note: 'The form as a page of another site would send it.',
        expect: [claim('status', 'less-than', '400')],
      },
      shown('‹nonce›', 'What it added is there, in another session of the user.'),
    ],
    control: [
      {
        http: forgedEntry(form, '‹nonce2›', undefined),
        note: 'The same form without the cookies.',
        expect: [claim('status', 'present')],
      },
      shown('‹nonce2›', 'It adds nothing: it is the session that does.'),
    ],
  };
}
