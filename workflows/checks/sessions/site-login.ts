import type { Identity } from '../../model/identity.ts';
import type { Surface } from '../../model/surface.ts';
import { type CheckContext, type NotRun, notRun } from '../contract.ts';
import { isOfLogin } from '../logins/login.ts';
import { nameFirstForms } from '../logins/name-first.ts';

/** A field for a password, or a form for the name that comes before it. */
const hasLoginForm = (surface: Pick<Surface, 'forms' | 'pages'>): boolean =>
  surface.forms.some(({ fields }) => fields.some(({ type }) => type === 'password')) ||
  nameFirstForms(surface).length > 0;

/**
 * The survey saw that there is something behind a login: a field for a password, a form for the name that comes before it, a request
 * that lets somebody in, or an answer that asks for credentials.
 */
export const hasLogin = ({ forms, inputs, pages, origins }: Surface): boolean =>
  hasLoginForm({ forms, pages }) ||
  [...pages, ...origins].some(({ status }) => status === 401) ||
  inputs.some((input) => isOfLogin(input, forms));

/**
 * A deep check lacks the test identities that it takes: a gap where there is a login, else a limit.
 * @param needs for instance "two identities without administrator rights"
 */
export const lacksIdentities = ({ surface, hasUsers }: CheckContext, needs: string): NotRun =>
  notRun(hasUsers || hasLogin(surface) ? 'identities_missing' : 'no_identities', `It takes ${needs}.`);

/** The same for checks that log in themselves: a limit where nothing of the site makes a session of what the identities have. */
export function lacksLogin(context: CheckContext, needs: string): NotRun {
  const all = Object.values(context.identities);
  if (all.length === 0 || hasLoginForm(context.surface)) return lacksIdentities(context, needs);
  if (all.every(isBasic))
    return notRun(
      'no_identities',
      'Each request has the name and the password itself, and no form of the site takes them.',
    );
  const isTaken = context.surface.inputs.some((input) => isOfLogin(input, context.surface.forms));
  return all.every(isGiven) && !isTaken
    ? notRun(
        'no_identities',
        'A header of each request says who asks, and nothing that was seen of the site makes a session.',
      )
    : lacksIdentities(context, needs);
}

/** Source: RFC 7617. */
const isBasic = ({ headers }: Identity): boolean =>
  headers.some(([name, value]) => /^authorization$/i.test(name) && /^basic /i.test(value));

/** By a header that it was given as it is. */
const isGiven = ({ headers, loginUrl }: Identity): boolean => headers.length > 0 && loginUrl === undefined;
