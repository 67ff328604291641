/** A percent-encoded text as it is meant (RFC 3986 §2.1, UTF-8); undefined when it is not encoded like that. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The same, and a text that is not encoded like that as it stands. */
export const percentDecodedOrSame = (text: string): string => percentDecoded(text) ?? text;
