import type { HeaderList } from './http.ts';

/** A request that is about to be sent to the target. */
export type GateRequest = {
  method: string;
  url: string;
  headers: HeaderList;
  body?: string | Uint8Array | undefined;
};

/** Whose session a request carries. */
const visitors = ['nobody', 'user', 'admin'] as const;
export type Visitor = (typeof visitors)[number];

/**
 * Why a request is refused:
 * - `ends-session`, `would-act`: its words say that it ends a session, or does something instead of showing something
 * - `one-time-token`: it has a token in its address that a site gives to what changes something
 * - `sensitive-fields`: it sends a form that has a password, a file or an e-mail address in it
 * - `message`: it sends a form that sends a message to somebody
 * - `unsafe-method`: a method that nobody has shown to only read (RFC 9110 §9.2.1)
 * - `not-observed`: a form or request with a body of which nothing shows that it only reads
 * - `writes`: an observation showed that it stores what it is sent
 * - `others-entry`: it would change an entry that is there and that the audit has not made
 * - `refused-before`: the survey left this place out because of its label or of how it is sent
 * - `looked-once`: a page with a word in its path that acts, which is looked at once only, and never with values
 * - `websocket`: nothing shows what a message over a WebSocket does
 */
export const refusalCodes = [
  'ends-session',
  'would-act',
  'one-time-token',
  'sensitive-fields',
  'message',
  'unsafe-method',
  'not-observed',
  'writes',
  'others-entry',
  'refused-before',
  'looked-once',
  'websocket',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];
export const isRefusalCode = (code: string): code is RefusalCode => refusalCodes.some((each) => each === code);

/** @property writes it was seen to store what it is sent, and a test system takes it all the same */
type Allowed = { allowed: true; writes?: true };
export type Refused = { allowed: false; code: RefusalCode; reason: string };
export type Decision = Allowed | Refused;

/**
 * What a part of the engine may send beyond what any check may. Checks cannot make one: `OpenProbes.licensed` gives instruments
 * that carry it, and the context of checks has none of them.
 * - `credentials`: the login code sends the org's own credentials, and what belongs to a login
 * - `write`: the prover sends a write that `RecordWrite` has stored
 * - `lasting`: a write that stays is sent, recorded before, where the scope allows such; whatever acts by its words is refused as ever
 * - `registration`: an account of the trial's own is opened, recorded before, where the scope allows what stays; it logs in
 * - `own-account`: an account that the trial has opened sends what changes one of its accounts, recorded before, where the scope allows what stays
 * - `basket`: a thing is put into a basket of the trial's own, recorded before, where the scope allows what stays; nothing is ordered
 * - `login-step`: a trial's own visitor sends the forms of a login that takes several pages, at addresses that say so
 * - `own-session`: the prover ends or changes a session that the trial has made for itself
 * - `undo`: the undo code takes a recorded write back
 * - `observation`: an unknown form is sent once with a neutral nonce, recorded before
 */
const licences = [
  'credentials',
  'write',
  'lasting',
  'registration',
  'own-account',
  'basket',
  'login-step',
  'own-session',
  'undo',
  'observation',
] as const;
export type Licence = (typeof licences)[number];

/** What one neutral submission was seen to do; `unknown` when that could not be determined. */
export type Verdict = 'reads' | 'writes' | 'unknown';

const gravity: Readonly<Record<Verdict, number>> = { reads: 0, unknown: 1, writes: 2 };

/** What holds of two verdicts on one form: that it reads only where nobody saw anything else. */
export const graver = (one: Verdict, other: Verdict): Verdict => (gravity[other] > gravity[one] ? other : one);

/** Verdicts by the keys that `keysOfVerdict` gives. Stored as the run's artifact "observations"; of a key the gravest verdict counts. */
export type Observations = Record<string, Verdict>;

/** What was refused when it was about to be sent, each place once, for instance "POST /orders/{id}". */
export type Refusals = { code: RefusalCode; places: string[] };
