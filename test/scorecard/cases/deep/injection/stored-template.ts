import type { ScoreCase } from '../../../case.ts';
import { startLetters } from '../../../sites/answered-entries.ts';
import { startCampaigns, startCardApi } from '../../../sites/linked-previews.ts';
import { startTemplateOffers } from '../../../sites/listed-entries.ts';
import { startEntryTemplates, startMailDesk, startNotices, startPlates } from '../../../sites/stored-templates.ts';

export const cases: ScoreCase[] = [
  { name: 'mail desk whose preview is a template with the name from the profile in it (EJS)', start: startMailDesk },
  { name: 'guest book whose page is one template with all entries in it (Nunjucks)', start: startEntryTemplates },
  { name: 'notices that each have a page of their own, with a dollar and braces', start: startNotices },
  {
    name: 'offers whose form leads to their list, with a page for each that is a template',
    start: startTemplateOffers,
  },
  {
    name: 'name plate that is ordered in steps, whose proof is a template with the text of the first',
    start: startPlates,
  },
  { name: 'letters of an API whose answer gives their number, with a preview that is a template', start: startLetters },
  { name: 'campaigns whose page links to a preview that is a template', start: startCampaigns },
  { name: 'cards of an API that shows them as data alone', start: startCardApi },
];
