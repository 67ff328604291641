import { isRegistered } from '../../model/gained-name.ts';
import type { Identity } from '../../model/identity.ts';
import type { FormSurface } from '../../model/surface.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { calledBeside } from '../accounts/asked-fields.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { type OwnForm, readOwnForm } from '../sessions/own-forms.ts';
import { valuesBehind } from './labelled-values.ts';
import { mutationWrites } from './mutation-writes.ts';
import { type RoleValue, raisesOf } from './role-raises.ts';
import { formWay, type RoleWrite, roleWrites } from './role-writes.ts';

/** Pages about the user who reads them. */
const ownPage = /\/(?:me|self|profile|account|settings|preferences|my-?(?:profile|account)|dashboard)(?:[/.]|$)/i;
const roleLabel =
  /^(?:(?:your|user|account|current|my) )?(?:role|(?:user|account) (?:type|kind|level)|(?:type|kind) of (?:user|account))$/i;
const labelInText =
  /\b(?:role|(?:user|account) (?:type|kind|level)|(?:type|kind) of (?:user|account))\s{0,3}[:=]\s{0,3}(?=[A-Za-z])/gi;
/** A label, and what stands between it and the end. */
const labelBefore =
  /(?:role|(?:user|account) (?:type|kind|level)|(?:type|kind) of (?:user|account))(?:[^A-Za-z<]|<[^<>]{0,30}>){0,12}$/i;
/** What sites call those without rights of their own; a role by another name may be what somebody works as, where they say it. */
const lowRole = /^(?:(?:role_)?user|customer|member|guest|standard|regular|normal|basic|subscriber|reader)$/i;
const roleWord = '([A-Za-z_]{3,20})';
const roleName = /^(?:.*[._[-])?(?:role|(?:user|account)_?type)\]?$/i;
const highRole = /^(?:role_)?(?:admin|administrator|superuser|root|owner)$/i;
/** Forms with one of these do more than change a profile. */
const consequentialFields = /pass|pwd|confirm|delete|card|iban|amount|subject|message|comment|role|admin/i;
/** Some sites write to an address that was sent, though it is as it was: that is for test systems, where messages are sent anyway. */
const reachingFields = /mail|phone/i;
const typed = /^(?:text|search|url|tel|email|number|textarea|)$/;
const contextLength = 30;
const minName = 4;
const maxPages = 4;
const maxForms = 3;

/** Ways to send a role that a profile of the user shows, as data or as a page. Looking changes nothing. @throws ProbeError */
export async function allRoleWrites(context: CheckContext, user: Identity): Promise<RoleWrite[]> {
  const inJson = await roleWrites(context, user);
  if (inJson.length > 0) return inJson;
  const byMutation = await mutationWrites(context, user);
  return byMutation.length > 0 ? byMutation : shownRoleWrites(context, user);
}

/** A role that a page shows a user behind a label, and the page again. */
type ShownRole = {
  url: string;
  before: string;
  /** With what stands before it on the page of this user. */
  patternOf(role: RoleValue): string;
  /** With its label alone, as the page of another user has it. */
  labelled(role: string): string;
};

/** Roles on pages of the user. @throws ProbeError */
export async function shownRoles(context: CheckContext, user: Identity): Promise<ShownRole[]> {
  const { pages = [] } = context.surfaces[user.name] ?? {};
  const own = pages.filter(({ url, status, contentType }) => status === 200 && /html/i.test(contentType) && isOwn(url));
  const urls = [...new Set([user.checkUrl, ...own.map(({ url }) => url)])];
  const isRole = rolesOfSite(context, user);
  const shown: ShownRole[] = [];
  for (const url of likeliest(context, urls, maxPages, 'pages about a user')) {
    const found = await roleAt(context, user, url, isRole);
    if (found) shown.push({ url, ...found });
  }
  return shown;
}

/** By what the site itself gives as a role: to an account that was just opened, or in a hidden field, and without asking. */
function rolesOfSite({ surface, surfaces }: CheckContext, { name: user }: Identity): (word: string) => boolean {
  const forms = [surface, ...Object.values(surfaces)].flatMap((view) => view.forms);
  const fields = forms.flatMap((form) => form.fields).filter(({ name }) => roleName.test(name));
  const isAsked = fields.some(({ type }) => type !== 'hidden');
  const isGiven = (word: string) => isRegistered(user) || fields.some(({ value }) => value === word);
  return (word) => lowRole.test(word) || (!isAsked && !highRole.test(word) && isGiven(word));
}

