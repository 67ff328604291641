import type { ScoreCase } from '../../../case.ts';
import { startDutyBook } from '../../../sites/duty-book.ts';
import {
  startAddressBook,
  startCatalogue,
  startFilteredWall,
  startHelpDesk,
  startQuotations,
  startTextTags,
} from '../../../sites/filtering-stores.ts';
import { startMarkedOffers } from '../../../sites/listed-entries.ts';
import { startMemberList } from '../../../sites/member-lists.ts';
import { startDropBox } from '../../../sites/named-files.ts';
import {
  startBoard,
  startGuestBook,
  startLinkedComments,
  startRepairRequests,
  startTaskList,
  startTeam,
} from '../../../sites/storing-sites.ts';
import { startTaskPages } from '../../../sites/task-pages.ts';
import { startVisitLog } from '../../../sites/visit-log.ts';

export const cases: ScoreCase[] = [
  { name: 'guest book in SQLite, whose template engine escapes nothing', start: startGuestBook },
  { name: 'board of members with a page for each question, whose topic stands in an attribute', start: startBoard },
  { name: 'application of script over a JSON API that puts titles in as markup', start: startTaskList },
  {
    name: 'application of script that puts titles in as markup when a tab is pressed',
    start: (variant) => startTaskList(variant, 'in a tab'),
  },
  { name: 'application whose script draws a page for each list of tasks', start: startTaskPages },
  { name: 'profiles that are put back, and a page that shows them to all members', start: startTeam },
  { name: 'comments that a link makes', start: startLinkedComments },
  { name: 'help desk that encodes two of three fields', start: startHelpDesk },
  { name: 'catalogue with short columns and unique codes', start: startCatalogue },
  { name: 'address book that encodes addresses, which still run', start: startAddressBook },
  { name: 'wall with a filter by hand', start: startFilteredWall },
  { name: 'wall that leaves tags of plain text with their attributes', start: startTextTags },
  { name: 'quotations with the name in an attribute with single quotes', start: startQuotations },
  { name: 'log of visits, which an administrator reads', start: startVisitLog },
  { name: 'list of files that escapes titles and not names', start: startDropBox },
  { name: 'application of script behind "#" whose script keeps the token', start: startDutyBook },
  { name: 'list of members, for everybody', start: (variant) => startMemberList(variant, { list: 'open' }) },
  { name: 'list of members that script makes', start: (variant) => startMemberList(variant, { list: 'scripted' }) },
  {
    name: 'list of members that an administrator reads',
    start: (variant) => startMemberList(variant, { list: 'administration' }),
  },
  { name: 'offers whose form leads to their list, with a page for each', start: startMarkedOffers },
  { name: 'requests for repairs that their sender and the caretakers are shown', start: startRepairRequests },
];
