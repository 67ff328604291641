import type { ScanBody } from './api/schemas.ts';
import { type Printer, printable } from './terminal.ts';

const phases: Record<string, string> = {
  queued: 'waiting for its turn',
  survey: 'surveying the site',
  standard: 'standard checks',
  login: 'surveying the site behind its logins',
  deep: 'deep checks',
  chains: 'combining weaknesses',
  finish: 'writing the results',
  done: 'done',
};
const barWidth = 16;
const clearLine = '\r\u001b[K';

/** In a log, a line comes at least this often: pipelines end jobs that say nothing for long. */
const plainEveryMs = 30_000;

/** Shows how far a scan is: a bar on a terminal, and lines anywhere else. */
export class ScanProgress {
  readonly #printer: Printer;
  readonly #isInteractive: boolean;
  readonly #startedAtMs = performance.now();
  #lastShown = '';
  #lastPlainAtMs = Number.NEGATIVE_INFINITY;
  #isOnLine = false;

  constructor(printer: Printer, isInteractive: boolean) {
    this.#printer = printer;
    this.#isInteractive = isInteractive;
  }

  show(scan: ScanBody): void {
    const text = this.#text(scan);
    if (this.#isInteractive) {
      const width = (this.#printer.stream.columns ?? 80) - 1;
      this.#printer.stream.write(
        clearLine +
          Array.from(printable(`${bar(scan.progress)} ${text}`))
            .slice(0, width)
            .join(''),
      );
      this.#isOnLine = true;
      return;
    }
    const now = performance.now();
    const key = `${scan.status} ${scan.phase} ${scan.findingsCount}`;
    if (key === this.#lastShown && now - this.#lastPlainAtMs < plainEveryMs) return;
    this.#printer.line(text);
    this.#lastShown = key;
    this.#lastPlainAtMs = now;
  }

  /** A line of its own, for instance why nothing goes on. */
  note(text: string): void {
    this.clear();
    this.#printer.line(text);
  }

  /** Takes the bar away, so that the next line begins where it began. */
  clear(): void {
    if (this.#isOnLine) this.#printer.stream.write(clearLine);
    this.#isOnLine = false;
  }

  #text({ phase, progress, findingsCount, requests }: ScanBody): string {
    const percent = `${Math.floor(clamp(progress) * 100)} %`.padStart(5);
    const seconds = Math.round((performance.now() - this.#startedAtMs) / 1000);
    return `${percent}  ${phases[phase] ?? phase}, ${findingsCount} verified, ${requests} requests, ${seconds} s`;
  }
}

const clamp = (progress: number) => Math.min(Math.max(progress, 0), 1);

function bar(progress: number): string {
  const done = Math.round(clamp(progress) * barWidth);
  return '█'.repeat(done) + '░'.repeat(barWidth - done);
}
