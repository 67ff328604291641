import { remembered } from './remembered.ts';

const words = 'quer(?:y|ies)|search(?:es)?|filters?|views?|reports?|presets?|bookmarks?';

/** "queryname", "saveSearchAs", "saved_filter_name", "save-as". A "search_name" is as often what is searched for, and none of them. */
const saving = new RegExp(
  `(?:^|[^a-z])(?:query[-_ ]?name|saved?[-_ ]?(?:as|(?:${words})(?:[-_ ]?(?:as|names?|titles?))?))$`,
  'i',
);

/** Whether a field of a search names what it is saved under: with a value there, and somebody's session, the search is kept. */
export const namesWhatIsSaved: (name: string) => boolean = remembered((name) => saving.test(name));
