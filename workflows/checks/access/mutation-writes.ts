import type { Identity } from '../../model/identity.ts';
import { parseJson } from '../../model/json.ts';
import { isFinal, ProbeError } from '../../model/probe-error.ts';
import { isGraphQlAddress } from '../../probe/graphql-address.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { introspection, mutationsOf } from '../../survey/graphql-queries.ts';
import type { CheckContext } from '../contract.ts';
import { isScalar, type Profile, type RoleValue, raisesOf } from './role-raises.ts';
import type { RoleWrite } from './role-writes.ts';

/** Mutations that change whoever asks: "updateProfile", "editMe". */
const ofProfile =
  /^(?:update|edit|change|save|set|modify)_?(?:my|own|current)?_?(?:profile|me|self|account|user|details|settings)$/i;
/** Mutations that put a role in the place of somebody's, who is named among what is sent: "setRole". What adds one takes none back. */
const ofRole =
  /^(?:update|edit|change|set|modify)_?(?:my|own|current|user|member|account)?s?_?(?:roles?|rights|permissions?|rank|(?:user|account)_?type|privileges?)$/i;
/** What is written to, or opens the account, though it is as it was. */
const reaching = /mail|phone|pass|pwd|secret|token/i;
const maxLevels = 2;

const namesUser = (name: string): boolean =>
  /^(?:(?:user|member|account)_?)?(?:id|name)$|^(?:login|nick|uuid)$/i.test(name);

/**
 * Ways to send a role in a mutation of GraphQL that changes a profile, where a query shows it: nothing else of the profile is sent but what
 * the mutation cannot do without. Looking changes nothing.
 * @throws ProbeError
 */
export async function mutationWrites({ http }: CheckContext, user: Identity): Promise<RoleWrite[]> {
  const { checkUrl, jar, headers } = user;
  if (!isGraphQlAddress(checkUrl)) return [];
  const url = checkUrl.replace(/[?#].*$/s, '');
  const json: [string, string][] = [
    ['Content-Type', 'application/json'],
    ['Origin', new URL(url).origin],
  ];
  try {
    const shown = await http.get(checkUrl, { jar, headers, fresh: true });
    const profiles = shown.status === 200 ? levelsOf(parseJson(shown.text)) : [];
    const raises = profiles.flatMap((profile) => raisesOf(profile).map((raise) => ({ ...raise, profile })));
    if (raises.length === 0) return [];
    const schema = await http.send({ method: 'POST', url, body: introspection, jar, headers: [...headers, ...json] });
    const mutations = mutationsOf(schema.text).filter(({ name }) => ofProfile.test(name) || ofRole.test(name));
    return raises.flatMap(({ profile, ...raise }) =>
      mutations.flatMap(({ name: mutation, members, needed, bodyWith }): RoleWrite[] => {
        const others = needed.filter((name) => name !== raise.field);
        const known = others.every((name) => isOwn(profile, name));
        // The role is given to whom it names: that has to be the user.
        if (
          !known ||
          (ofRole.test(mutation) && !others.some(namesUser)) ||
          !members.includes(raise.field) ||
          !isScalar(raise.before)
        )
          return [];
        const along = Object.fromEntries(others.map((name) => [name, profile[name]]));
        const request = (role: RoleValue) => ({
          ...{ method: 'POST', url, headers: json },
          body: bodyWith({ ...along, [raise.field]: role }),
        });
        return [
          {
            ...{ ...raise, profile, profileUrl: checkUrl, method: 'POST', url, request, undo: request(raise.before) },
            ...{ load: () => [], sentAlong: [] },
            patternOf: (role) =>
              `${escapePattern(JSON.stringify(raise.field))}\\s*:\\s*${escapePattern(JSON.stringify(role))}`,
          },
        ];
      }),
    );
  } catch (error) {
    if (!(error instanceof ProbeError) || isFinal(error)) throw error;
    return [];
  }
}

/** A value that may be sent again as it is. */
const isOwn = (profile: Profile, name: string): boolean => isScalar(profile[name]) && !reaching.test(name);

function levelsOf(value: unknown, level = 0): Profile[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const below = level === maxLevels ? [] : Object.values(value).flatMap((each) => levelsOf(each, level + 1));
  return [{ ...value }, ...below];
}
