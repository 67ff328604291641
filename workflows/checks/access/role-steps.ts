import { type Assertion, claim, type HttpAction, type Step, type WritePlan } from '../../model/experiment.ts';
import { pointerTo } from '../../model/json-pointer.ts';
import { nameOf, type RoleValue, roleAt } from './role-raises.ts';
import type { RoleWrite } from './role-writes.ts';

/** Sends a role, and before it loads what that needs; what takes it back is the request with the role from before. */
export const sendRole = (write: RoleWrite, user: string, role: RoleValue, note: string): Step[] => [
  ...write.load(user),
  {
    http: {
      ...write.request(role),
      secrets: personalValues(write),
      write: {
        description: `The ${nameOf(write)} in the profile of "${user}" is set to ${JSON.stringify(role)}.`,
        undo: write.undo,
        verify: { url: write.profileUrl, expect: profileClaims(write, write.before, write.sentAlong) },
      },
    } satisfies HttpAction,
    identity: user,
    note,
    expect: [claim('status', 'less-than', '400')],
  },
];

/** The profile shows this role. */
export const showsRole = (write: RoleWrite, user: string, role: RoleValue, note: string): Step => ({
  http: { url: write.profileUrl },
  identity: user,
  note,
  expect: profileClaims(write, role, []),
});

/** The profile has this role, and these fields as they were. */
const profileClaims = (
  write: RoleWrite,
  role: RoleValue,
  unchanged: readonly string[],
): WritePlan['verify']['expect'] => [
  claim('status', 'equals', '200'),
  write.patternOf
    ? claim('body', 'matches', write.patternOf(role), 'The role on the page.')
    : claim(`body:json:${roleAt(write)}`, 'equals', JSON.stringify(role), 'The role in the profile.'),
  ...unchanged.map(
    (name): Assertion => claim(`body:json:${pointerTo(name)}`, 'equals', JSON.stringify(write.profile[name])),
  ),
];

const personalValues = ({ profile, field, within }: RoleWrite): string[] =>
  Object.entries({ ...within?.value, ...profile }).flatMap(([name, value]) =>
    name !== field && typeof value === 'string' && value.length >= 4 ? [value] : [],
  );
