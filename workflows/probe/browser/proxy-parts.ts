import type { SecureContext } from 'node:tls';
import type { Licence } from '../../model/gate.ts';
import type { HeaderList } from '../../model/http.ts';
import type { ProbeError } from '../../model/probe-error.ts';
import type { Budget } from '../budget/budget.ts';
import type { Gate } from '../gate/gate.ts';
import type { Guard } from '../guard/guard.ts';
import type { Send } from '../http/sender.ts';
import type { Scope } from '../scope.ts';
import type { Hold } from './explore/hold.ts';
import type { OwnPage } from './own-page.ts';
import type { SharedFiles } from './shared-files.ts';

/** What the browser asked the proxy for, and what became of it. */
export type Proxied = {
  method: string;
  url: string;
  /** The guard, the scope, the write gate or the budget refused it. */
  refused?: ProbeError;
  /** The target gave no answer. */
  failure?: ProbeError;
  answer?: { status: number; headers: HeaderList };
  /** Names of the cookies that the browser sent along. */
  cookies?: string[];
};

export type ProxyParts = {
  runId: string;
  scope: Scope;
  guard: Guard;
  budget: Budget;
  send: Send;
  /** Of this activity. */
  files: SharedFiles;
  gate: Pick<Gate, 'decide' | 'count'>;
  licence?: Licence;
  /** What is answered here instead of by the target. */
  hold?: Hold;
  certificate: SecureContext;
  /** Answered here, whatever is asked of its origin. */
  page: OwnPage | undefined;
  /** Aborted when the visit ends: closes everything. */
  signal: AbortSignal;
  /** Further headers for a request to this URL. They replace the browser's of the same name. */
  headersFor(url: string): HeaderList;
  /** Called before something is sent that may change the target. */
  onWrite(): void;
  /** Called once for each request, when it has ended or was refused. */
  onRequest(proxied: Proxied): void;
};
