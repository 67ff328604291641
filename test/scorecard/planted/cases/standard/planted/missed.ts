import { casesWith, startWordSite } from '../../../sites.ts';

export const cases = casesWith(startWordSite);
