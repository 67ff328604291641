/** Names of one map that are given; large applications have thousands. */
const maxNames = 500;

export type SourceText = { name: string; content: string };

type RawMap = { version?: unknown; sources?: unknown; sourcesContent?: unknown; sections?: unknown };

/**
 * Names of the sources whose text a source map holds, in order. Source: ECMA-426 §9 (version 3, index maps included).
 * @returns undefined when the text is no source map, or one without the text of any source
 */
export function sourcesIn(text: string): string[] | undefined {
  const names = sourceTextsIn(text).map(({ name }) => name);
  return names.length > 0 ? names.slice(0, maxNames) : undefined;
}

/** The sources whose text a source map holds. */
export function sourceTextsIn(text: string): SourceText[] {
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
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is RawMap => typeof value === 'object' && value !== null;
