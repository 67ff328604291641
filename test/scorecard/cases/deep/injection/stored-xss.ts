import type { ScoreCase } from '../../../case.ts';
import {
  startBoard,
  startGuestBook,
  startLinkedComments,
  startTaskList,
  startTeam,
} from '../../../sites/storing-sites.ts';

export const cases: ScoreCase[] = [
  { name: 'guest book in SQLite, whose template engine escapes nothing', start: startGuestBook },
  { name: 'board of members with a page for each question, whose topic stands in an attribute', start: startBoard },
  { name: 'application of script over a JSON API that puts titles in as markup', start: startTaskList },
  { name: 'profiles that are put back, and a page that shows them to all members', start: startTeam },
  { name: 'comments that a link makes', start: startLinkedComments },
];
