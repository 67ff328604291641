import { claim, type HttpAction, type Step } from '../../proof/experiment.ts';
import { escapePattern } from '../../proof/pattern.ts';
import type { CheckContext, FormSurface, Identity } from '../contract.ts';
import { elevations } from './elevations.ts';

type Scalar = string | number | boolean;
type Profile = Record<string, unknown>;

/** A request that could change the role in a user's own profile, and the same one that puts it back. */
export type RoleWrite = {
  /** Shows the profile, the role among it. */
  profileUrl: string;
  field: string;
  before: Scalar;
  raised: Scalar;
  method: string;
  url: string;
  contentType: string;
  bodyWith(role: Scalar): string;
  /** What else of the user is in the body. */
  secrets: string[];
};

/** Addresses at which an API shows who asks to themselves. */
const ownProfile =
  /\/(?:me|self|whoami|profile|account|current(?:[-_]?user)?|my[-_]?(?:profile|account))(?:\.json)?\/?$/i;
const roleField =
  /^(?:(?:user|account)?[-_]?(?:role|type)|(?:is[-_]?)?(?:admin|administrator|staff|super[-_]?user)|privileges?)$/i;
/** A form with one of these does more than change a profile. */
const tellingFields = /pass|pwd|token|csrf|mail|confirm|delete|card|iban|amount/i;
/** Ways to send a role that the profile shows, those that send least first. Nothing is changed by looking. */
export async function roleWrites(context: CheckContext, user: Identity): Promise<RoleWrite[]> {
  const surface = context.surfaces[user.name];
  const pages = surface?.pages.filter(({ url, status, contentType }) => isProfile(url, status, contentType)) ?? [];
  const found: RoleWrite[] = [];
  for (const { url } of pages) {
    const profile = await readProfile(context, user, url);
    if (!profile) continue;
    const forms = (surface?.forms ?? []).filter((form) => changesProfile(form, profile));
    for (const role of raisesOf(profile)) {
      const common = { profileUrl: url, ...role, secrets: personalValues(profile, role.field) };
      found.push({ ...common, ...jsonWrite('PATCH', url, (value) => ({ [role.field]: value })) });
      for (const form of forms) found.push({ ...common, ...formWrite(form, profile, role.field) });
      found.push({ ...common, ...jsonWrite('PUT', url, (value) => ({ ...profile, [role.field]: value })) });
    }
  }
  return found;
}

const isProfile = (url: string, status: number, contentType: string): boolean =>
  status === 200 && /json/i.test(contentType) && ownProfile.test(new URL(url).pathname);

async function readProfile({ http }: CheckContext, { jar, headers }: Identity, url: string) {
  const { status, text } = await http.get(url, { jar, headers, fresh: true });
  if (status !== 200) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? ({ ...value } as Profile) : undefined;
  } catch {
    return undefined;
  }
}

/** Roles that the profile has, each with the likeliest higher value. */
function raisesOf(profile: Profile): { field: string; before: Scalar; raised: Scalar }[] {
  const raises = elevations(profile).flatMap(({ claims }) =>
    Object.keys(profile).flatMap((field) => {
      const [before, raised] = [profile[field], claims[field]];
      const isRaise = roleField.test(field) && isScalar(before) && isScalar(raised) && before !== raised;
      return isRaise ? [{ field, before, raised }] : [];
    }),
  );
  return [...new Map(raises.toReversed().map((raise) => [raise.field, raise])).values()];
}

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

const personalValues = (profile: Profile, field: string): string[] =>
  Object.entries(profile).flatMap(([name, value]) =>
    name !== field && typeof value === 'string' && value.length >= 4 ? [value] : [],
  );

/** A form that sends fields of the profile and nothing that could not be sent again. */
const changesProfile = ({ method, fields }: FormSurface, profile: Profile): boolean => {
  const sent = fields.filter(({ type }) => type !== 'submit');
  const areKnown = sent.every(({ name, type }) => name in profile && type !== 'file' && !tellingFields.test(name));
  return method === 'POST' && sent.length > 0 && areKnown;
};

type How = Pick<RoleWrite, 'method' | 'url' | 'contentType' | 'bodyWith'>;

const jsonWrite = (method: string, url: string, content: (role: Scalar) => Profile): How => ({
  method,
  url,
  contentType: 'application/json',
  bodyWith: (role) => JSON.stringify(content(role)),
});

function formWrite({ action, fields }: FormSurface, profile: Profile, field: string): How {
  const kept = fields.filter(({ type }) => type !== 'submit').map(({ name }) => [name, String(profile[name])] as const);
  return {
    method: 'POST',
    url: action,
    contentType: 'application/x-www-form-urlencoded',
    bodyWith: (role) =>
      [...kept, [field, String(role)]].map((pair) => pair.map(encodeURIComponent).join('=')).join('&'),
  };
}

const request = ({ method, url, contentType, bodyWith }: RoleWrite, role: Scalar) => ({
  method,
  url,
  headers: [
    ['Content-Type', contentType],
    ['Origin', new URL(url).origin],
  ] as [string, string][],
  body: bodyWith(role),
});

/** Sends a role; what takes it back is the request with the role from before. */
export const sendRole = (write: RoleWrite, user: string, role: Scalar, note: string): Step => ({
  http: {
    ...request(write, role),
    secrets: write.secrets,
    write: {
      description: `The ${write.field} in the profile of "${user}" is set to ${JSON.stringify(role)}.`,
      undo: request(write, write.before),
    },
  } satisfies HttpAction,
  identity: user,
  note,
  expect: [claim('status', 'less-than', '400')],
});

/** The profile shows this role. */
export const showsRole = ({ profileUrl, field }: RoleWrite, user: string, role: Scalar, note: string): Step => ({
  http: { url: profileUrl },
  identity: user,
  note,
  expect: [
    claim('status', 'equals', '200'),
    claim(
      'body:masked',
      'matches',
      `${escapePattern(JSON.stringify(field))}\\s*:\\s*${escapePattern(JSON.stringify(role))}`,
      'The role in the profile.',
    ),
  ],
});

/** One word for a way to write a role, the same in each run. */
export const wayOf = ({ method, url, field, raised }: RoleWrite): string =>
  [method, url, field, JSON.stringify(raised)].join(' ');
