import type { Exchange, HeaderList } from '../../model/http.ts';

/** Puts an exchange together; its text is decoded when somebody reads it. */
export function makeExchange(parts: Omit<Exchange, 'text' | 'header' | 'headerValues'>): Exchange {
  let text: string | undefined;
  const headerValues = (name: string) => valuesOf(parts.headers, name);
  return {
    ...parts,
    headerValues,
    header: (name) => headerValues(name)[0],
    get text() {
      text ??= decodeText(parts.body, headerValues('content-type')[0] ?? '');
      return text;
    },
  };
}

/** All values of a header by case-insensitive name, in order. */
export function valuesOf(headers: HeaderList, name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([given]) => given.toLowerCase() === wanted).map(([, value]) => value);
}

/**
 * Where a redirect leads to, as it was written. Bytes beyond ASCII are UTF-8 to browsers where they can be.
 * Source: Fetch standard §2.2.6, URL standard §1.3.
 */
export function locationOf(exchange: Pick<Exchange, 'header'>): string | undefined {
  const value = exchange.header('location');
  if (value === undefined || !/[\x80-\xff]/.test(value)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

/** Decodes by the charset of a Content-Type; unknown and missing ones are UTF-8. Never fails. */
function decodeText(body: Uint8Array, contentType: string): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
