import { percentDecoded } from '../../kit/percent.ts';
import { parseJson } from '../model/json.ts';

/** Names of one map that are given; large applications have thousands. */
const maxNames = 500;

type SourceText = { name: string; content: string };

type RawMap = { version?: unknown; sources?: unknown; sourcesContent?: unknown; sections?: unknown };

/**
 * Names of the sources whose text a source map holds, in order. Source: ECMA-426 §9 (version 3, index maps included).
 * @returns undefined when the text is no source map, or one without the text of any source
 */
export function sourcesIn(text: string): string[] | undefined {
  const names = sourceTextsIn(text).map(({ name }) => name);
  return names.length > 0 ? names.slice(0, maxNames) : undefined;
}

/** A map that stands in its script, as the last comment says: ECMA-426 §11.1.2.1, RFC 2397. */
const inline =
  /[#@]\s{0,9}sourceMappingURL=data:application\/json(?:;[\w=-]{1,40}){0,3};base64,([A-Za-z0-9+/=]+)\s{0,9}(?:\*\/)?\s{0,9}$/;

/** The same without base64. */
const inlinePlain = /[#@]\s{0,9}sourceMappingURL=data:application\/json(?:;[\w=-]{1,40}){0,3},(%7B[^\s'"]+)\s{0,9}$/i;

/** The sources whose text a source map holds; of a script or style, of the map that stands in it. */
export function sourceTextsIn(text: string): SourceText[] {
  const at = text.lastIndexOf('sourceMappingURL=data:');
  const encoded = at === -1 ? undefined : inline.exec(text.slice(at - 4))?.[1];
  if (encoded !== undefined) return sourceTextsIn(Buffer.from(encoded, 'base64').toString('utf8'));
  const plain = at === -1 ? undefined : inlinePlain.exec(text.slice(at - 4))?.[1];
  if (plain !== undefined) return sourceTextsIn(percentDecoded(plain) ?? '');
  // The line that keeps a map from being run as a script: ECMA-426 §11.1.2.1.
  const map = parse(text.replace(/^\)\]\}'[^\n]*\n?/, ''));
  return map === undefined ? [] : textsOf(map);
}

function textsOf(map: RawMap): SourceText[] {
  if (map.version !== 3) return [];
  if (Array.isArray(map.sections))
    return map.sections.flatMap((section: { map?: unknown } | null) =>
      isObject(section?.map) ? textsOf(section.map) : [],
    );
  const { sources, sourcesContent } = map;
  if (!Array.isArray(sources) || !Array.isArray(sourcesContent)) return [];
  return sources.flatMap((name: unknown, index): SourceText[] => {
    const content: unknown = sourcesContent[index];
    return typeof name === 'string' && typeof content === 'string' && content.trim() !== '' ? [{ name, content }] : [];
  });
}

function parse(text: string): RawMap | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

const isObject = (value: unknown): value is RawMap => typeof value === 'object' && value !== null;
