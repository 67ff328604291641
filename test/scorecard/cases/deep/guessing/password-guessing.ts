import type { ScoreCase, Variant } from '../../../case.ts';
import { type Judge, type LoginSite, startLogin } from '../../../sites/login-sites.ts';

const ina = { path: '/form', username: 'ina', password: 'v7-Boje-44' };
const identity = { name: 'ina', checkPath: '/harbour', marker: 'Berths of ina', login: ina };

/** @param most wrong passwords for a name, where the site has a limit */
const judging = (variant: Variant, most: number, says: 'refusal' | 'silence'): Judge => {
  const failures = new Map<unknown, number>();
  return ({ name, password }) => {
    const count = failures.get(name) ?? 0;
    const isClosed = variant === 'patched' && count >= most;
    if (isClosed && says === 'refusal') throw new Error('closed');
    if (!isClosed && name === ina.username && password === ina.password) return ina.username;
    failures.set(name, count + 1);
    return undefined;
  };
};

const caseOf = (name: string, siteOf: (variant: Variant) => LoginSite): ScoreCase => ({
  name,
  async start(variant) {
    const site = await startLogin(siteOf(variant));
    return { ...site, options: { ...site.options, depth: 'deep', identities: [identity] } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('account that is closed after five', (variant) => ({
    judge: judging(variant, 5, 'refusal'),
    error: { status: 423, text: 'This account is locked.' },
  })),
  caseOf('delay that is announced with status 200', (variant) => ({
    judge: judging(variant, 10, 'refusal'),
    error: { status: 200, text: 'Too many attempts. Come back in ten minutes.' },
  })),
  caseOf('account that is closed without a word', (variant) => ({ judge: judging(variant, 8, 'silence') })),
];
