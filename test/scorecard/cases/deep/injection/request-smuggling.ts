import { type Framing, startFramedSite } from '../../../../fixtures/framing-site.ts';
import type { ScoreCase } from '../../../case.ts';

const careful: Framing = { by: 'neither' };
const lax: Framing = { by: 'chunks', knows: (coding) => coding.includes('chunked') };

const between = (name: string, front: Framing, behind: Framing): ScoreCase => ({
  name,
  async start(variant) {
    const site = await startFramedSite(variant === 'vulnerable' ? front : careful, behind);
    return { ...site, options: { depth: 'deep' } };
  },
});

export const cases: ScoreCase[] = [
  between('proxy by length, site by chunks', { by: 'length' }, { by: 'chunks' }),
  between('proxy by chunks, site by length', { by: 'chunks' }, { by: 'length' }),
  between('proxy of one spelling, site of any', { by: 'chunks' }, lax),
];
