import type { Exchange } from '../../model/http.ts';
import { parseJson } from '../../model/json.ts';
import type { FormSurface } from '../../model/surface.ts';
import { counted, wasOrWere } from '../../model/words.ts';
import type { HtmlElement } from '../../probe/html/parse.ts';
import { attributeOf, isElement, nodesOf, wholeTree } from '../../probe/html/tree.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { surfaceForms } from '../../survey/page-forms.ts';
import type { Teller } from '../inputs/at-most.ts';
import { isAdministration } from './admin-paths.ts';

/** What a page shows that is for those who run a site alone. `patterns` (RE2) find it again, each in the body. */
export type Privilege = { kind: 'accounts' | 'user form' | 'settings'; detail: string; patterns: string[] };

/** As many of a kind as chance does not bring together. */
const minAccounts = 3;
const minSettings = 3;
/** By their names for those who run a site alone: "/administration" may be an office that presents its people. */
const backOffice = /\/(?:wp-admin|admin(?:-?(?:area|panel))?|back-?office)(?:\/|$)/i;
/** Columns that tell of customers and members, and not of people whom a site presents. */
const recordColumn =
  /^(?:last (?:login|seen|order)|(?:registered|joined|signed up|created)(?: (?:on|at))?|customers?|orders?|order (?:no\.?|id|number|date)|balance|(?:total )?spent|ip(?: address)?|subscription)$/i;
/** Rows of a page that are read, and nodes and characters of a row. */
const maxRows = 3_000;
const maxNodes = 300;
const maxCharacters = 2_000;
const mail = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;
const mailPattern = '[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,4}';

/** What one does to an account, as the address or the label of a link or button says it. */
const management =
  /(?:^|[^a-z])(?:edit|delete|remove|disable|deactivate|suspend|ban|block|unlock|impersonate|log-?in-?as|promote|make-?admin|reset-?password|change-?role|permissions?|bearbeiten|löschen|sperren|supprimer|modifier|eliminar|editar)(?:$|[^a-z])/i;
const roleNames =
  /^(?:[\w.-]*[[._-])?(?:role|roles|is_?admin|admin|is_?staff|is_?superuser|permissions?|user_?level|privileges?|access_?level|groups?)\]?(?:\[\])?$/i;
/** RFC 5321 §4.5.3.1. */
const maxMailLength = 320;
const highRoles = /^(?:(?:super[-_ ]?)?admin(?:istrator)?|root|super[-_ ]?user)s?$/i;
/** Names of boxes that by themselves give such a role. */
const highFlags = /^(?:[\w.-]*[[._-])?(?:is_?)?(?:admin(?:istrator)?|staff|super_?user)\]?$/i;
/** What an account is or is in, as the whole text of a cell: nobody says that of a sender or a contact. */
const accountStates =
  /^(?:(?:super[-_ ]?)?admin(?:istrator)?|root|staff|super[-_ ]?user|editor|moderator|customer|member|user|subscriber|active|inactive|suspended|banned|verified|unverified)$/i;
