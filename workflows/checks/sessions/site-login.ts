import type { Surface } from '../../model/surface.ts';
import { type CheckContext, type NotRun, notRun } from '../contract.ts';
import { isOfLogin } from '../logins/login.ts';
import { nameFirstForms } from '../logins/name-first.ts';

/** A field for a password, or a form for the name that comes before it. */
export const hasLoginForm = (surface: Pick<Surface, 'forms' | 'pages'>): boolean =>
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
