import type { Identity } from '../../model/identity.ts';
import type { CheckContext } from '../contract.ts';
import { atMost } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { inlineScript, isLibraryFile, ownScripts, pagesWithScript } from '../pages/scripts.ts';
import type { Profile } from './role-raises.ts';

/** A request by which script of the site sets the role of an account, for the user's own one. */
type ScriptedRole = {
  method: 'POST' | 'PUT' | 'PATCH';
  url: string;
  /** The member that has the role, and those beside it. */
  member: string;
  beside: Record<string, string | number | boolean>;
};

const maxScripts = 20;
const maxPages = 4;
const maxRequests = 4;
const maxTextLength = 500_000;
const roleMember = /^(?:(?:new|user|account)[-_]?)?(?:role|level|group|is[-_]?admin)$/i;
const accountMember =
  /^(?:(?:target|user|account|member)?[-_]?(?:id|uid|uuid)|_id|(?:user|account|member)(?:[-_]?name)?|login|e?mail)$/i;
const numberMember = /id$/i;
/** A path in quotes, what may stand between it and an object without objects in it, and that object. */
const call = /(["'`])(\/[\w/.${}-]{1,120})\1([^"'`;]{0,10}|[\s\S]{0,250}?JSON\.stringify\(\s{0,3})\{([^{}]{1,200})\}/g;
const methodBefore = /(?:["'`](POST|PUT|PATCH)["'`]\s{0,3},\s{0,3}|\.(post|put|patch)\(\s{0,3})$/i;
const methodBehind = /\bmethod\s{0,3}:\s{0,3}["'`](POST|PUT|PATCH)["'`]/i;

/** What scripts of the site, and of its pages, send to set a role; nothing where the system is none for tests. @throws ProbeError */
export async function scriptedRoles(context: CheckContext, user: Identity): Promise<NamedRole[]> {
  if (context.writes !== 'create') return [];
  const surface = context.surfaces[user.name] ?? context.surface;
  const files = atMost(
    context,
    ownScripts(surface).filter((url) => !isLibraryFile(url)),
    maxScripts,
    'script files',
  );
  const pages = atMost(context, pagesWithScript(surface), maxPages, 'pages with script');
  const { jar, headers } = user;
  const texts = await inParallel([...files, ...pages], 4, async (url) => {
    const answer = await context.http.get(url, files.includes(url) ? {} : { jar, headers });
    const code = files.includes(url) ? answer.text : inlineScript(answer.text);
    return answer.status === 200 ? code.slice(0, maxTextLength) : '';
  });
  const long = texts.filter(({ length }) => length === maxTextLength).length;
  const beyond = `of ${long} large scripts the first ${maxTextLength / 1_000} kB were looked at for requests that set a role`;
  if (long > 0) context.leave({ code: 'guessed', count: long, text: beyond });
  const once = new Map(texts.flatMap(rolesIn).map((each) => [JSON.stringify(each), each]));
  return atMost(context, [...once.values()], maxRequests, 'requests that set a role');
}

/** A request that sets a role, as script writes it. */
export type NamedRole = { method: string; path: string; members: [name: string, value: string][] };

function rolesIn(text: string): NamedRole[] {
  return [...text.matchAll(call)].flatMap((match) => {
    const [, , path = '', between = '', object = ''] = match;
    const before = methodBefore.exec(text.slice(Math.max(0, match.index - 20), match.index));
    const method = before?.[1] ?? before?.[2] ?? methodBehind.exec(between)?.[1];
    const members = membersOf(object);
    if (method === undefined || !members?.some(([name]) => roleMember.test(name))) return [];
    return [{ method: method.toUpperCase(), path, members }];
  });
}

/** `{ userId: u.id, role }`; undefined for what is no list of members. */
function membersOf(object: string): [string, string][] | undefined {
  const parts = object.split(',').map((part) => /^\s*["']?([\w-]{1,40})["']?\s*(?::\s*(.{1,80}?))?\s*$/s.exec(part));
  if (parts.some((part) => part === null)) return undefined;
  return parts.map((part) => [part?.[1] ?? '', part?.[2] ?? part?.[1] ?? '']);
}

const numberNames = ['userid', 'user_id', 'uid', 'id', '_id', 'uuid'];
const textNames = ['username', 'user_name', 'login', 'email', 'mail', 'name'];

/**
 * The request for the account that a profile is of. The account is named by what stands beside the role in its profile: a number of
 * anything else could be somebody's.
 * @returns undefined where something of it is not known
 */
export function scriptedRole(
  { method, path, members }: NamedRole,
  own: Profile,
  base: string,
): ScriptedRole | undefined {
  const named = (names: readonly string[]): string | number | undefined => {
    const value = names.map((name) => Object.entries(own).find(([key]) => key.toLowerCase() === name)?.[1]);
    return value.find((each) => (typeof each === 'string' && each !== '') || typeof each === 'number') as
      | string
      | number
      | undefined;
  };
  const idOf = (member: string) =>
    named(numberMember.test(member) ? numberNames : [member.toLowerCase(), ...textNames]);
  const ofPath = named(numberNames);
  if (/\$\{/.test(path) && ofPath === undefined) return undefined;
  const url = URL.parse(path.replace(/\$\{[^{}]{1,60}\}/g, encodeURIComponent(String(ofPath))), base)?.href;
  const role = members.find(([name]) => roleMember.test(name));
  if (url === undefined || /[${}]/.test(new URL(url).pathname) || !role) return undefined;
  const beside: ScriptedRole['beside'] = {};
  for (const [name, value] of members) {
    if (name === role[0]) continue;
    const own = accountMember.test(name) ? idOf(name) : literal(value);
    if (own === undefined) return undefined;
    beside[name] = own;
  }
  return { method: method as ScriptedRole['method'], url, member: role[0], beside };
}

function literal(value: string): string | number | boolean | undefined {
  if (/^(["'`])[^"'`]*\1$/.test(value)) return value.slice(1, -1);
  if (/^(?:true|false|!0|!1)$/.test(value)) return value === 'true' || value === '!0';
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
