import { type Assertion, claim } from '../../model/experiment.ts';
import type { HtmlElement } from '../../probe/html/parse.ts';
import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import { privateLinePattern } from '../../proof/files/private-data.ts';
import { escapePattern } from '../../proof/pattern.ts';

/**
 * What a page shows that is for those who run a site alone. `patterns` (RE2) find it again, each in the body; hashes of passwords are
 * found by their form.
 */
export type Privilege = {
  kind: 'accounts' | 'user form' | 'settings' | 'page';
  detail: string;
  patterns: string[];
  isHashes?: true;
};

/** The page is answered, and shows it. */
export const shownPrivilege = ({ patterns, isHashes }: Privilege): Assertion[] => [
  claim('status', 'equals', '200'),
  ...patterns.map((pattern) => claim('body:masked', 'matches', pattern)),
  ...(isHashes ? [claim('body:private-data', 'matches', privateLinePattern('hash', 2))] : []),
];

/** As many of a kind as chance does not bring together. */
export const minAccounts = 3;
/** Rows of a page that are read, and nodes and characters of a row. */
export const maxRows = 3_000;
export const maxNodes = 1_000;
export const maxCharacters = 10_000;
export const mail = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;
export const mailPattern = '[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,4}';
/** Columns that describe customers and members, and not people whom a site presents. */
const recordColumn =
  /^(?:last (?:login|seen|order)|(?:registered|joined|signed up|created)(?: (?:on|at))?|customers?|orders?|order (?:no\.?|id|number|date)|balance|(?:total )?spent|ip(?: address)?|subscription)$/i;
/** What one does to an account, as the address or the label of a link or button says it. */
const management =
  /(?:^|[^a-z])(?:edit|delete|remove|disable|deactivate|suspend|ban|block|unlock|impersonate|log-?in-?as|promote|make-?admin|reset-?password|change-?role|permissions?|bearbeiten|löschen|sperren|supprimer|modifier|eliminar|editar)(?:$|[^a-z])/i;
/** Names of fields that hold the rights of an account. */
export const roleNames =
  /^(?:[\w.-]*[[._-])?(?:role|roles|is_?admin|admin|is_?staff|is_?superuser|permissions?|user_?level|privileges?|access_?level|groups?)\]?(?:\[\])?$/i;
/** What an account is or is in, as the whole text of a cell: senders and contacts are not described so. */
const accountStates =
  /^(?:(?:super[-_ ]?)?admin(?:istrator)?|root|staff|super[-_ ]?user|editor|moderator|customer|member|user|subscriber|active|inactive|suspended|banned|verified|unverified)$/i;
/** Those of them that do not describe people who work for a site. */
const ordinaryStates = /^(?:customer|user|subscriber|inactive|suspended|banned|unverified)$/i;

/**
 * Rows of a table (or items of a list) with a mail address each, and in each what manages that account. Outside of an
 * administration they also have its role or state beside the address: contacts and senders can be blocked, too.
 */
export function accountsInTable(html: string, isAdministrative: boolean, left: Left): Privilege | undefined {
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

/**
 * Rows of a table with a mail address and a role or state each, of which one is that of an ordinary account: a page that presents people
 * names what they do, and nobody "customer" or "suspended".
 */
export function rolesInTable(html: string, left: Left): Privilege | undefined {
  const accounts = new Map<string, string>();
  for (const row of rowsOf(html, ['tr'], left)) {
    const nodes = elementsIn(row);
    const address = mail[Symbol.match](textOf(row))?.[0];
    const state = nodes.map(stateOf).find((text) => text !== undefined);
    if (address !== undefined && state !== undefined && !nodes.some(({ tagName }) => tagName === 'tr'))
      accounts.set(address, state);
  }
  const ordinary = [...accounts.values()].find((state) => ordinaryStates.test(state));
  if (ordinary === undefined) return administratorAmong(html, left);
  if (accounts.size < minAccounts) return undefined;
  return {
    kind: 'accounts',
    detail: `It lists ${accounts.size} accounts with their mail addresses and roles.`,
    patterns: [mailPattern, `>\\s*${escapePattern(ordinary)}\\s*<`],
  };
}

/**
 * In an administration sites call ordinary roles as they like: the column in which one account is an administrator, and others are
 * something else, is that of roles.
 */
function administratorAmong(html: string, left: Left): Privilege | undefined {
  const rows = rowsOf(html, ['tr'], left).filter((row) => mail[Symbol.match](textOf(row)) !== null);
  const cells = rows.map((row) =>
    row.childNodes
      .filter((node) => isElement(node) && node.tagName === 'td')
      .map((cell) => textOf(cell as HtmlElement).trim()),
  );
  const columns = (cells[0] ?? []).map((_, column) => cells.map((row) => row[column] ?? ''));
  const roles = columns.find(
    (texts) =>
      texts.some(isAdministratorWord) &&
      !texts.every(isAdministratorWord) &&
      texts.every((text) => roleLike.test(text)),
  );
  const role = roles?.find(isAdministratorWord);
  if (rows.length < minAccounts || role === undefined) return undefined;
  return {
    kind: 'accounts',
    detail: `It lists ${rows.length} accounts with their mail addresses and roles.`,
    patterns: [mailPattern, `>\\s*${escapePattern(role)}\\s*<`],
  };
}

const isAdministratorWord = (text: string): boolean => /^(?:super[-_ ]?)?admin(?:istrator)?$|^root$/i.test(text);
const roleLike = /^\p{L}[\p{L} _-]{1,24}$/u;

/** Rows of a table with a mail address each, under a head that says that they are customers, members or orders. */
export function recordsInTable(html: string, left: Left): Privilege | undefined {
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
export type Left = { rows: number };

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
