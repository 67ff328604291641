import { casesWith, startWordSite } from '../../../sites.ts';

/** A site that keeps its process from doing anything else. */
export const cases = casesWith((variant) => {
  for (; variant === 'vulnerable'; );
  return startWordSite(variant);
});
