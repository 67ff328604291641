import type { Submission } from './submission.ts';

/**
 * Forms that are one form on many pages, under paths that differ in a name: the reviews of each product, the comments of each
 * article. What one of them has left behind, the others would leave once more.
 */
export type Lookalikes = {
  /** Notes a form that was not seen to read, and left what it was sent. */
  note(submission: FormPlace): void;
  has(submission: FormPlace): boolean;
};

type FormPlace = Pick<Submission, 'key' | 'url' | 'pageUrl'>;

/** @param known keys of forms of which other visitors have left something */
export function createLookalikes(known: readonly string[]): Lookalikes {
  const kinds = new Set(known.flatMap((key) => kindsOf(key, false)));
  return {
    note(sent) {
      for (const kind of kindsOf(sent.key, isOwnPage(sent))) kinds.add(kind);
    },
    has: (sent) => kindsOf(sent.key, isOwnPage(sent)).some((kind) => kinds.has(kind)),
  };
}

/** A form that its own page takes is named after that page; else the last part of a path says what the form does. */
const isOwnPage = ({ url, pageUrl }: FormPlace): boolean => new URL(url).pathname === new URL(pageUrl).pathname;

/** Forms of so many fields are one form where the last parts of their paths are the same, at whatever depth. */
const manyFields = 3;

/** The key with each name of its path left open in turn, and of a form with many fields with all but what it ends in. */
function kindsOf(key: string, isLastOpen: boolean): string[] {
  const [method, route = '', ...fields] = key.split(' ');
  const names = route.split('/').slice(1);
  const open = isLastOpen && names.length > 1 ? names : names.slice(0, -1);
  const end = names.findLast((name) => name !== '');
  const hasMany = end !== undefined && !end.startsWith('{') && fields.join('').split('&').length >= manyFields;
  return [
    ...open.map((_, place) => [method, names.with(place, '*').join('/'), ...fields].join(' ')),
    ...(hasMany ? [[method, `**/${end}`, ...fields].join(' ')] : []),
  ];
}
