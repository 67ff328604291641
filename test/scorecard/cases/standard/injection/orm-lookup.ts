import { isHere } from '../../../../support/programs.ts';
import type { ScoreCase } from '../../../case.ts';
import {
  startArticleApi,
  startArticleSearch,
  startArticleTable,
  startWriterList,
} from '../../../sites/filtering-lists.ts';
import { startBookList, startMemberTable } from '../../../sites/filtering-programs.ts';

export const cases: ScoreCase[] = [
  { name: 'JSON of an ORM whose condition is the address, with errors for unknown fields', start: startWriterList },
  { name: 'table with filters in brackets, through a relation', start: startArticleTable },
  { name: 'condition in JSON in a parameter that no page sends', start: startArticleApi },
  {
    name: 'search that posts its condition in JSON',
    start: async (variant) => ({
      ...(await startArticleSearch(variant)),
      options: { depth: 'deep', writes: 'create' },
    }),
  },
  ...(isHere('python3') ? [{ name: 'lookups of Django in an address', start: startBookList }] : []),
  ...(isHere('php') ? [{ name: 'PHP that compares any column of a table', start: startMemberTable }] : []),
];
