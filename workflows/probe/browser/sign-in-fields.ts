import { setTimeout as sleep } from 'node:timers/promises';
import type { ElementHandle, Page } from 'playwright-core';
import type { BrowserSignIn, SignedIn } from '../../model/browser.ts';
import { buttonScore, type FieldTraits, isCodeField, isPasswordField, usernameScore } from '../login-fields.ts';

type Handle = ElementHandle<SVGElement | HTMLElement>;

/** A field or button that can be seen. */
type SignInField = FieldTraits & { handle: Handle; isButton: boolean; maxLength: number; form: number };

/** What the page asks for next. */
export type NextFields = {
  username?: Handle;
  password?: Handle;
  /** One field, or one for each digit. */
  code: Handle[];
  button?: Handle;
  /** The field that was filled in last. */
  last: Handle;
};

const pollMs = 200;
const actionTimeoutMs = 2_000;
const maxSeen = 300;
/** Fields for one character each are for the digits of a code from this many on. */
const minDigits = 4;

/** Waits for fields that the login has something for. Those that were filled in before are not filled in again. */
export async function findNext(
  page: Page,
  request: BrowserSignIn,
  sent: SignedIn['sent'],
  patienceMs: number,
): Promise<NextFields | undefined> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    // A page that is just being replaced has no fields.
    const next = await look(page, request, sent).catch(() => undefined);
    if (next || performance.now() >= endMs) return next;
    await sleep(pollMs);
  }
}

async function look(page: Page, request: BrowserSignIn, sent: SignedIn['sent']): Promise<NextFields | undefined> {
  const { fields: given, code } = request;
  const seen = await visibleFields(page);
  const [password, username] = [
    await passwordIn(page, seen, given.password),
    await usernameIn(page, seen, given.username),
  ];
  const codes = code && !sent.code ? await codeIn(page, seen, given.code) : [];
  const button = (near: Handle | undefined) => buttonIn(page, seen, given.submit, near);
  if (sent.password) {
    const [first] = codes;
    if (!first || password) return undefined;
    return { code: codes, ...(await button(first)), last: codes.at(-1) ?? first };
  }
  const named = username && !sent.name ? { username } : {};
  if (password) {
    const together = codes.filter((handle) => handle !== username);
    return { ...named, password, code: together, ...(await button(password)), last: password };
  }
  return username && !sent.name ? { username, code: [], ...(await button(username)), last: username } : undefined;
}

export async function fillIn(page: Page, next: NextFields, request: BrowserSignIn): Promise<void> {
  const timeout = actionTimeoutMs;
  await next.username?.fill(request.username, { timeout });
  await next.password?.fill(request.password, { timeout });
  const [first] = next.code;
  if (!first || !request.code) return;
  const code = await request.code();
  if (next.code.length === 1) return first.fill(code, { timeout });
  await first.focus();
  await page.keyboard.type(code, { delay: 30 });
}

/** A press on the button, also where something lies over it; without one, Enter. */
export async function submit({ button, last }: NextFields): Promise<void> {
  const timeout = actionTimeoutMs;
  if (!button) return last.press('Enter', { timeout, noWaitAfter: true }).catch(() => {});
  await button.click({ timeout, noWaitAfter: true }).catch(() => button.dispatchEvent('click').catch(() => {}));
}

async function passwordIn(page: Page, seen: readonly SignInField[], given: string): Promise<Handle | undefined> {
  return given === '' ? passwordField(seen)?.handle : (seenByName(seen, given) ?? locate(page, given));
}

/** Of several the one beside a button that logs in: two in one form are for signing up, as one beside "Register" is. */
function passwordField(seen: readonly SignInField[]): SignInField | undefined {
  const fields = seen.filter((field) => !field.isButton && isPasswordField(field) && field.maxLength !== 1);
  const alone = fields.filter(({ form }) => fields.filter((other) => other.form === form).length === 1);
  const score = ({ form }: SignInField) => {
    const scores = seen.filter((field) => field.isButton && field.form === form).map(buttonScore);
    return scores.length === 0 ? 0 : Math.max(...scores);
  };
  return alone.toSorted((a, b) => score(b) - score(a))[0] ?? fields[0];
}

