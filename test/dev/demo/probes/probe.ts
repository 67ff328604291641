import type { Weakness } from '../../../../dev/demo/weaknesses.ts';
import type { Visitor } from '../client.ts';

/** Whether the shop behaves as one weakness makes it, to a visitor whom no other probe has. */
export type Probe = (visitor: Visitor, shop: ProbedShop) => Promise<boolean>;

export type ProbedShop = {
  /** Folder of the twin. */
  home: string;
  /** "ip:port" of its name server. */
  dnsServer: string;
  /** Logged in as "a", for probes that only read. */
  customer: Visitor;
};

export type Probes<Name extends Weakness = Weakness> = Record<Name, Probe>;
