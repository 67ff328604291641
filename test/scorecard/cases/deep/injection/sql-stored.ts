import type { ScoreCase } from '../../../case.ts';
import { startAlbum } from '../../../sites/named-files.ts';
import {
  startInsertedEntries,
  startInsertedNotes,
  startTickets,
  startUpdatedProfile,
} from '../../../sites/sql-storing.ts';

export const cases: ScoreCase[] = [
  { name: 'guest book that inserts one of its two texts as it is, and hides errors', start: startInsertedEntries },
  { name: 'profile whose city is updated in double quotes', start: startUpdatedProfile },
  { name: 'notes that each have a page of their own, where only odd quotes are refused', start: startInsertedNotes },
  { name: 'tickets whose priority is chosen from a list', start: startTickets },
  { name: 'album that inserts the names of pictures as they are', start: startAlbum },
];
