import { Tokenizer } from 'parse5';
import { cpuMs } from '../cpu-time.ts';

const chunkLength = 16 * 1024;
/** Real tags have some dozens; each attribute costs far more memory than its text. */
const maxAttributes = 2_000;
/** Processor time. Ordinary pages take some tens of milliseconds, also on a busy machine. */
const maxCpuMs = 900;

/** Thrown through the tokenizer by what it hands its tokens to. */
class TooMuch extends Error {}

/** Ends the reading: what follows would cost too much. */
export function giveUp(): never {
  throw new TooMuch('the page is too much to read to its end');
}

/** parse5's tokenizer in steps, with limits that hold inside a single tag, too. */
export class BoundedTokenizer extends Tokenizer {
  /** @returns whether all of it was read */
  readAll(html: string): boolean {
    const endMs = cpuMs() + maxCpuMs;
    try {
      for (let start = 0; start === 0 || start < html.length; start += chunkLength) {
        const isLast = start + chunkLength >= html.length;
        this.write(html.slice(start, start + chunkLength), isLast);
        if (!isLast && (cpuMs() > endMs || this.#attributesOfOpenTag() > maxAttributes)) return false;
      }
      return true;
    } catch (error) {
      if (error instanceof TooMuch) return false;
      throw error;
    }
  }

  #attributesOfOpenTag(): number {
    return this.currentToken && 'attrs' in this.currentToken ? this.currentToken.attrs.length : 0;
  }
}