const settingNames =
  /(?:^|[[._-])(?:smtp|mail_?(?:host|server|from)|maintenance|debug|site_?(?:name|title|url)|base_?url|admin_?e?mail|db_?(?:host|name|user|pass\w*)|api_?(?:key|secret)|secret(?:_?key)?|stripe|paypal|webhook|backup|cache_?(?:ttl|driver)|log_?level|session_?(?:lifetime|timeout)|registration_?(?:open|enabled)|allow_?registration|default_?role|timezone|upload_?(?:max|limit)|license_?key)/i;
/** Members of an account in an interface, beside its mail address. */
const accountMembers =
  /^(?:role|roles|is_?admin|is_?staff|is_?superuser|permissions?|password(?:_?hash)?|last_?login|is_?active|status|created_?at)$/i;

/**
 * A privileged function that a page shows by its structure: accounts with what manages them, a form that makes or changes users with
 * their rights, or settings of the site. A login is none.
 */
export function privilegeOf(exchange: Exchange, { leave }: Teller): Privilege | undefined {
  const left = { rows: 0 };
  const privilege = privilegeIn(exchange, left);
  const text = `${counted(left.rows, 'row')} of ${exchange.request.url} ${wasOrWere(left.rows)} not read whole: ${maxRows} rows of a page are, with ${maxNodes} nodes and ${maxCharacters} characters each`;
  if (privilege === undefined && left.rows > 0) leave({ code: 'page_cut', count: left.rows, text });
  return privilege;
}

function privilegeIn(exchange: Exchange, left: Left): Privilege | undefined {
  if (exchange.status !== 200) return undefined;
  if (!isHtml(exchange)) return accountsInJson(exchange);
  const forms = formsOf(exchange);
  const { pathname } = new URL(exchange.request.url);
  const records = backOffice.test(pathname) ? recordsInTable(exchange.text, left) : undefined;
  return (
    accountsInTable(exchange.text, isAdministration(pathname), left) ??
    userForm(forms) ??
    settingsForm(forms) ??
    records
  );
}

/**
 * Rows of a table (or items of a list) with a mail address each, and in each what manages that account. Outside of an
 * administration they also have its role or state beside the address: contacts and senders can be blocked, too.
 */
function accountsInTable(html: string, isAdministrative: boolean, left: Left): Privilege | undefined {
  const rows = rowsOf(html, ['tr', 'li'], left);
  const accounts = new Map<string, { control: string; state: string | undefined }>();
  for (const row of rows) {
    const nodes = elementsIn(row);
    const address = mail[Symbol.match](textOf(row))?.[0];
    const control = nodes.map(controlOf).find((text) => text !== undefined);
    const state = nodes.map(stateOf).find((text) => text !== undefined);
    if (address === undefined || control === undefined || nodes.some(({ tagName }) => tagName === 'tr')) continue;
    if (isAdministrative || state !== undefined) accounts.set(address, { control, state });
  }
  const [first] = accounts.values();
  if (accounts.size < minAccounts || !first) return undefined;
  const { control, state } = first;
  const beside = isAdministrative || state === undefined ? [] : [escapePattern(state)];
  return {
    kind: 'accounts',
    detail: `It lists ${accounts.size} accounts with their mail addresses, each with what manages it.`,
    patterns: [mailPattern, escapePattern(control), ...beside],
  };
}

/** Rows of a table with a mail address each, under a head that says that they are customers, members or orders. */
function recordsInTable(html: string, left: Left): Privilege | undefined {
  const elements = [...nodesOf(html)].filter(isElement);
  const column = elements
    .filter(({ tagName }) => tagName === 'th')
    .map((head) => textOf(head).replace(/\s+/g, ' ').trim())
    .find((text) => recordColumn.test(text));
  const rows = rowsOf(html, ['tr'], left);
  const addresses = new Set(rows.flatMap((row) => mail[Symbol.match](textOf(row))?.[0] ?? []));
  if (column === undefined || addresses.size < minAccounts) return undefined;
  return {
    kind: 'accounts',
    detail: `It lists ${addresses.size} people with their mail addresses, under "${column}".`,
    patterns: [mailPattern, escapePattern(column).replaceAll(' ', '\\s+')],
  };
}

/** What a page has beyond the bounds of its rows. */
type Left = { rows: number };

function rowsOf(html: string, names: readonly string[], left: Left): HtmlElement[] {
  const rows = [...nodesOf(html)].filter(isElement).filter(({ tagName }) => names.includes(tagName));
  const read = rows.slice(0, maxRows);
  left.rows = Math.max(left.rows, rows.length - read.length + read.filter(isCut).length);
  return read;
}

/** A row in which others stand is no row of an account. */
const isCut = (row: HtmlElement): boolean => {
  const nodes = descendants(row);
  if (nodes.some((node) => isElement(node) && node.tagName === row.tagName)) return false;
  return nodes.length >= maxNodes || textOf(row).length >= maxCharacters;
};

/** The role or state of an account: the name of what sets its role, or what stands alone in an element. */
function stateOf(element: HtmlElement): string | undefined {
  const name = attributeOf(element, 'name') ?? '';
  if (element.tagName === 'select' && roleNames.test(name)) return name;
  const text = element.childNodes.length === 1 ? textOf(element).trim() : '';
  return accountStates.test(text) ? text : undefined;
}

/** The word by which a link, button or field of a row does something to an account, as it stands in the page. */
function controlOf(element: HtmlElement): string | undefined {
  const name = attributeOf(element, 'name') ?? '';
  if (element.tagName === 'select' && roleNames.test(name)) return name;
  const isControl =
    element.tagName === 'a' ||
    element.tagName === 'button' ||
    element.tagName === 'form' ||
    /^(?:submit|button)$/i.test(attributeOf(element, 'type') ?? '');
  if (!isControl) return undefined;
  const texts = ['href', 'action', 'formaction', 'value', 'title', 'aria-label'].flatMap(
    (each) => attributeOf(element, each) ?? [],
  );
  const text = [...texts, textOf(element)].find((each) => !/^mailto:/i.test(each) && management.test(each));
  return text === undefined ? undefined : management.exec(text)?.[0].replace(/^[^a-zäöü]+|[^a-zäöü]+$/gi, '');
}

/** In no order; hostile pages are nested without end, and real rows are small. */
function descendants(element: HtmlElement): HtmlElement['childNodes'] {
  const found = [...element.childNodes];
  for (let at = 0; at < found.length && found.length < maxNodes; at += 1) {
    const node = found[at];
    if (node && 'childNodes' in node) found.push(...node.childNodes);
  }
  return found.slice(0, maxNodes);
}

const elementsIn = (element: HtmlElement): HtmlElement[] => descendants(element).filter(isElement);
const textOf = (element: HtmlElement): string =>
  descendants(element)
    .map((node) => (node.nodeName === '#text' && 'value' in node ? node.value : ' '))
    .join('')
    .slice(0, maxCharacters);

const formsOf = ({ text, request }: Exchange): FormSurface[] =>
  surfaceForms(wholeTree(text), request.url).forms.filter(({ method }) => method === 'POST');

const namePattern = (name: string): string => `(?i)\\bname\\s*=\\s*["']?${escapePattern(name)}["'\\s/>]`;

/** A form that gives somebody a role that only those who run a site give, for an account that it names. */
function userForm(forms: readonly FormSurface[]): Privilege | undefined {
  for (const { fields } of forms) {
    const role = fields.find(givesHighRole);
    const who = fields.find(({ name, type }) => type !== 'hidden' && /e-?mail|user_?name|login/i.test(name));
    if (role && who)
      return {
        kind: 'user form',
        detail: `It has a form that makes or changes an account with its rights (fields "${who.name}" and "${role.name}").`,
        patterns: [namePattern(role.name), namePattern(who.name)],
      };
  }
  return undefined;
}

/** A choice in which there is a role with high rights, or a box that gives one. */
const givesHighRole = ({ name, type, value, options = [] }: FormSurface['fields'][number]): boolean =>
  (type === 'checkbox' && highFlags.test(name)) ||
  (roleNames.test(name) &&
    [...options, ...(/^(?:checkbox|radio)$/.test(type) ? [value] : [])].some((each) => highRoles.test(each.trim())));

function settingsForm(forms: readonly FormSurface[]): Privilege | undefined {
  for (const { fields } of forms) {
    const names = [...new Set(fields.filter(({ type }) => type !== 'hidden').map(({ name }) => name))].filter((name) =>
      settingNames.test(name),
    );
    if (names.length >= minSettings)
      return {
        kind: 'settings',
        detail: `It has a form for settings of the site (fields ${names
          .slice(0, 4)
          .map((name) => `"${name}"`)
          .join(', ')}).`,
        patterns: names.slice(0, minSettings).map(namePattern),
      };
  }
  return undefined;
}

/** An interface that lists accounts: objects with a mail address and with what is of an account alone. */
function accountsInJson({ text, header }: Exchange): Privilege | undefined {
  if (!/json/i.test(header('content-type') ?? '')) return undefined;
  const lists = listsIn(parseJson(text));
  for (const list of lists) {
    const accounts = list.filter((each) =>
      Object.values(each).some(
        (value) => typeof value === 'string' && value.length <= maxMailLength && value.match(mail)?.[0] === value,
      ),
    );
    const [member] = Object.keys(accounts[0] ?? {}).filter((name) => accountMembers.test(name));
    if (accounts.length >= minAccounts && member !== undefined)
      return {
        kind: 'accounts',
        detail: `It lists ${accounts.length} accounts with their mail addresses and "${member}".`,
        patterns: [mailPattern, `"${escapePattern(member)}"\\s*:`],
      };
  }
  return undefined;
}

function listsIn(value: unknown): Record<string, unknown>[][] {
  const values = typeof value === 'object' && value !== null ? [value, ...Object.values(value)] : [];
  return values.filter(Array.isArray).map((list) => list.filter((each) => typeof each === 'object' && each !== null));
}
