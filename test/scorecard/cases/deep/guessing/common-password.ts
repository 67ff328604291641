import type { ScoreCase } from '../../../case.ts';
import { type LoginSite, startLogin } from '../../../sites/login-sites.ts';

type House = { who: string; weak: string; site: Omit<LoginSite, 'judge'>; isNamed: boolean };

/** Whoever mends it has the account choose another password. */
const caseOf = (name: string, { who, weak, site, isNamed }: House): ScoreCase => ({
  name,
  async start(variant) {
    const password = variant === 'vulnerable' ? weak : 'k3-Werft-91-Tidal';
    const running = await startLogin({
      ...site,
      judge: ({ name: sent, password: word }) => {
        if (isNamed && sent !== who) throw new Error('There is no such account.');
        if (isNamed && word !== password) throw new Error('The password is wrong.');
        return sent === who && word === password ? who : undefined;
      },
    });
    return { ...running, options: { depth: 'deep', writes: 'create' } };
  },
});

const error = { status: 200, text: 'Sorry' };

export const cases: ScoreCase[] = [
  caseOf('choir that names its members and confirms them', {
    ...{ who: 'ole', weak: 'iloveyou', isNamed: true },
    site: { error, front: '<p>Ask Ina Holm (ina) or Ole Brandt (ole).</p>' },
  }),
  caseOf('magazine that names an author and says the same to all', {
    ...{ who: 'berta', weak: 'monkey', isNamed: false },
    site: { style: 'page', front: '<p>Written by berta on Monday.</p>' },
  }),
  caseOf('interface whose administrator anybody guesses', {
    ...{ who: 'admin', weak: 'qwerty', isNamed: false },
    site: { style: 'token' },
  }),
];
