import { apiShop, type DataDesign, dataUsers, startDataSite } from '../../../../fixtures/data-site.ts';
import type { ScoreCase } from '../../../case.ts';

const closed: DataDesign = { ...apiShop, allow: () => ({}) };

/** Gives its data to a function that the request names, or, as it should, does not. */
const caseOf = (name: string, { callback, ...design }: Partial<DataDesign> & { callback: string }): ScoreCase => ({
  name,
  async start(variant) {
    const whole = { ...closed, ...design, ...(variant === 'vulnerable' ? { callback } : {}) };
    const site = await startDataSite(whole);
    return { ...site, options: { depth: 'deep', identities: dataUsers(whole) } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('script that pages of the site load', { path: '/api/me.js', callback: 'jsonp' }),
  caseOf('interface whose parameter no page names', { path: '/api/me', callback: 'callback' }),
  caseOf('session that stays in the site', {
    path: '/api/me.js',
    callback: 'cb',
    cookie: { ...apiShop.cookie, attributes: 'Path=/; HttpOnly; Secure; SameSite=Lax' },
  }),
];
