import type { ScoreCase } from '../../../case.ts';
import { calledBack } from '../../../sites/called-back.ts';
import { forgetful, mailed, startResetting } from '../../../sites/resetting.ts';

const ownHost = 'shop.localhost';

const caseOf = (name: string, hostIn: Parameters<typeof mailed>[0]): ScoreCase => ({
  name,
  async start(variant) {
    const site = await startResetting({ answer: mailed(variant === 'vulnerable' ? hostIn : () => ownHost) });
    const { options, ...started } = await calledBack(site);
    return { ...started, options: { ...options, depth: 'deep', writes: 'create', identities: [forgetful] } };
  },
});

export const cases: ScoreCase[] = [
  caseOf('host of a proxy', (headers) => headers['x-forwarded-host'] ?? headers.host),
  caseOf('host of the request', ({ host }) => host),
  caseOf('origin of the page', ({ origin }) => String(origin ?? '').replace('http://', '') || ownHost),
];
