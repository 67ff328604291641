import type { FormControl as Control } from '../probe/html/controls.ts';
import { buttonScore, isCodeField, isPasswordField, usernameScore } from '../probe/login-fields.ts';
import { namedPath } from '../probe/program-parts.ts';
import { voucherWords } from '../probe/voucher-words.ts';
import type { PageForm } from './page-forms.ts';
import { findControl } from './selector.ts';

/** Names or selectors of the fields; "" when they are to be found. */
export type Wanted = { username: string; password: string; code: string; submit: string };

export const findAll: Wanted = { username: '', password: '', code: '', submit: '' };

/** A form of a login, and which of its fields takes what. */
export type LoginForm = { form: PageForm; username?: Control; password?: Control; code?: Control; submit?: Control };

const signUp = /regist|sign-?up|join|subscri|newsletter|create|forgot|reset/i;

/**
 * The form that takes the password: one with a single password field, or with the given field. A form with two is for
 * signing up or changing a password, and is skipped.
 * @param isNamed the user name was asked for on a page before, so that this form need not
 */
export function findPasswordForm(forms: readonly PageForm[], wanted: Wanted, isNamed = false): LoginForm | undefined {
  const found = forms.flatMap((form): LoginForm[] => {
    const password = passwordOf(form, wanted.password);
    if (!password) return [];
    const username = usernameOf(form, wanted.username, password);
    if (!username && !isNamed) return [];
    const code = codeOf(form, wanted.code, [username, password]);
    return [{ form, password, ...(username && { username }), ...(code && { code }), ...submitOf(form, wanted.submit) }];
  });
  const isForNew = ({ form, submit }: LoginForm) =>
    signUp.test(namedPath(form.action)) || (submit !== undefined && buttonScore(submit) < 0);
  return found.find((each) => !isForNew(each)) ?? found[0];
}

/** The form that asks for the user name alone, with the password on the page after it. */
export function findUsernameForm(forms: readonly PageForm[], wanted: Wanted): LoginForm | undefined {
  const found = forms.flatMap((form): LoginForm[] => {
    if (form.controls.some(isPasswordField)) return [];
    const username = usernameOf(form, wanted.username);
    return username ? [{ form, username, ...submitOf(form, wanted.submit) }] : [];
  });
  const score = ({ form, username }: LoginForm) =>
    signUp.test(form.action) || username === undefined ? 0 : usernameScore(username);
  // A lone text field that nothing names may be a search.
  return wanted.username === ''
    ? found.toSorted((a, b) => score(b) - score(a)).find((each) => score(each) > 1)
    : found[0];
}

/** The form that asks for the one-time code, after the password. */
export function findCodeForm(forms: readonly PageForm[], wanted: Wanted): LoginForm | undefined {
  for (const form of forms) {
    const code = codeOf(form, wanted.code, []);
    const isVoucher = wanted.code === '' && voucherWords.test(URL.parse(form.action)?.pathname ?? '');
    if (code && !isVoucher && !form.controls.some(isPasswordField))
      return { form, code, ...submitOf(form, wanted.submit) };
  }
  return undefined;
}

function passwordOf({ controls }: PageForm, given: string): Control | undefined {
  if (given !== '') return named(findControl(controls, given));
  const fields = controls.filter((control) => isPasswordField(control) && control.name !== '');
  return fields.length === 1 ? fields[0] : undefined;
}

/** People are asked for their name first, so of fields that look alike the last before the password is it. */
function usernameOf({ controls }: PageForm, given: string, password?: Control): Control | undefined {
  if (given !== '') return named(findControl(controls, given));
  const before = password ? controls.slice(0, controls.indexOf(password)) : controls;
  const candidates = before.filter((control) => control.name !== '' && usernameScore(control) > 0);
  const best = Math.max(...candidates.map(usernameScore));
  return candidates.findLast((candidate) => usernameScore(candidate) === best);
}

function codeOf({ controls }: PageForm, given: string, taken: (Control | undefined)[]): Control | undefined {
  if (given !== '') return named(findControl(controls, given));
  return controls.find((control) => isCodeField(control) && control.name !== '' && !taken.includes(control));
}

/** What a browser presses on Enter is the first button; here one that leads elsewhere is skipped. */
function submitOf({ controls }: PageForm, given: string): { submit?: Control } {
  const buttons = controls.filter(({ isSubmit, isDisabled }) => isSubmit && !isDisabled);
  const submit =
    given === ''
      ? (buttons.find((button) => buttonScore(button) > 0) ?? buttons[0])
      : findControl(
          controls.filter(({ isButton }) => isButton),
          given,
        );
  return submit ? { submit } : {};
}

/** What has no name is not sent without script. */
const named = (control: Control | undefined): Control | undefined => (control?.name ? control : undefined);
