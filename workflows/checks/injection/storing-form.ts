import type { WritePlan } from '../../model/experiment.ts';
import type { InputSurface } from '../../model/surface.ts';

/** A form, or a request of a script, that may keep what it is sent, as one visitor sends it. */
export type StoringForm = {
  /** Whose session sends it, "" for nobody's. */
  identity: string;
  pageUrl: string;
  /** What takes any text, each as an input with values in all the others. */
  inputs: InputSurface[];
  /** Names of those that take addresses alone, with the kind of address. */
  addresses: Readonly<Record<string, 'email' | 'url'>>;
  /** Forms that are sent one after the other in one session, each on the page that the one before leads to; `inputs` are those of all. */
  steps?: readonly StoringForm[];
  /** The same as a visitor before this one sends it: this one is sent where that one was turned away. */
  instead?: StoringForm;
  /** It opens an account: what its answer gives is for the owner of that alone. */
  opensAccount?: true;
  /** How a change is put back and shown to be; without it what is sent stays. */
  plan?: Pick<WritePlan, 'undo' | 'verify'>;
};