/** Forms of the user's own pages that keep what they show, for a role that stands on such a page and is no field of theirs. */
async function shownRoleWrites(context: CheckContext, user: Identity): Promise<RoleWrite[]> {
  const { forms = [] } = context.surfaces[user.name] ?? {};
  const shown = await shownRoles(context, user);
  const [place] = shown;
  if (!place) return [];
  const { url: profileUrl, before, patternOf } = place;
  // The profile of an account of the audit's own has nothing in it yet.
  const isNew = context.writes === 'create' && isRegistered(user.name);
  const kept: OwnForm[] = [];
  for (const form of likeliest(
    context,
    forms.filter((form) => changesProfile(form, context)),
    maxForms,
    'forms of a profile',
  )) {
    const read = await readOwnForm(context, user, form);
    if (read && (isFilledIn(read) || isNew)) kept.push(read);
  }
  return kept.flatMap((form) =>
    raisesOf({ role: before }).map((raise): RoleWrite => {
      const named = { ...raise, field: fieldOf(form) };
      return { profileUrl, profile: {}, patternOf, ...named, ...formWay(form, named), sentAlong: [] };
    }),
  );
}

const isOwn = (url: string): boolean => ownPage.test(namedPath(url));

/** The role that a page shows twice at one place. */
async function roleAt(
  { http }: CheckContext,
  { jar, headers, userName = '' }: Identity,
  url: string,
  isRole: (word: string) => boolean,
) {
  const read = async () => http.get(url, { jar, headers, fresh: true });
  const [first, again] = [await read(), await read()];
  if (first.status !== 200 || again.status !== 200) return undefined;
  for (const at of [
    ...valuesBehind(first.text, (name) => roleLabel.test(name)),
    ...behindWords(first.text),
    ...behindName(first.text, userName),
  ]) {
    const text = first.text.slice(Math.max(0, at - contextLength), at);
    const patternOf = (role: RoleValue) => `${escapePattern(text)}${escapePattern(String(role))}(?:[^\\w]|$)`;
    const before = firstMatch(escapePattern(text) + roleWord, first.text)?.groups[0] ?? '';
    const isAlone = first.text.split(text).length === 2;
    const label = labelBefore.exec(text)?.[0] ?? text;
    const labelled = (role: string) => `${escapePattern(label.trimStart())}${escapePattern(role)}(?:[^\\w]|$)`;
    if (isAlone && isRole(before) && firstMatch(patternOf(before), again.text)) return { before, patternOf, labelled };
  }
  return undefined;
}

/** "Signed in as ann (role: user)": in the middle of a text. */
const behindWords = (text: string): number[] =>
  [...text.matchAll(labelInText)].slice(0, maxPages).map(({ 0: whole, index }) => index + whole.length);

/** "ann@example.com (user)": in brackets behind what the user is called. */
function behindName(text: string, userName: string): number[] {
  if (userName.length < minName) return [];
  const pattern = new RegExp(`${escapePattern(userName)}(?:</?[a-z]{1,8}>|\\s){0,4}\\((?=[A-Za-z_]{3,20}\\))`, 'g');
  return [...text.matchAll(pattern)].slice(0, maxPages).map(({ 0: whole, index }) => index + whole.length);
}

function changesProfile(
  { method, pageUrl, action, fields, isSearch }: FormSurface,
  { writes }: Pick<CheckContext, 'writes'>,
): boolean {
  const isConsequential = (name: string) =>
    consequentialFields.test(name) || (writes !== 'create' && reachingFields.test(name));
  const isPlain = fields.every(({ name, type }) => type !== 'file' && type !== 'password' && !isConsequential(name));
  return method === 'POST' && !isSearch && (isOwn(pageUrl) || isOwn(action)) && isPlain;
}

/** It shows what it keeps. One with an empty field makes something new, or sends it to somebody. */
function isFilledIn({ fields }: OwnForm): boolean {
  const texts = fields.filter(({ type }) => typed.test(type));
  return texts.length > 0 && texts.every(({ value }) => value !== '');
}

/** "user[role]" beside "user[city]". */
const fieldOf = ({ fields }: OwnForm): string =>
  calledBeside(fields.find(({ name }) => name.includes('['))?.name ?? '', 'role');
