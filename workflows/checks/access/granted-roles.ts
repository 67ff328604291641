import { type Assertion, claim } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { parseJson } from '../../model/json.ts';
import { pointerTo } from '../../model/json-pointer.ts';
import { namedPath } from '../../probe/program-parts.ts';
import { lastPart } from '../accounts/asked-fields.ts';
import type { ExtraField, Registration } from '../accounts/registrations.ts';
import type { CheckContext } from '../contract.ts';
import { refusedPages, refusingWords } from '../decisions/refused-page.ts';
import { unlinkedPages } from '../decisions/unlinked-pages.ts';
import { atMost, widened } from '../inputs/at-most.ts';
import { isAdministration } from '../pages/admin-paths.ts';
import { contextAs } from '../visitors/as-visitor.ts';
import { jsonAt } from './own-names.ts';
import { ownProfile } from './own-profile.ts';
import { isScalar, raisesOf } from './role-raises.ts';
import { shownRoles } from './shown-roles.ts';

/** What shows that an account has the role that was sent along. */
export type GrantedRole = {
  extras: ExtraField[];
  url: string;
  /** Holds with the role alone. */
  expect: Assertion[];
  /** What was seen of an account with the role, in half a sentence. */
  seen: string;
  /** Of the step for an account with the role, and one without. */
  notes: { raised: string; plain: string };
};

const maxProfiles = 4;

/** Names that programs give to the rights of an account; who writes a registration as it is takes the one that it knows. */
const usualRoles: ExtraField[] = [
  { field: 'role', value: 'admin' },
  { field: 'is_admin', value: true },
  { field: 'isAdmin', value: true },
  { field: 'admin', value: true },
];

/** What a site says to whoever asked for a role that somebody has yet to give. */
const waitingWords =
  '(?i)(?:pending|await(?:s|ing)|wait(?:s|ing)? for|needs?|requires?) (?:[\\w.]+ ){0,3}(?:approv|confirm|verif|review|activat)|not (?:yet |been )*(?:approved|confirmed|active)';

/** Roles that a profile of the user shows, with the likeliest higher value. @throws ProbeError */
export async function rolesInProfiles(context: CheckContext, user: Identity): Promise<GrantedRole[]> {
  const pages = context.surfaces[user.name]?.pages ?? [];
  const profiles = pages.filter(({ url, status }) => status === 200 && ownProfile.test(namedPath(url)));
  const urls = [...new Set([...profiles.map(({ url }) => url), user.checkUrl])];
  const found: GrantedRole[] = [];
  for (const profileUrl of atMost(context, urls, widened(context, maxProfiles), 'answers about a user')) {
    const answer = await jsonAt(context, user, profileUrl);
    for (const { value, pointer } of levelsOf(answer))
      for (const { field, raised } of raisesOf(value))
        if (isScalar(raised))
          found.push(roleInProfile(profileUrl, pointer + pointerTo(field), { field, value: raised }));
  }
  return [...new Map(found.toReversed().map((each) => [each.extras[0]?.field, each])).values()];
}

/** Objects within objects: interfaces wrap a profile in one, `{ "data": { … } }`, GraphQL in two. */
const maxLevels = 2;

/** An answer, and the objects in it. */
function levelsOf(answer: unknown, at = '', level = 0): { value: Record<string, unknown>; pointer: string }[] {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return [];
  const below =
    level === maxLevels
      ? []
      : Object.entries(answer).flatMap(([name, value]) => levelsOf(value, at + pointerTo(name), level + 1));
  return [{ value: { ...answer }, pointer: at }, ...below];
}

/** @param pointer where the profile has the role (RFC 6901) */
const roleInProfile = (url: string, pointer: string, extra: ExtraField): GrantedRole => ({
  url,
  extras: [extra],
  expect: [claim(`body:json:${pointer}`, 'equals', JSON.stringify(extra.value), 'The role in the profile.')],
  seen: 'its profile has it',
  notes: {
    raised: 'The profile of the new account has the role.',
    plain: 'That of an account registered without has not.',
  },
});

/** Roles that stand on a page of the user behind a label. @throws ProbeError */
export async function rolesOnPages(context: CheckContext, user: Identity): Promise<GrantedRole[]> {
  const found = await shownRoles(context, user);
  return found.slice(0, 1).flatMap(({ url, before, labelled }) =>
    raisesOf({ role: before }).map(({ field, raised }) => ({
      url,
      extras: [{ field, value: String(raised) }],
      expect: [claim('body', 'matches', labelled(String(raised)), 'The role on the page.')],
      seen: 'its page shows it',
      notes: {
        raised: 'The page of the new account shows the role.',
        plain: 'That of an account registered without does not.',
      },
    })),
  );
}

/** A page that refuses the user by its status, best one of the administration: one to whom it is shown has another role. @throws ProbeError */
export async function rolesByPages(context: CheckContext, user: Identity): Promise<GrantedRole[]> {
  const surface = context.surfaces[user.name];
  if (!surface) return [];
  const own = contextAs(context, user, surface);
  const linked = (await refusedPages(own)).map(({ request }) => request.url);
  const named = linked.filter((url) => isAdministration(namedPath(url)));
  for (const url of named.length > 0 ? named : [...(await unlinkedPages(own, [], [])), ...linked]) {
    const { status } = await own.http.get(url, { fresh: true });
    if (status !== 200) return [roleByPage(url)];
  }
  return [];
}

/**
 * Where nothing shows a role, those by the names of fields that the registration has itself are sent along, too: a hidden one says what
 * the program calls it.
 */
export function withOwnFields(granted: GrantedRole, { others, json }: Registration): GrantedRole {
  if (granted.extras !== usualRoles) return granted;
  const sent = json
    ? levelsOf(parseJson(json.body)).at(0)?.value
    : Object.fromEntries(others.map(({ name, value }) => [lastPart(name), value]));
  const own = raisesOf(sent ?? {}).flatMap(({ field, raised }): ExtraField[] =>
    isScalar(raised) ? [{ field, value: raised }] : [],
  );
  const usual = usualRoles.filter(({ field }) => !own.some((each) => each.field === field));
  return { ...granted, extras: [...own, ...usual] };
}

/** @param extras what is sent along */
export const roleByPage = (url: string, extras: ExtraField[] = usualRoles): GrantedRole => ({
  url,
  extras,
  expect: [
    claim('body', 'not-matches', refusingWords, 'No refusal in other words.'),
    claim('body', 'not-matches', waitingWords, 'Nobody has yet to agree.'),
  ],
  seen: `${new URL(url).pathname}, which refuses other users, is shown to it`,
  notes: {
    raised: 'A page of the administration is shown to the new account.',
    plain: 'It is refused to an account registered without.',
  },
});
