/** A fact that an experiment proved. `secret` is in memory only; it is stored encrypted under `secretRef`. */
export type Fact = {
  id: string;
  kind: string;
  subject: string;
  attributes: Record<string, string>;
  secret?: string;
  parents: string[];
  actionId: string;
  fingerprint?: string;
};

export type FactInput = Pick<Fact, 'kind' | 'subject' | 'attributes'> & { secret?: string };
