import type { ReasonName } from '../kit/reasons.ts';
import { GatewayRefusal } from './errors.ts';

/** Something wrong with one field of a request. */
type Issue = { reason: ReasonName; field: string; message: string };

/** More faults than anybody mends at once. A body of megabytes may have one in every few bytes. */
const maxIssues = 20;
const maxFieldCharacters = 200;

/** What is wrong with a request: the first issues, and how many more there are. */
export class Issues {
  readonly first: Issue[] = [];
  #more = 0;

  add(reason: ReasonName, field: string, message: string): void {
    if (this.first.length < maxIssues) this.first.push({ reason, field: shortened(field), message });
    else this.#more += 1;
  }

  /** @throws Refusal naming the issues, when there are any */
  refuse(): void {
    const [first] = this.first;
    if (first === undefined) return;
    const errors = this.first.map(({ field, message }) => ({ field, message }));
    const sentences = errors.map(({ field, message }) => `${field || 'The body'} ${message}`);
    if (this.#more > 0) sentences.push(`and ${this.#more} more`);
    throw new GatewayRefusal(first.reason, `${sentences.join('; ')}. Correct this, then send the request again.`, {
      errors,
    });
  }
}

/** A name of the caller's own may be as long as the body. */
export const shortened = (field: string): string =>
  field.length <= maxFieldCharacters ? field : `${field.slice(0, maxFieldCharacters).toWellFormed()}…`;
