import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import type { FormSurface } from '../../model/surface.ts';
import { pathOf } from '../../probe/html/submission.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { type ProfileForm, profileForms } from '../accounts/profile-forms.ts';
import type { CheckContext } from '../contract.ts';
import { formBody, formUndo, formVerify, type OwnForm, ownPageHeaders, tokenSteps } from '../sessions/own-forms.ts';
import { mayMark } from './own-marks.ts';

/** A form with an object of one user, and how another one would send it: with the texts of an own object of the kind. */
export type FormWrite = {
  owner: string;
  writer: string;
  form: ProfileForm;
  /** The writer's own form of the kind; its hidden fields that name the object are no tokens. */
  twin: ProfileForm;
  /** Hidden fields that name the object, as the owner's form has them, and as the writer's has. */
  names: Record<string, string>;
  twinNames: Record<string, string>;
  /** Both texts are the same, as those of new accounts are: the writer first gives its own object one that nobody has. */
  isMarked: boolean;
};

/** Forms of one user that are read, each two times. */
const maxForms = 4;

/** Forms of a user that another one may be able to send for that user's object. Looking changes nothing. @throws ProbeError */
export async function formWrites(context: CheckContext, owner: Identity, writer: Identity): Promise<FormWrite[]> {
  const [owners, writers] = [formsOf(context, owner), formsOf(context, writer)];
  const hasTwin = (form: FormSurface) => writers.some((each) => kindOf(each) === kindOf(form) && !isSame(each, form));
  const own = owners.filter((form) => hasTwin(form) && !writers.some((each) => isSame(each, form)));
  if (own.length === 0) return [];
  const kinds = new Set(own.map(kindOf));
  const theirs = writers.filter((form) => kinds.has(kindOf(form)) && !owners.some((each) => isSame(each, form)));
  const [forms, twins] = [await read(context, owner, own), await read(context, writer, theirs)];
  const byKind = Map.groupBy(forms, ({ action }) => partRoute(action));
  return [...byKind.values()].flatMap(([form]) => {
    const twin = form && twins.find((each) => isTwin(form, each));
    const people = { owner: owner.name, writer: writer.name };
    const isDistinguished = form?.before !== twin?.before;
    return form && twin && (isDistinguished || mayMark(context)) ? [writeOf(form, twin, people)] : [];
  });
}

/** Forms that name an object, in their address or in a hidden field. */
function formsOf({ surfaces }: CheckContext, { name }: Identity): FormSurface[] {
  return (surfaces[name]?.forms ?? []).filter(
    ({ action, fields }) =>
      normaliseRoute(action) !== new URL(action).pathname ||
      fields.some(({ type, value }) => type === 'hidden' && objectName.test(value)),
  );
}

/** How databases name rows; secrets of a session are longer, or change. */
const objectName = /^\d{1,12}$/;

const kindOf = ({ action, fields }: FormSurface): string =>
  [partRoute(action), ...fields.map(({ name }) => name)].join(' ');

const isSame = (one: FormSurface, other: FormSurface): boolean =>
  one.action === other.action && hiddenNames(one) === hiddenNames(other);

const hiddenNames = ({ fields }: FormSurface): string =>
  fields
    .flatMap(({ type, name, value }) => (type === 'hidden' && objectName.test(value) ? `${name}=${value}` : []))
    .join();

const read = (context: CheckContext, user: Identity, forms: FormSurface[]): Promise<ProfileForm[]> => {
  const surface = context.surfaces[user.name] ?? context.surface;
  const surfaces = { ...context.surfaces, [user.name]: { ...surface, forms } };
  // The figures of a thing are changed for a moment, too, which only a test system is for.
  const hasFigures = context.writes === 'create';
  return profileForms({ ...context, surfaces }, user, maxForms, { mayBeEmpty: true, hasAllEntries: true, hasFigures });
};

