import jwt from 'jsonwebtoken';
import { startSite } from '../../../../fixtures/site.ts';
import { strongKey, type TokenDesign, tokenHolder, tokenSite } from '../../../../fixtures/token-site.ts';
import type { ScoreCase } from '../../../case.ts';

const nowSeconds = Math.floor(Date.now() / 1000);
const key = strongKey();
const twoHoursOld: TokenDesign = {
  key,
  header: { alg: 'HS256', typ: 'JWT' },
  claims: { sub: 'ann', iat: nowSeconds - 7_200, exp: nowSeconds - 3_600 },
  carry: 'bearer',
  verify: () => undefined,
};

const verifiedBy =
  (options: jwt.VerifyOptions): TokenDesign['verify'] =>
  (token) => {
    try {
      const claims = jwt.verify(token, key, { algorithms: ['HS256'], ...options });
      return typeof claims === 'object' ? { ...claims } : undefined;
    } catch {
      return undefined;
    }
  };

const designs: Record<string, Partial<TokenDesign>> = {
  'API whose library is told to ignore the end': { verify: verifiedBy({ ignoreExpiration: true }) },
  'site in whose cookie the end is allowed for a month': {
    carry: 'cookie',
    verify: verifiedBy({ clockTolerance: 2_592_000 }),
  },
  // The signature is compared by hand, and nothing else is.
  'site that compares the signature alone': { carry: 'cookie', prefix: 'Bearer ', verify: (token, own) => own(token) },
};

export const cases: ScoreCase[] = Object.entries(designs).map(([name, design]) => ({
  name,
  async start(variant) {
    const made = { ...twoHoursOld, ...design };
    const site = await startSite(tokenSite(variant === 'vulnerable' ? made : { ...made, verify: verifiedBy({}) }));
    return { ...site, options: { identities: [tokenHolder(made)] } };
  },
}));
