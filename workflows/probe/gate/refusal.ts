import type { AllowedWrites } from '../../model/budget.ts';
import type { Decision, GateRequest, Licence, RefusalCode, Refused, Visitor } from '../../model/gate.ts';
import { ProbeError } from '../../model/probe-error.ts';

/** What a decision depends on besides the request and what is known of its place. */
export type Circumstances = {
  depth: 'standard' | 'deep';
  writes: AllowedWrites;
  visitor: Visitor;
  licence: Licence | undefined;
  /** A page of the site shows it as an ordinary link. */
  isPlainLink(url: string): boolean;
  /** It is a well-known address of a product, which the catalogue of exposed paths names. */
  isCatalogued(url: string): boolean;
  /** Whether this address may be looked at now: true so many times. */
  mayLook(url: string, times: number): boolean;
};

/** A request that the gate did not let pass. */
export class RefusedError extends ProbeError {
  readonly refusal: RefusalCode;
  readonly place: string;
  constructor({ method, url }: GateRequest, place: string, { code, reason }: Refused) {
    super('refused', `${method} ${url.slice(0, 200)} was not sent: ${reason}`);
    this.refusal = code;
    this.place = place;
  }
}

export const allowed: Decision = { allowed: true };
export const refused = (code: RefusalCode, reason: string): Refused => ({ allowed: false, code, reason });

/** @param word by which it says so */
export const mayDo = (word: string): string => `it may do something: "${word}"`;

export const makesKey = 'it makes a key or a token of the account';
export const setsAll = 'it sets something of the whole site';
