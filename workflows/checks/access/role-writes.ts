import type { HttpAction, Step, WritePlan } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { parseJson } from '../../model/json.ts';
import type { FormSurface } from '../../model/surface.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { looksSecret } from '../../proof/redact.ts';
import type { CheckContext } from '../contract.ts';
import { formBody, formUndo, type OwnForm, ownPageHeaders, readOwnForm, tokenSteps } from '../sessions/own-forms.ts';
import { namesOf } from './own-names.ts';
import { ownProfile } from './own-profile.ts';
import { allRaisesOf, isScalar, memberOf, nameOf, type Profile, type Raise, type RoleValue } from './role-raises.ts';
import { comparedRoles, raisedByWords, roleWords } from './role-words.ts';
import { type NamedRole, scriptedRole, scriptedRoles } from './scripted-roles.ts';

/** A request that could change the role in a user's own profile, and the same one that puts it back. */
export type RoleWrite = Raise &
  RoleWay & {
    /** Shows the profile, the role among it. */
    profileUrl: string;
    profile: Profile;
    /** Of a page: the pattern that finds a role where it stands. A profile in JSON has it as its member. */
    patternOf?(role: RoleValue): string;
  };

/** How a role is sent. */
type RoleWay = {
  method: string;
  url: string;
  /** Loads what the request needs. */
  load(user: string): Step[];
  request(role: RoleValue): HttpAction & { method: string };
  undo: WritePlan['undo'];
  /** Names in the profile that are sent along, to be as they were. */
  sentAlong: string[];
};

/** A form with one of these does more than change a profile. */
const consequentialFields = /pass|pwd|token|csrf|mail|confirm|delete|card|iban|amount/i;
const consequentialValues = /delete|remove|deactivate|close|cancel/i;
/** What a site changes by itself, with each request or each change. */
const bookkeeping =
  /last|login|seen|visit|session|online|status|presence|(?:^|[_-])(?:at|on|ip|date|time|timestamp|version|revision|etag)$|(?:At|On|Ip|Date|Time|Timestamp|Version|Revision)$/;
const timeLike = /\d{4}-\d\d-\d\d|:\s*\d{10,}/;
/** A longer value is no part of a profile that anybody types. */
const maxClaimLength = 2_000;

/** Ways to send a role that the profile shows, those that send least first. Looking changes nothing. @throws ProbeError */
export async function roleWrites(context: CheckContext, user: Identity): Promise<RoleWrite[]> {
  const { pages = [], calls = [] } = context.surfaces[user.name] ?? {};
  const shown = pages.filter(({ url, status, contentType }) => isProfile(url, status, contentType));
  // What a page changes there, it may show although no page asks for it.
  const changing = calls.filter(({ method }) => /^(?:PATCH|PUT)$/.test(method));
  const isOwn = await ownAccountTest(context, user, changing);
  const changed = changing.filter(({ url }) => ownProfile.test(namedPath(url)) || isOwn(url));
  const found: RoleWrite[] = [];
  const scripted = await scriptedRoles(context, user);
  for (const url of new Set([...shown, ...changed].map((each) => each.url))) {
    const [profile, again] = [await readProfile(context, user, url), await readProfile(context, user, url)];
    if (!profile || !again) continue;
    const own = allRaisesOf(profile);
    const hasWord = own.some(({ before }) => typeof before === 'string');
    const raises = hasWord
      ? raisedByWords(own, await roleWords(context, user), await comparedRoles(context, user))
      : own;
    const forms = raises.length === 0 ? [] : await profileFormsOf(context, user, profile);
    for (const raise of raises) {
      for (const way of [...waysOf(url, raise, profile, forms), ...scriptedWays(scripted, raise, profile, url)]) {
        const sentAlong = way.sentAlong.filter((name) => name !== memberOf(raise) && isSteady(name, profile, again));
        found.push({ profileUrl: url, profile, ...raise, ...way, sentAlong });
      }
    }
  }
  return found;
}

/** "/api/members/17" */
const accountPath = /\/(?:users?|members?|accounts?|people|persons?|profiles?|customers?)\/([\w.@%-]{1,100})\/?$/i;

/** Addresses of accounts whose identifier is that of the user, by what the site says of the user at pages of their own. @throws ProbeError */
async function ownAccountTest(
  context: CheckContext,
  user: Identity,
  calls: readonly { url: string }[],
): Promise<(url: string) => boolean> {
  const identifierOf = (url: string) => accountPath.exec(namedPath(url))?.[1];
  if (!calls.some(({ url }) => identifierOf(url) !== undefined)) return () => false;
  const names = await namesOf(context, user);
  return (url) => names.has(identifierOf(url) ?? '');
}

