import type { ScoreCase } from '../../../case.ts';
import { startVoucherShop } from '../../../sites/voucher-shop.ts';

const onceBy = (variant: string) => (variant === 'vulnerable' ? 'looked' : 'in-one');

export const cases: ScoreCase[] = [
  {
    name: 'pages with a cookie, and a look before the write',
    start: (variant) => startVoucherShop({ once: onceBy(variant) }),
  },
  {
    name: 'a form with a token of the session',
    start: (variant) => startVoucherShop({ once: onceBy(variant), hasToken: true }),
  },
  {
    name: 'JSON API with bearer tokens',
    start: (variant) => startVoucherShop({ once: onceBy(variant), isApi: true }),
  },
];
