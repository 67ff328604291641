import { graphQlHarbour, type HarbourRules, harbourMaster } from '../../../../fixtures/logins/graphql-harbour.ts';
import { startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

/** How the site is, and what mends it. */
const harbours: Record<string, { site: HarbourRules; mended: HarbourRules }> = {
  'interface without a limit': { site: {}, mended: { mostFields: 1 } },
  'interface that limits requests alone': { site: { mostRequests: 15 }, mended: { mostFailures: 10 } },
  'interface that says by a result who is refused': { site: { hasResults: true }, mended: { mostFailures: 5 } },
};

export const cases: ScoreCase[] = Object.entries(harbours).map(([name, { site, mended }]) => ({
  name,
  async start(variant) {
    const started = await startSite(graphQlHarbour(variant === 'vulnerable' ? site : { ...site, ...mended }));
    return { ...started, options: { depth: 'deep', identities: [harbourMaster] } };
  },
}));
