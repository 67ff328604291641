import type { FormSurface, InputSurface, Surface } from '../../model/surface.ts';
import { folded } from '../../probe/gate/words/spelling.ts';
import { fillerFor } from '../../survey/form-inputs.ts';
import { askedBy, askedOf } from './asked-fields.ts';
import { accountField } from './registrations.ts';

/** What stands on the button of a registration, whatever its address is called. */
const registeringLabel = new RegExp(
  folded(
    '^(?:(?:join|register|sign ?-?up|enrol|enroll|apply)(?: (?:us|the (?:club|community|team|crew|league|society)|now|here|free|for free|today|for membership))?|get started|(?:create|open|make|get)(?: (?:an?|my|your|new|a new|free|a free))? account|become an? (?:member|user|customer|player|author|owner|subscriber)|new (?:member|user|customer|account|player)|(?:jetzt )?registrieren|konto (?:erstellen|anlegen)|creer (?:un|mon) compte|s’inscrire|inscription|crear (?:una )?cuenta|registrarse|registrarme|criar conta|cadastrar|cadastre-se|registrati|crea account|account aanmaken|registreren|skapa konto|opret konto|zarejestruj sie|zaloz konto|зарегистрироваться|регистрация|注册|註冊|新規登録|会員登録|회원가입|가입하기|kayit ol|dang ky|daftar)$',
  ),
  'u',
);

/**
 * All body inputs of a surface, also those that are not sent, with what they ask for; where the control that sends them or the title of
 * their page says that somebody registers, that is their title.
 */
export function labelledInputs({
  inputs,
  heldInputs = [],
  forms,
  calls,
  pages = [],
}: Pick<Surface, 'inputs' | 'heldInputs' | 'forms' | 'calls'> & Partial<Pick<Surface, 'pages'>>): InputSurface[] {
  const titled = new Set(
    pages.filter(({ title }) => title.split(titleParts).some(isRegistering)).map(({ url }) => url),
  );
  const said = [
    ...forms.map(({ method, action, label, pageUrl }) => ({ method, url: action, label, pageUrl })),
    ...calls.map(({ method, url, control, pageUrl }) => ({ method, url, label: control, pageUrl })),
  ];
  const registering = new Set([
    ...said.flatMap(({ method, url, label, pageUrl }) =>
      isRegistering(label) || titled.has(pageUrl) ? [`${method} ${url}`] : [],
    ),
    ...forms.filter((form) => makesAccount(form, forms)).map(({ method, action }) => `${method} ${action}`),
  ]);
  return [...inputs, ...heldInputs].map((input) => ({
    ...input,
    others: filledBeside(input, forms),
    asked: askedOf(input, forms),
    ...(registering.has(`${input.method} ${input.url}`) && { title: `${input.title ?? ''} register`.trim() }),
  }));
}

const freeTexts = /^(?:|text|textarea|tel|url|number|date)$/;
/** Nobody has an invitation: what is typed there has to be one. */
const ofInvitation = /invit|referral|promo|coupon|voucher/i;

/** Many sites want all fields of a registration filled in, and their pages do not say so. */
function filledBeside(
  { method, url, others, page }: InputSurface,
  forms: readonly FormSurface[],
): InputSurface['others'] {
  const form = forms.find((each) => each.method === method && each.action === url && each.pageUrl === page?.url);
  return others.map(({ name, value }) => {
    const field = form?.fields.find((each) => each.name === name);
    const isOpen = value === '' && field && freeTexts.test(field.type) && !ofInvitation.test(name);
    return { name, value: isOpen ? fillerFor(field) : value };
  });
}

/** "/new" and "Get a card": something is made. */
const makingPath = /\/(?:new|create|become|start|begin|get-?started)\/?$/i;
const makingLabel = /^(?:get|create|make|become|start|begin)\b/i;

/**
 * A form that makes something of a name and a password, which another form beside it then asks for: that is called nothing like a login.
 * One that asks for more than the other needs no such word: who has an account is not asked for it again.
 */
function makesAccount(form: FormSurface, forms: readonly FormSurface[]): boolean {
  const asked = askedNames(form);
  const path = new URL(form.action).pathname;
  const label = form.label ?? '';
  const asksMore = (two: readonly string[]) =>
    asked !== undefined && asked.length > two.length && !ofKnownUsers.test(`${path} ${label}`);
  const isMaking = makingPath.test(path) || makingLabel.test(label);
  return forms.some((other) => {
    const two = other.action === form.action ? undefined : askedNames(other);
    return two?.length === 2 && two.every((name) => asked?.includes(name)) && (isMaking || asksMore(two));
  });
}

/** A login that asks for the company, too, and forms for those who have an account. */
const ofKnownUsers =
  /log[- ]?[io]n|sign[- ]?[io]n|session|auth|enter|reset|forgot|recover|chang|updat|edit|confirm|unlock|verif|delet|remov/i;

/** The fields of a form that asks for a name and a password and for nothing that is no part of an account. */
function askedNames({ method, fields }: FormSurface): string[] | undefined {
  const typed = fields.filter(({ type }) => !/^(?:hidden|submit|checkbox)$/.test(type));
  const asked = askedBy(fields);
  const kinds = typed.map(({ name }) => accountField(name, asked));
  const isAccount = method === 'POST' && kinds.includes('password') && kinds.length > 1 && !kinds.includes(undefined);
  return isAccount ? typed.map(({ name }) => name) : undefined;
}

/** "Sign up | Clinic". */
const titleParts = /\s+[^\p{L}\p{N}\s]{1,2}\s+|:\s+/u;

const isRegistering = (label = ''): boolean =>
  registeringLabel.test(
    folded(label)
      .replace(/[^\p{L}\p{M}’-]+/gu, ' ')
      .trim(),
  );