const waysOf = (url: string, raise: Raise, profile: Profile, forms: readonly OwnForm[]): RoleWay[] => [
  jsonWay('PATCH', url, raise, {}),
  ...(raise.within || !isScalar(raise.before) ? [] : forms.map((form) => formWay(form, raise))),
  // Who takes nothing less is sent the whole profile; what opens an account must not stand in the ledger of writes.
  ...(looksSecret(JSON.stringify(profile)) ? [] : [jsonWay('PUT', url, raise, profile)]),
];

const isProfile = (url: string, status: number, contentType: string): boolean =>
  status === 200 && /json/i.test(contentType) && ownProfile.test(namedPath(url));

async function readProfile({ http }: CheckContext, { jar, headers }: Identity, url: string) {
  const { status, text } = await http.get(url, { jar, headers, fresh: true });
  if (status !== 200) return undefined;
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? ({ ...value } as Profile) : undefined;
}

/** Shows the same each time, and is nothing that the site changes on its own, as numbers often are. */
function isSteady(name: string, profile: Profile, again: Profile): boolean {
  const text = JSON.stringify(profile[name]);
  const isTyped = text !== undefined && text.length <= maxClaimLength && typeof profile[name] !== 'number';
  return isTyped && text === JSON.stringify(again[name]) && !bookkeeping.test(name) && !timeLike.test(text);
}

/** Forms that send fields of the profile, and nothing that could not be sent again. */
async function profileFormsOf(context: CheckContext, user: Identity, profile: Profile): Promise<OwnForm[]> {
  const found: OwnForm[] = [];
  for (const form of context.surfaces[user.name]?.forms ?? []) {
    const own = changesProfile(form, profile) ? await readOwnForm(context, user, form) : undefined;
    if (own) found.push(own);
  }
  return found;
}

function changesProfile({ method, fields }: FormSurface, profile: Profile): boolean {
  const typed = fields.filter(({ type }) => type !== 'submit' && type !== 'hidden');
  const areKnown = typed.every(
    ({ name, type }) => name in profile && type !== 'file' && !consequentialFields.test(name),
  );
  const isPlain = fields.every(({ type, value }) => type !== 'hidden' || !consequentialValues.test(value));
  return method === 'POST' && typed.length > 0 && areKnown && isPlain;
}

function jsonWay(method: string, url: string, raise: Raise, rest: Profile): RoleWay {
  const { field, before, within } = raise;
  const changed = (role: RoleValue) => (within ? { ...within.value, [field]: role } : role);
  const request = (role: RoleValue) => ({
    method,
    url,
    headers: jsonHeaders(url),
    body: JSON.stringify({ ...rest, [memberOf(raise)]: changed(role) }),
  });
  return { method, url, load: () => [], request, undo: request(before), sentAlong: Object.keys(rest) };
}

/** As the administration's own script sends it. The member may be called otherwise there. */
const scriptedWays = (scripted: readonly NamedRole[], raise: Raise, profile: Profile, base: string): RoleWay[] =>
  scripted.flatMap((each): RoleWay[] => {
    const { before, within } = raise;
    const filled = isScalar(before) ? scriptedRole(each, within?.value ?? profile, base) : undefined;
    if (!filled) return [];
    const { method, url, member, beside } = filled;
    const request = (role: RoleValue) => ({
      ...{ method, url, body: JSON.stringify({ ...beside, [member]: role }) },
      headers: jsonHeaders(url),
    });
    return [{ method, url, load: () => [], request, undo: request(before), sentAlong: [] }];
  });

const jsonHeaders = (url: string): [string, string][] => [
  ['Content-Type', 'application/json'],
  ['Origin', new URL(url).origin],
];

export function formWay(form: OwnForm, { field, before }: Raise): RoleWay {
  const url = form.action;
  const request = (role: RoleValue) => ({
    method: 'POST',
    url,
    headers: ownPageHeaders(form),
    body: formBody(form, { [field]: String(role) }, form.tokens),
  });
  return {
    method: 'POST',
    url,
    load: (user) => tokenSteps(form, user),
    request,
    undo: formUndo(form, { [field]: String(before) }),
    sentAlong: form.fields.map(({ name }) => name),
  };
}

/** One word for a way to write a role, the same in each run. */
export const wayOf = (write: RoleWrite): string =>
  [write.method, write.url, nameOf(write), JSON.stringify(write.raised)].join(' ');
