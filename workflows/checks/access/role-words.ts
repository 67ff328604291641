import type { Identity } from '../../model/identity.ts';
import { parseJson } from '../../model/json.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { namedPath } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { isLibraryFile, ownScripts } from '../pages/scripts.ts';
import type { Raise } from './role-raises.ts';

/** Answers that list people come first. */
const ofPeople = /users?|accounts?|members?|people|persons?|employees?|staff|profiles?|colleagues?|team|crew/i;
const roleMember = /^(?:.*[._[-])?(?:(?:user|account|member)[-_]?)?(?:role|type|group)\]?$/i;
const word = /^[A-Za-z][\w-]{2,29}$/;
const maxAnswers = 4;
const maxRecords = 2_000;
const maxScripts = 6;
const maxScriptLength = 500_000;
/** "me.role === 'planner'", "hasRole('planner')": what scripts show to some alone. */
const comparedRole =
  /(?:\b(?:role|(?:user|account|member)_?[tT]ype|(?:user|account|member)[rR]ole)\b["'\])]{0,3}\s{0,3}[!=]==?\s{0,3}|\bhasRole\(\s{0,3})["'`]([A-Za-z][\w-]{2,29})["'`]/g;

/**
 * What the site itself calls roles: in answers about other people, and in the options of its forms. Looking changes nothing.
 * @throws ProbeError
 */
export async function roleWords(context: CheckContext, user: Identity): Promise<string[]> {
  const { pages = [], forms = [] } = context.surfaces[user.name] ?? {};
  const lists = pages.filter(({ status, contentType }) => status === 200 && /json/i.test(contentType));
  const isOfPeople = ({ url }: { url: string }) => ofPeople.test(namedPath(url));
  const ordered = lists.toSorted((a, b) => Number(isOfPeople(b)) - Number(isOfPeople(a)));
  const found = new Set<string>();
  for (const { name, options = [] } of forms.flatMap(({ fields }) => fields))
    if (roleMember.test(name)) for (const option of options) if (word.test(option)) found.add(option);
  for (const { url } of likeliest(context, ordered, maxAnswers, 'answers that may name roles'))
    for (const each of wordsIn(await answerOf(context, user, url))) found.add(each);
  return [...found];
}

/** Words that scripts of the user's pages compare a role with. @throws ProbeError */
export async function comparedRoles(context: CheckContext, user: Identity): Promise<string[]> {
  const surface = context.surfaces[user.name];
  const files = surface ? ownScripts(surface).filter((url) => !isLibraryFile(url)) : [];
  const found = new Set<string>();
  for (const url of likeliest(context, files, maxScripts, 'scripts that may name roles')) {
    const text = await textOf(context, user, url);
    for (const [, each = ''] of text.slice(0, maxScriptLength).matchAll(comparedRole)) found.add(each);
  }
  return [...found];
}

const answerOf = async (context: CheckContext, user: Identity, url: string): Promise<unknown> =>
  parseJson(await textOf(context, user, url));

async function textOf({ http }: CheckContext, { jar, headers }: Identity, url: string): Promise<string> {
  try {
    const { status, text } = await http.get(url, { jar, headers });
    return status === 200 ? text : '';
  } catch (error) {
    if (isLeftOut(error)) return '';
    throw error;
  }
}

function wordsIn(json: unknown): string[] {
  const queue: unknown[] = [json];
  const found: string[] = [];
  for (const value of queue) {
    if (typeof value !== 'object' || value === null || queue.length > maxRecords) continue;
    for (const [name, each] of Object.entries(value)) {
      if (typeof each === 'string' && roleMember.test(name) && word.test(each)) found.push(each);
      else queue.push(each);
    }
  }
  return found;
}

/**
 * The same raises, each before the usual word with one that the site has for others: who looks roles up takes no other. None where the
 * usual word is one of them.
 * @param compared words that scripts compare a role with, which are roles without the user's own beside them
 */
export const raisedByWords = (
  raises: readonly Raise[],
  words: readonly string[],
  compared: readonly string[] = [],
): Raise[] =>
  raises.flatMap((raise) => {
    const { before, raised } = raise;
    if (typeof before !== 'string') return [raise];
    const others = [...compared, ...(words.includes(before) ? words : [])];
    const other = others.find((each) => each !== before);
    return other !== undefined && !others.some((each) => each === raised)
      ? [{ ...raise, raised: other }, raise]
      : [raise];
  });
