import type { Licence } from '../../model/gate.ts';
import type { HeaderList } from '../../model/http.ts';
import type { Budget } from '../budget/budget.ts';
import type { Gate } from '../gate/gate.ts';
import type { Guard } from '../guard/guard.ts';
import type { BlockWatch } from '../http/block-watch.ts';
import type { Send } from '../http/sender.ts';
import type { Scope } from '../scope.ts';
import type { BrowserPool } from './launch.ts';
import type { SharedFiles } from './shared-files.ts';

export type BrowserParts = {
  runId: string;
  scope: Scope;
  guard: Guard;
  budget: Budget;
  send: Send;
  /** What visits have fetched that is the same for all. */
  files: SharedFiles;
  blocks: BlockWatch;
  signal: AbortSignal;
  /** Sent with a request to this URL. */
  scopeHeadersFor(url: string): HeaderList;
  browsers: BrowserPool | undefined;
  gate: Gate;
  /** Of all that a visit sends. */
  licence?: Licence;
};
