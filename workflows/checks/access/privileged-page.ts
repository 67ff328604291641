import type { Exchange } from '../../model/http.ts';
import { parseJson } from '../../model/json.ts';
import type { FormSurface } from '../../model/surface.ts';
import { counted, wasOrWere } from '../../model/words.ts';
import { wholeTree } from '../../probe/html/tree.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { privateData } from '../../proof/files/private-data.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { surfaceForms } from '../../survey/page-forms.ts';
import type { OmissionReporter } from '../inputs/at-most.ts';
import { isAdministration } from '../pages/admin-paths.ts';
import {
  accountsInTable,
  type Left,
  mail,
  mailPattern,
  maxCharacters,
  maxNodes,
  maxRows,
  minAccounts,
  type Privilege,
  recordsInTable,
  roleNames,
  rolesInTable,
} from './privileged-rows.ts';

/** As many of a kind as chance does not bring together. */
const minSettings = 3;
const minHashes = 2;
/** By their names for those who run a site alone: "/administration" may be an office that presents its people. */
const backOffice = /\/(?:wp-admin|admin(?:-?(?:area|panel))?|back-?office)(?:\/|$)/i;

/** RFC 5321 §4.5.3.1. */
const maxMailLength = 320;
const highRoles = /^(?:(?:super[-_ ]?)?admin(?:istrator)?|root|super[-_ ]?user)s?$/i;
/** Names of boxes that by themselves give such a role. */
const highFlags = /^(?:[\w.-]*[[._-])?(?:is_?)?(?:admin(?:istrator)?|staff|super_?user)\]?$/i;
const settingNames =
  /(?:^|[[._-])(?:smtp|mail_?(?:host|server|from)|maintenance|debug|site_?(?:name|title|url)|base_?url|admin_?e?mail|db_?(?:host|name|user|pass\w*)|api_?(?:key|secret)|secret(?:_?key)?|stripe|paypal|webhook|backup|cache_?(?:ttl|driver)|log_?level|session_?(?:lifetime|timeout)|registration_?(?:open|enabled)|allow_?registration|default_?role|timezone|upload_?(?:max|limit)|license_?key)/i;
/** Members of an account in an interface, beside its mail address. */
const accountMembers =
  /^(?:role|roles|is_?admin|is_?staff|is_?superuser|permissions?|password(?:_?hash)?|last_?login|is_?active|status|created_?at)$/i;

/**
 * A privileged function that a page shows by its structure: accounts with what manages them, a form that makes or changes users with
 * their rights, or settings of the site. A login is none.
 */
export function privilegeOf(exchange: Exchange, { leave }: OmissionReporter): Privilege | undefined {
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
  const path = namedPath(exchange.request.url);
  const records = backOffice.test(path)
    ? (recordsInTable(exchange.text, left) ?? rolesInTable(exchange.text, left))
    : undefined;
  return (
    accountsInTable(exchange.text, isAdministration(path), left) ?? userForm(forms) ?? settingsForm(forms) ?? records
  );
}

/** People with the hashes of their passwords, in a table of an administration: nobody presents these. */
export function hashesIn(exchange: Exchange): Privilege | undefined {
  if (exchange.status !== 200 || !isHtml(exchange) || !isAdministration(namedPath(exchange.request.url)))
    return undefined;
  const people = privateData(exchange.text).get('hash') ?? 0;
  const detail = `It lists ${people} people with hashes of their passwords.`;
  return people < minHashes ? undefined : { kind: 'accounts', detail, patterns: [], isHashes: true };
}

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
