import { casesWith, startWordSite } from '../../../sites.ts';

export const cases = casesWith((variant) => (variant === 'vulnerable' ? process.exit(7) : startWordSite(variant)));
