import type { ScoreCase, Variant } from '../../../case.ts';
import { accounts, bound } from '../../../sites/login-judges.ts';
import { type Judge, type LoginSite, startLogin } from '../../../sites/login-sites.ts';

const isKnown = (name: unknown): boolean => accounts.some((account) => account.name === name);
const revealing =
  (variant: Variant): Judge =>
  (fields, request) => {
    const who = bound(fields, request) as string | undefined;
    if (who !== undefined) return who;
    throw new Error(
      variant === 'vulnerable' && !isKnown(fields.name) ? 'There is nobody of that name.' : 'That does not fit.',
    );
  };
const silent =
  (variant: Variant): Judge =>
  (fields, request) => {
    if (variant === 'vulnerable' && !isKnown(fields.name)) throw new Error('That does not fit.');
    return bound(fields, request);
  };
const caseOf = (name: string, siteOf: (variant: Variant) => LoginSite): ScoreCase => ({
  name,
  start: (variant) => startLogin(siteOf(variant)),
});

export const cases: ScoreCase[] = [
  caseOf('other words', (variant) => ({ judge: revealing(variant), error: { status: 200, text: 'Sorry' } })),
  caseOf('other words with a status', (variant) => ({
    judge: revealing(variant),
    error: { status: 401, text: 'Sorry' },
  })),
  caseOf('other words on the page that comes next', (variant) => ({
    judge: revealing(variant),
    error: { status: 302, text: '', isShownAfter: true },
  })),
  caseOf('another parameter of the address to which a bare answer leads', (variant) => ({
    judge: revealing(variant),
    error: { status: 302, text: '', leadsTo: (said) => `/form?error=${said.length}` },
  })),
  caseOf('another status of an interface', (variant) => ({
    ...{ judge: silent(variant), style: 'token', error: { status: 404, text: 'Sorry' } },
  })),
];
