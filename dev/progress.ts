import type { RestScan } from './rest.ts';

/** Where progress goes: a terminal keeps one line up to date, anything else gets a line now and then. */
type ProgressOutput = { isTTY?: boolean; columns?: number; write(text: string): unknown };

const phases: Record<string, string> = {
  queued: 'waiting for a worker',
  survey: 'looking at the site: pages, forms, technology',
  standard: 'running the standard checks',
  login: 'logging in as the test identities',
  deep: 'running the deep checks',
  chains: 'combining weaknesses into chains',
  finish: 'writing the results',
  done: 'done',
};
const barWidth = 24;
/** Without a terminal a line comes at least this often, so that nobody takes a long phase for a hang. */
const plainEveryMs = 10_000;
const clearLine = '\r\u001b[K';

/** Shows how far an audit is. */
export class AuditProgress {
  readonly #output: ProgressOutput;
  readonly #startedAt = Date.now();
  #lastPhase = '';
  #lastPlainAt = 0;

  constructor(output: ProgressOutput) {
    this.#output = output;
  }

  show(scan: RestScan): void {
    if (this.#output.isTTY) this.#output.write(clearLine + this.#line(scan).slice(0, (this.#output.columns ?? 80) - 1));
    else if (scan.phase !== this.#lastPhase || Date.now() - this.#lastPlainAt >= plainEveryMs) {
      this.#output.write(`${this.#line(scan)}\n`);
      this.#lastPlainAt = Date.now();
    }
    this.#lastPhase = scan.phase;
  }

  /** Leaves the last state behind and goes on below it. */
  end(): void {
    if (this.#output.isTTY) this.#output.write('\n');
  }

  #line({ phase, progress, findingsCount, requests }: RestScan): string {
    const share = Math.min(Math.max(progress, 0), 1);
    const done = Math.round(share * barWidth);
    const bar = '█'.repeat(done) + '░'.repeat(barWidth - done);
    const percent = `${Math.floor(share * 100)} %`.padStart(5);
    const seconds = `${Math.round((Date.now() - this.#startedAt) / 1000)} s`;
    const counts = `${findingsCount} verified, ${requests} requests, ${seconds}`;
    return `${bar} ${percent}  ${phases[phase] ?? phase} (${counts})`;
  }
}
