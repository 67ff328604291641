import type { ChoiceSurface, InputSurface, PageShape, PageSurface } from '../../model/surface.ts';
import { isBehindChoice } from '../../survey/choices.ts';
import { likenessOf } from '../../survey/page-shape.ts';

/** So many words in one place of a route make it one that a program reads, where it reads the same ones elsewhere. */
const fewestWords = 8;
const fewestShared = 6;
/** Pages that share so much of how they are built are made by the same code. */
const likeness = 0.85;
/** So many of its pages that are alike stand for those that were not fetched. */
const fewestSeen = 3;

/** @property around the route with nothing in the word's place, and the number of the part that is the input */
type WordPlace = { input: InputSurface; word: string; around: string };

/**
 * Names parts of paths whose routes differ in one word that the program reads ("/series/new/4", "/series/old/4"): pages mark it as
 * chosen among such, or routes of other beginnings have the same words there and all are built alike. Other inputs have no name.
 */
export function wordGroups(
  inputs: readonly InputSurface[],
  { pages, choices = [] }: { pages: readonly PageSurface[]; choices?: readonly ChoiceSurface[] },
): Map<InputSurface, string> {
  const shapes = new Map(pages.flatMap(({ url, shape }) => (shape ? [[addressOf(url), shape] as const] : [])));
  const groups = new Map<InputSurface, string>();
  const name = (members: readonly InputSurface[], group: string) => {
    if (areAlike(members, shapes)) for (const input of members) groups.set(input, group);
  };
  const chosen = Map.groupBy(inputs, (input) => {
    const choice = choices.find((each) => isBehindChoice(input, each));
    return choice && `${choice.route}${restBehind(input, choice)} ${input.parameter}`;
  });
  for (const [group, members] of chosen) if (group !== undefined) name(members, group);
  const places = inputs.filter((input) => !groups.has(input)).flatMap(placesOf);
  const lists = [...Map.groupBy(places, ({ around }) => around)]
    .map(([around, members]) => ({ around, members, words: new Set(members.map(({ word }) => word)) }))
    .filter(({ words }) => words.size >= fewestWords);
  for (const list of lists) {
    const isRead = lists.some((other) => other !== list && sharedBy(other.words, list.words) >= fewestShared);
    if (isRead)
      name(
        list.members.map(({ input }) => input),
        list.around,
      );
  }
  return groups;
}

const sharedBy = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((word) => other.has(word)).length;

/** Each word of the route of a part of a path but the first, which is rarely a value. */
function placesOf(input: InputSurface): WordPlace[] {
  if (input.method !== 'GET' || input.in !== 'path') return [];
  const words = input.route.split('/').slice(1);
  return words.flatMap((word, at) =>
    at > 0 && at !== Number(input.parameter) - 1 && /^[a-z][\w-]*$/i.test(word)
      ? [{ input, word, around: `/${words.with(at, '{name}').join('/')} ${input.parameter}` }]
      : [],
  );
}

const restBehind = ({ route }: InputSurface, { parameter }: ChoiceSurface): string =>
  route
    .split('/')
    .slice(Number(parameter) + 1)
    .map((part) => `/${part}`)
    .join('');

function areAlike(members: readonly InputSurface[], shapes: ReadonlyMap<string, PageShape>): boolean {
  const seen = members.flatMap(({ url }) => {
    const shape = shapes.get(addressOf(url));
    return shape ? [shape] : [];
  });
  const [first] = seen;
  return (
    first !== undefined && seen.length >= fewestSeen && seen.every((shape) => likenessOf(first, shape) >= likeness)
  );
}

const addressOf = (url: string): string => url.replace(/[?#].*$/s, '');
