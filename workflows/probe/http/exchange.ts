import type { Exchange, HeaderList } from '../types.ts';

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

/** Decodes by the charset of a Content-Type; unknown and missing ones are UTF-8. Never fails. */
function decodeText(body: Uint8Array, contentType: string): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
