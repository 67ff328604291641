import type { Identity } from '../../model/identity.ts';
import { parseJson } from '../../model/json.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { namedPath } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import type { Raise } from './role-raises.ts';

/** Answers that list people come first. */
const ofPeople = /users?|accounts?|members?|people|persons?|employees?|staff|profiles?|colleagues?|team|crew/i;
const roleMember = /^(?:.*[._[-])?(?:(?:user|account|member)[-_]?)?(?:role|type|group)\]?$/i;
const word = /^[A-Za-z][\w-]{2,29}$/;
const maxAnswers = 4;
const maxRecords = 2_000;

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

async function answerOf({ http }: CheckContext, { jar, headers }: Identity, url: string): Promise<unknown> {
  try {
    const { status, text } = await http.get(url, { jar, headers });
    return status === 200 ? parseJson(text) : undefined;
  } catch (error) {
    if (isLeftOut(error)) return undefined;
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
 */
export const raisedByWords = (raises: readonly Raise[], words: readonly string[]): Raise[] =>
  raises.flatMap((raise) => {
    const { before, raised } = raise;
    const other = words.find((each) => each !== before);
    const isKnown = words.some((each) => each === raised);
    return typeof before === 'string' && words.includes(before) && other !== undefined && !isKnown
      ? [{ ...raise, raised: other }, raise]
      : [raise];
  });
