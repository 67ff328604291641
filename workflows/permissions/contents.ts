import { isMost } from '../checks/sessions/private-text.ts';
import { normaliseRoute } from '../probe/routes.ts';
import { isSuccess, type MatrixRow } from './answer.ts';

/** What the answers of one address have to do with each other. Visitors are named by their column. */
export type Contents = {
  /** A visitor without a login was asked, and is not shown most of what this one is. */
  isPrivate(column: number): boolean;
  /** The answer is a success that lacks what others are shown there. */
  isWithheld(column: number): boolean;
  /** Another visitor who is led there, and whose content this one is shown: all of it, or most when this one is not led there. */
  sameAs(column: number): number | undefined;
};

/** The column of the visitor without a login. */
const nobody = 0;
type Texts = ReadonlySet<string>;
const none: Texts = new Set();

/** @param names of the visitors; the first one has no login */
export function contentsOf(names: readonly string[], rows: readonly MatrixRow[]): (row: MatrixRow) => Contents {
  const texts = rows.map(textsOf);
  const frames = names.map((_, column) => frameOf(texts, column));
  const ownPages = names.map((name, column) =>
    union(rows.map((row) => (row.address.linkedFor.includes(name) ? textsOf(row)[column] : undefined))),
  );
  return (row) => compare(names, row, frames, ownPages);
}

const textsOf = ({ answers }: MatrixRow): (Texts | undefined)[] =>
  answers.map((answer) => (isSuccess(answer) ? answer.texts : undefined));

function compare(
  names: readonly string[],
  row: MatrixRow,
  frames: readonly Texts[],
  ownPages: readonly Texts[],
): Contents {
  const shown = textsOf(row);
  const echoes = identifiersIn(row.address.url);
  /** What each answer holds beside the frame of the site and what was asked with. */
  const contents = shown.map((own = none, column) =>
    filter(own, (text) => !frames[column]?.has(text) && !echoes.some((echo) => text.includes(echo))),
  );
  const contentOf = (column: number): Texts => contents[column] ?? none;
  const holdsMost = (column: number, wanted: Texts): boolean => {
    const own = shown[column];
    return own !== undefined && isMost(filter(wanted, (text) => own.has(text)).size, wanted.size);
  };
  /** The content of another one's page without what this visitor's own pages have: labels, and what belongs to all. */
  const ownContent = (column: number, other: number): Texts => {
    const rest = filter(contentOf(other), (text) => !ownPages[column]?.has(text));
    return rest.size > 0 ? rest : contentOf(other);
  };

  const isLinked = (column: number) => row.address.linkedFor.includes(names[column] ?? '');
  const successes = [...shown.keys()].filter((column) => shown[column] !== undefined);
  const linked = successes.filter(isLinked);
  const wasAsked = 'status' in (row.answers[nobody] ?? {});
  const isPrivate = (column: number) =>
    column !== nobody && successes.includes(column) && wasAsked && !holdsMost(nobody, contentOf(column));
  // Who is led there has a page of their own, with the labels of all others.
  const isSame = (column: number, other: number) =>
    isLinked(column)
      ? contentOf(other).size > 0 && isEqual(contentOf(column), contentOf(other))
      : holdsMost(column, ownContent(column, other));
  const sameAs = (column: number) => linked.find((other) => other !== column && isSame(column, other));
  const isWithheld = (column: number) => {
    if (!successes.includes(column)) return false;
    if (column === nobody) return successes.some(isPrivate);
    return !isLinked(column) && linked.some(isPrivate) && sameAs(column) === undefined;
  };
  return { isPrivate, isWithheld, sameAs };
}

/** What a visitor is shown all over the site: on several pages, and on one at least that is there without a login too. */
function frameOf(texts: readonly (Texts | undefined)[][], column: number): Texts {
  const counts = new Map<string, number>();
  for (const answers of texts)
    for (const text of answers[column] ?? none) counts.set(text, (counts.get(text) ?? 0) + 1);
  const shared = texts.map(({ [column]: own, [nobody]: others }) =>
    own && others && isSamePage(own, others) ? own : undefined,
  );
  return filter(union(shared), (text) => (counts.get(text) ?? 0) > 1);
}

const isSamePage = (own: Texts, others: Texts): boolean =>
  isMost(filter(others, (text) => own.has(text)).size, others.size);

/** Values in an address that name what is asked for: an answer that repeats them says nothing of its own. */
function identifiersIn(url: string): string[] {
  const { pathname, searchParams } = new URL(url);
  const inPath = pathname.split('/').filter((segment) => normaliseRoute(segment).includes('{'));
  return [...inPath, ...searchParams.values()].filter(({ length }) => length > 2);
}

const isEqual = (a: Texts, b: Texts): boolean => a.size === b.size && filter(a, (text) => b.has(text)).size === a.size;

const filter = (texts: Texts, holds: (text: string) => boolean): Texts => new Set([...texts].filter(holds));

const union = (sets: readonly (Texts | undefined)[]): Texts => new Set(sets.flatMap((set) => [...(set ?? none)]));
