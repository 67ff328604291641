import type { ScoreCase } from '../../../case.ts';
import { startVoucherShop, type VoucherDesign } from '../../../sites/voucher-shop.ts';

const caseOf = (name: string, weakness: 'never' | 'as-written', design: Omit<VoucherDesign, 'once'>): ScoreCase => ({
  name,
  start: (variant) => startVoucherShop({ ...design, once: variant === 'patched' ? 'in-one' : weakness }),
});

export const cases: ScoreCase[] = [
  caseOf('shop that keeps no list of used vouchers', 'never', {}),
  caseOf('shop whose form has a token, and that compares codes as they were written', 'as-written', { hasToken: true }),
  caseOf('interface with tokens that keeps no list', 'never', { isApi: true }),
];
