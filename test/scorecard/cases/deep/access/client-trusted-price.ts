import { type BasketDesign, basketShop } from '../../../../fixtures/basket-shop.ts';
import { startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

const caseOf = (name: string, vulnerable: BasketDesign): ScoreCase => ({
  name,
  async start(variant) {
    const site = await startSite(basketShop(variant === 'vulnerable' ? vulnerable : { by: vulnerable.by }));
    return { ...site, options: { depth: 'deep', writes: 'create' } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('shop with the price in a hidden field', { by: 'form', trustsPrice: true }),
  caseOf('shop whose basket is a cookie', { by: 'cookie', trustsPrice: true }),
  caseOf('shop of a script, which takes quantities below zero', { by: 'script', takesNegative: true }),
];
