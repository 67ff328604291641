export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The value of a text of JSON, undefined when it is none. Who is given the text from outside bounds it first. */
export function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
