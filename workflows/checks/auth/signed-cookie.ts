import { parseJson } from '../../model/json.ts';

export type CookieValue = { name: string; value: string };

/** A cookie that a framework signs and keeps the session in, readable by everybody. */
export type SignedCookie = {
  name: string;
  /** What makes such cookies, for readers. */
  maker: string;
  /** JSON of the session; undefined where it is compressed. */
  json: string | undefined;
  /** Whether the signature is one with this secret. */
  isSignedWith(secret: string): boolean;
  /** The cookies of such a session, signed anew and in other bytes, with other content perhaps. */
  signed(secret: string, json?: string): CookieValue[];
};

/** The text itself where it is an object of JSON. */
export function jsonOf(text: string): string | undefined {
  const value = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  return typeof value === 'object' && value !== null ? text : undefined;
}