const isTwin = (form: ProfileForm, twin: ProfileForm): boolean =>
  partRoute(form.action) === partRoute(twin.action) && form.field === twin.field;

function writeOf(form: ProfileForm, twin: ProfileForm, people: { owner: string; writer: string }): FormWrite {
  const naming = form.hidden.filter(({ name, value }) => {
    const other = twin.hidden.find((each) => each.name === name);
    return other !== undefined && other.value !== value && objectName.test(value);
  });
  const names = Object.fromEntries(naming.map(({ name, value }) => [name, value]));
  const theirs = twin.hidden.filter(({ name }) => name in names).map(({ name, value }) => [name, value]);
  return {
    ...people,
    ...{ form, names, twinNames: Object.fromEntries(theirs), isMarked: form.before === twin.before },
    twin: { ...twin, tokens: twin.tokens.filter((name) => !(name in names)) },
  };
}

/** The owner's form shows the text that the writer sent; nobody's request changes it. */
export function formExperiment({ form, twin, names, twinNames, isMarked, owner, writer }: FormWrite): Experiment {
  const shownBy = ({ action }: OwnForm) => `body:form:${pathOf(action)} ${form.field}` as const;
  const plan = {
    description: `The field ${form.field} of an object of "${owner}" is set to that of "${writer}".`,
    identity: owner,
    undo: formUndo(form),
    verify: formVerify(form),
  };
  const texts = [form, twin]
    .flatMap(({ fields }) => fields.map(({ value }) => value))
    .filter(({ length }) => length >= 4);
  const marking = {
    description: `The field ${twin.field} of an object of "${writer}" is set to a random word.`,
    identity: writer,
    undo: formUndo(twin, twinNames),
    verify: formVerify(twin),
  };
  const send = (body: string, from: OwnForm, identity: string, note: string): Step => ({
    http: { method: 'POST', url: form.action, headers: ownPageHeaders(from), body, secrets: texts, write: plan },
    ...(identity === '' ? {} : { identity }),
    note,
    expect: [identity === '' ? claim('status', 'present') : claim('status', 'less-than', '400')],
  });
  const sent = isMarked ? { ...names, [twin.field]: '‹nonce›' } : names;
  const forged = (identity: string, note: string) => send(formBody(twin, sent, twin.tokens), twin, identity, note);
  const shows = (note: string): Step => ({
    http: { url: form.pageUrl },
    identity: owner,
    note,
    expect: [
      claim('status', 'equals', '200'),
      claim(shownBy(form), 'equals', '‹other›', 'The text of the other user.'),
    ],
  });
  const [loaded] = tokenSteps(twin, writer);
  const mark = formBody(twin, { ...twinNames, [twin.field]: '‹nonce›' }, twin.tokens);
  const marked: Step[] = [
    ...tokenSteps(twin, writer),
    {
      http: { method: 'POST', url: twin.action, headers: ownPageHeaders(twin), body: mark, write: marking },
      identity: writer,
      note: 'Another user gives an object of their own a text that nobody has.',
      expect: [claim('status', 'less-than', '400')],
    },
  ];
  return {
    steps: [
      ...(isMarked ? marked : []),
      {
        http: { url: twin.pageUrl },
        identity: writer,
        note: 'Another user opens a form with an object of their own.',
        expect: [claim('status', 'equals', '200')],
        capture: [
          ...(loaded?.capture ?? []),
          { name: 'other', subject: shownBy(twin), pattern: '(?s)^(.+)$', secret: true },
        ],
      },
      forged(writer, 'That user sends its texts for the object of the owner.'),
      shows('The owner’s object has them.'),
    ],
    control: [
      ...tokenSteps(form, owner),
      send(formBody(form, {}, form.tokens), form, owner, 'The owner puts back what was there.'),
      forged('', 'The request of the other user without a login.'),
      shows('It changes nothing: it is the other user’s session that makes the change.'),
    ],
  };
}
