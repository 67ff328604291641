import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** A login form as the page has it. */
export type LoginForm = {
  /** Absolute. */
  action: string;
  method: 'GET' | 'POST';
  usernameField: string;
  passwordField: string;
  /** What the page itself would send besides: hidden fields (a CSRF token among them), ticked boxes, the button. */
  others: [name: string, value: string][];
};

export type FieldNames = { username: string; password: string };

/**
 * Finds the form to log in with: one with a single password field, or with the named fields.
 * A form with two password fields is for signing up or changing a password, and is passed over.
 * @param given names of the fields, "" when they are to be found
 */
export function findLoginForm(html: string, pageUrl: string, given: FieldNames): LoginForm | undefined {
  const document = parse(html);
  const base = baseOf(document, pageUrl);
  for (const form of elements(document).filter(({ tagName }) => tagName === 'form')) {
    const found = readForm(form, base, given);
    if (found) return found;
  }
  return undefined;
}

function readForm(form: Element, base: string, given: FieldNames): LoginForm | undefined {
  const fields = elements(form).filter(({ tagName }) => ['input', 'button', 'select', 'textarea'].includes(tagName));
  const passwords = fields.filter((field) => typeOf(field) === 'password' && nameOf(field) !== '');
  const passwordField = given.password || (passwords.length === 1 && passwords[0] ? nameOf(passwords[0]) : '');
  const password = fields.find((field) => nameOf(field) === passwordField);
  if (passwordField === '' || password === undefined) return undefined;
  const usernameField = given.username || guessUsername(fields, password);
  if (usernameField === '' || !fields.some((field) => nameOf(field) === usernameField)) return undefined;
  const action = attribute(form, 'action') || base;
  if (!URL.canParse(action, base)) return undefined;
  return {
    action: new URL(action, base).href,
    method: attribute(form, 'method')?.toLowerCase() === 'post' ? 'POST' : 'GET',
    usernameField,
    passwordField,
    others: othersOf(fields, [usernameField, passwordField]),
  };
}

/** The last text field before the password: people are asked for their name first. */
function guessUsername(fields: Element[], password: Element): string {
  const before = fields.slice(0, fields.indexOf(password));
  const candidates = before.filter((field) => nameOf(field) !== '' && ['text', 'email', 'tel'].includes(typeOf(field)));
  return nameOf(candidates.find((field) => /user|mail|login/i.test(nameOf(field))) ?? candidates.at(-1));
}

function othersOf(fields: Element[], taken: string[]): [string, string][] {
  const others: [string, string][] = [];
  const isButton = (field: Element) => field.tagName === 'button' || ['submit', 'image'].includes(typeOf(field));
  const submit = fields.find((field) => isButton(field) && ['submit', 'image'].includes(typeOf(field)));
  for (const field of fields) {
    const name = nameOf(field);
    if (name === '' || taken.includes(name) || attribute(field, 'disabled') !== undefined) continue;
    if (isButton(field) && field !== submit) continue;
    if (['button', 'reset', 'file', 'password'].includes(typeOf(field))) continue;
    if (['checkbox', 'radio'].includes(typeOf(field)) && attribute(field, 'checked') === undefined) continue;
    others.push([name, sentValue(field)]);
  }
  return others;
}

function sentValue(field: Element): string {
  if (field.tagName === 'select') {
    const options = elements(field).filter(({ tagName }) => tagName === 'option');
    const chosen = options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0];
    return chosen ? (attribute(chosen, 'value') ?? textOf(chosen)) : '';
  }
  if (field.tagName === 'textarea') return textOf(field);
  return attribute(field, 'value') ?? (['checkbox', 'radio'].includes(typeOf(field)) ? 'on' : '');
}

/** A button without a type submits (HTML Living Standard §4.10.8), an input without one takes text. */
const typeOf = (field: Element): string =>
  attribute(field, 'type')?.toLowerCase() ?? (field.tagName === 'button' ? 'submit' : 'text');

const nameOf = (field: Element | undefined): string => (field && attribute(field, 'name')) ?? '';

const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((attr) => attr.name === name)?.value;

const baseOf = (document: Node, pageUrl: string): string => {
  const base = elements(document).find(({ tagName }) => tagName === 'base');
  const href = base && attribute(base, 'href');
  return href && URL.canParse(href, pageUrl) ? new URL(href, pageUrl).href : pageUrl;
};

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

/** All elements below a node in document order. A list of work, not recursion: hostile pages nest very deep. */
function elements(root: Node): Element[] {
  const found: Element[] = [];
  const work: Node[] = 'childNodes' in root ? root.childNodes.toReversed() : [];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) work.push(...node.childNodes.toReversed());
  }
  return found;
}
