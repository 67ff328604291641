/** The value of a text of JSON, undefined when it is none. Who is given the text from outside bounds it first. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
