import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

type Bundle = { script: string; map: string };

/**
 * Puts modules into one script, in the order in which they need each other, without what is only for development;
 * with a source map that leads each line back. Format: ECMA-426.
 * @param name file name of the script
 */
export async function bundleModules(folder: string, modules: readonly string[], name: string): Promise<Bundle> {
  const contents = await Promise.all(modules.map((file) => readFile(join(folder, file), 'utf8')));
  const lines = contents.flatMap((content, source) => keptLines(content).map((line) => ({ ...line, source })));
  const script = ['(() => {', ...lines.map(({ text }) => text), '})();', `//# sourceMappingURL=${name}.map`, ''];
  const map = {
    version: 3,
    file: name,
    sourceRoot: '',
    sources: modules.map((file) => `../src/studio/${file}`),
    sourcesContent: contents,
    names: [],
    mappings: mappingsOf(lines),
  };
  return { script: script.join('\n'), map: JSON.stringify(map) };
}

type SourceLine = { text: string; number: number };

/** Lines of a module that the script has: no imports, comments, nor what stands in a block for development. */
function keptLines(content: string): SourceLine[] {
  const kept: SourceLine[] = [];
  let isForDevelopment = false;
  for (const [number, text] of content.split('\n').entries()) {
    if (text === '/* only in development */') isForDevelopment = true;
    const isComment = /^\s*(?:\/\*.*\*\/|\/\/.*)?$/.test(text);
    if (!isForDevelopment && !isComment && !/^import /.test(text))
      kept.push({ text: text.replace(/^export /, ''), number });
    if (text === '/* end */') isForDevelopment = false;
  }
  return kept;
}

/** One segment for each line. The first line of the script is of no source. */
function mappingsOf(lines: readonly (SourceLine & { source: number })[]): string {
  let last = { source: 0, number: 0 };
  const segments = lines.map(({ source, number }) => {
    const fields = [0, source - last.source, number - last.number, 0];
    last = { source, number };
    return fields.map(base64Vlq).join('');
  });
  return `;${segments.join(';')}`;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Five bits a digit, the lowest first; the lowest bit of all is the sign. */
function base64Vlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    const more = rest > 31 ? 32 : 0;
    text += digits[(rest % 32) + more];
    rest = Math.floor(rest / 32);
  } while (rest > 0);
  return text;
}
