import type { Weakness } from '../../../../dev/demo/weaknesses.ts';
import type { Visitor } from '../client.ts';

/** Whether the shop behaves as one weakness makes it. */
export type Probe = (visitor: Visitor, shop: { home: string; another(): Visitor }) => Promise<boolean>;

export type Probes<Name extends Weakness = Weakness> = Record<Name, Probe>;