async function usernameIn(page: Page, seen: readonly SignInField[], given: string): Promise<Handle | undefined> {
  if (given !== '') return seenByName(seen, given) ?? locate(page, given);
  const password = passwordField(seen);
  const before = password ? seen.slice(0, seen.indexOf(password)) : seen;
  const candidates = before.filter((field) => !field.isButton && usernameScore(field) > (password ? 0 : 1));
  const own = candidates.filter(({ form }) => !password || form === password.form);
  const among = own.length > 0 ? own : candidates;
  const best = Math.max(...among.map(usernameScore));
  return among.findLast((field) => usernameScore(field) === best)?.handle;
}

async function codeIn(page: Page, seen: readonly SignInField[], given: string): Promise<Handle[]> {
  const one = given === '' ? undefined : await locate(page, given);
  if (one) return [one];
  const digits = seen.filter(({ isButton, maxLength }) => !isButton && maxLength === 1);
  if (digits.length >= minDigits) return digits.map(({ handle }) => handle);
  return seen
    .filter((field) => !field.isButton && isCodeField(field))
    .map(({ handle }) => handle)
    .slice(0, 1);
}

async function buttonIn(page: Page, seen: readonly SignInField[], given: string, near: Handle | undefined) {
  const named = given === '' ? undefined : await locate(page, given);
  if (named) return { button: named };
  const form = seen.find(({ handle }) => handle === near)?.form;
  const buttons = seen.filter((field) => field.isButton && buttonScore(field) > 0);
  const own = buttons.filter((field) => field.form === form);
  // What stands before the field may have opened it.
  const at = seen.findIndex(({ handle }) => handle === near);
  const isBefore = (field: SignInField) => Number(seen.indexOf(field) < at);
  const best = (own.length > 0 ? own : buttons).toSorted(
    (a, b) => buttonScore(b) - buttonScore(a) || isBefore(a) - isBefore(b),
  )[0];
  return best ? { button: best.handle } : {};
}

/** As one of those that were seen, beside which the button stands. */
const seenByName = (seen: readonly SignInField[], given: string): Handle | undefined =>
  seen.find(({ isButton, name }) => !isButton && name === given)?.handle;

/** By name, or else by CSS selector, through open shadow roots. */
async function locate(page: Page, given: string): Promise<Handle | undefined> {
  for (const selector of [`[name=${JSON.stringify(given)}]:visible`, given]) {
    const [handle] = await page
      .locator(selector)
      .elementHandles()
      .catch(() => []);
    if (handle && (await handle.isVisible())) return handle as Handle;
  }
  return undefined;
}

const selector = 'input:visible, button:visible, [role="button"]:visible';

/** In document order, those that take nothing left out. */
async function visibleFields(page: Page): Promise<SignInField[]> {
  const handles = (await page.locator(selector).elementHandles()).slice(0, maxSeen);
  const seen = await Promise.all(
    handles.map(async (handle) => ({ handle: handle as Handle, ...(await traitsOf(handle as Handle)) })),
  );
  return seen.filter(({ isUsable }) => isUsable);
}

const traitsOf = (handle: Handle) =>
  handle.evaluate((element) => {
    const get = (name: string) => element.getAttribute(name) ?? '';
    const field = element instanceof HTMLInputElement ? element : undefined;
    const form = field?.form ?? (element instanceof HTMLButtonElement ? element.form : undefined);
    const isButton = !field || ['submit', 'image', 'button', 'reset'].includes(field.type);
    const label = isButton
      ? [element.textContent, field?.value, get('title')]
      : [get('placeholder'), field?.labels?.[0]?.textContent];
    return {
      type: field?.type ?? (element instanceof HTMLButtonElement ? element.type : 'button'),
      name: get('name'),
      id: get('id'),
      autocomplete: get('autocomplete'),
      label: [...label, get('aria-label')].filter(Boolean).join(' ').slice(0, 200),
      isButton,
      maxLength: field?.maxLength ?? -1,
      form: form ? Array.from(document.forms).indexOf(form) : -1,
      isUsable: !field || isButton || !(field.disabled || field.readOnly),
    };
  });
