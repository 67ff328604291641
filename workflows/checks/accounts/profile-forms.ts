import { claim, type Step } from '../../model/experiment.ts';
import { isRegistered } from '../../model/gained-name.ts';
import type { Identity } from '../../model/identity.ts';
import type { FormSurface } from '../../model/surface.ts';
import { namedPath } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { sample } from '../inputs/at-most.ts';
import { oneOfEachKind } from '../sessions/others-entries.ts';
import {
  foreignPageHeaders,
  formBody,
  formRequest,
  formUndo,
  formVerify,
  isNamedIn,
  type OwnForm,
  readOwnForm,
} from '../sessions/own-forms.ts';

/** A form of the account that changes a text of no consequence. */
export type ProfileForm = OwnForm & {
  /** The field that is changed, and its value. */
  field: string;
  before: string;
  /** Fields of that kind that have no text, where such count. */
  empty: string[];
};

/** Texts that take any words and that nobody acts on. */
const harmlessField = /street|address|city|town|bio|about|company|nick|display|motto|signature|location|note|title/i;
/** Names of people, in a profile that is nobody's. */
const personName = /^(?:(?:first|last|full|real|sur|given|family)[-_]?)?name$/i;
/** What an account is reached by: it is sent as it stands, and never changed. */
const reachingFields = /mail/i;
/** Without the password that is asked for, such a form does nothing. */
const currentPassword = /current|old|actual|verif/i;
/** A form with one of these does more than change a text of the account. */
const consequentialFields =
  /pass|pwd|mail|otp|confirm|delete|remove|card|iban|amount|quantity|price|message|comment|subject|to$/i;
const consequentialActions =
  /log-?(?:in|out|off)|sign|register|delete|remove|cancel|pay|checkout|order|cart|send|contact|message|mail|search|transfer|subscri/i;
/** What a page is for that puts a thing elsewhere or in another state, by its address or that of a part of a program. */
const actsOnThings = /move|rename|merge|protect|revert|rollback|restore|publish|approve|block|import|archive/i;

type ProfileOptions = {
  /** Whether a field without a text counts, in an account of the audit's own. */
  mayBeEmpty?: boolean;
  /** Whether each of several entries of one kind counts. */
  hasAllEntries?: boolean;
  /** Whether forms that are sent by GET count. */
  byGet?: boolean;
  /** Whether the figures of a thing of the user's own may be beside the text, as they stand: its price, its quantity. */
  hasFigures?: boolean;
};

/**
 * Forms of that kind that a user was shown, as they are now, at most so many.
 * @throws ProbeError
 */
export async function profileForms(
  context: CheckContext,
  user: Identity,
  maxForms: number,
  { mayBeEmpty = false, hasAllEntries = false, byGet = false, hasFigures = false }: ProfileOptions = {},
): Promise<ProfileForm[]> {
  const found: ProfileForm[] = [];
  // An account of the audit's own is also changed by a form that would take a new password or address, which stay as they are.
  const isOwn = context.writes === 'create' && isRegistered(user.name);
  const surface = context.surfaces[user.name] ?? context.surface;
  // What everybody may choose, as a filter, says nothing of an account.
  const isForAll = ({ action }: FormSurface) => context.surface.forms.some((each) => each.action === action);
  const isTaken = (form: FormSurface) => form.method === 'POST' || (byGet && !isForAll(form));
  const all = surface.forms.filter((form) => isTaken(form) && isAboutAccount(form, { isOwn, hasFigures }));
  const forms = hasAllEntries ? all : oneOfEachKind(context, all, surface);
  for (const [index, form] of forms.entries()) {
    if (found.length === maxForms) {
      sample(context, forms, index, 'forms of the account', 'an application takes all its forms alike');
      break;
    }
    const own = await readOwnForm(context, user, form, isOwn);
    const required = form.fields.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
    const isUsable = ({ name, value }: { name: string; value: string }) =>
      value.trim() !== '' || (mayBeEmpty && isOwn && value === '' && !required.includes(name));
    const texts =
      own?.fields.filter(
        (each) => isText(each) && isHarmless(each, isOwn) && isUsable(each) && !isNamedIn(form.pageUrl, each.value),
      ) ?? [];
    const field = texts.find(({ value }) => value !== '') ?? texts[0];
    const empty = texts.flatMap(({ name, value }) => (value === '' ? [name] : []));
    if (own && field) found.push({ ...own, field: field.name, before: field.value, empty });
  }
  return found;
}

const isText = ({ type }: { type: string }): boolean => type === 'text' || type === 'textarea';

const isHarmless = ({ name }: { name: string }, isOwn: boolean): boolean =>
  !reachingFields.test(name) && (harmlessField.test(name) || (isOwn && personName.test(name)));

type AccountForms = { isOwn: boolean; hasFigures: boolean };

function isAboutAccount(
  { method, enctype, action, pageUrl, fields }: FormSurface,
  { isOwn, hasFigures }: AccountForms,
): boolean {
  const { origin } = new URL(action);
  const isPlain = method === 'GET' || enctype === 'application/x-www-form-urlencoded';
  const isSafe = fields.every(
    (field) =>
      field.type !== 'file' &&
      ((isOwn && isKept(field)) ||
        (hasFigures && isFigure(field)) ||
        (field.type !== 'password' && !consequentialFields.test(field.name))),
  );
  const hasText = fields.some((field) => isText(field) && isHarmless(field, isOwn));
  return (
    isPlain &&
    isSafe &&
    hasText &&
    origin === new URL(pageUrl).origin &&
    !consequentialActions.test(namedPath(action)) &&
    !actsOnThings.test(placeOf(action))
  );
}

/** Its path, and the names in its query by which a program chooses its part. */
const placeOf = (action: string): string => {
  const { pathname, searchParams } = new URL(action);
  return [pathname, ...searchParams.values()].join(' ');
};

/** A password that may be left empty, and an address. */
const isKept = ({ name, type, isRequired }: FormSurface['fields'][number]): boolean =>
  type === 'password' ? !isRequired && !currentPassword.test(name) : reachingFields.test(name);

const isFigure = ({ name, type, value }: FormSurface['fields'][number]): boolean =>
  /^(?:text|number)$/.test(type) && /^(?:\w*_)?(?:amount|quantity|price)$/i.test(name) && /\d/.test(value);

type ForgedSending = {
  value: string;
  /** None without it. */
  cookie: string | undefined;
  /** Whose session puts the change back. */
  user: string;
  note: string;
};

/** The form as a page of a foreign site sends it: with everything but what the site's own page alone knows. */
export const sendForm = (form: ProfileForm, { value, cookie, user, note }: ForgedSending): Step => ({
  http: {
    ...formRequest(form, formBody(form, { [form.field]: value }), [
      ...foreignPageHeaders,
      ...(cookie === undefined ? [] : [['Cookie', cookie] satisfies [string, string]]),
    ]),
    secrets: [...form.fields, ...form.hidden].filter(isTyped).map(({ value }) => value),
    write: {
      description: `The field ${form.field} of ${new URL(form.pageUrl).pathname}, which is of "${user}", is changed.`,
      identity: user,
      undo: formUndo(form),
      verify: formVerify(form),
    },
  },
  note,
  expect: [claim('status', 'less-than', '400')],
  ...(form.method === 'GET' ? { hasEffect: true as const } : {}),
});

/** Shorter values stand in any text by chance; those of buttons are about nobody. */
const isTyped = ({ type, value }: { type: string; value: string }): boolean => type !== 'submit' && value.length >= 4;
