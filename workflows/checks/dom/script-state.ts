/** Where in JavaScript source a position is: in code, or inside something that is not executed. */
export type ScriptState = 'code' | "'" | '"' | '`' | 'regex' | 'line-comment' | 'block-comment';

/** A "/" after one of these begins a regular expression; after a value it divides. Source: ECMA-262 §12. */
const beforeRegex = /(?:^|[=([{,;:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do))\s*$/;

type ScriptScan = {
  state: ScriptState;
  /** Depth of "{" in code. */
  depth: number;
  /** Depths at which a template goes on, innermost last. */
  templates: number[];
  /** Inside "[…]" of a regular expression, where "/" does not end it. */
  inClass: boolean;
};

/**
 * The lexical state at an index of a script, as far as a scanner without a parser can determine it. Linear in the index.
 */
export function scriptStateAt(source: string, index: number): ScriptState {
  const scan: ScriptScan = { state: 'code', depth: 0, templates: [], inClass: false };
  let at = 0;
  while (at < index) at += scan.state === 'code' ? readCode(scan, source, at) : readInside(scan, source, at);
  return scan.state;
}

/** @returns how many characters were read */
function readCode(scan: ScriptScan, source: string, at: number): number {
  const char = source[at];
  const pair = source.slice(at, at + 2);
  if (pair === '//' || pair === '/*') {
    scan.state = pair === '//' ? 'line-comment' : 'block-comment';
    return 2;
  }
  if (char === "'" || char === '"' || char === '`') scan.state = char;
  else if (char === '/' && beforeRegex.test(source.slice(Math.max(0, at - 16), at))) scan.state = 'regex';
  else if (char === '{') scan.depth += 1;
  else if (char === '}') closeBrace(scan);
  return 1;
}

function closeBrace(scan: ScriptScan): void {
  if (scan.templates.at(-1) === scan.depth) {
    scan.templates.pop();
    scan.state = '`';
  } else scan.depth -= 1;
}

/** @returns how many characters were read */
function readInside(scan: ScriptScan, source: string, at: number): number {
  const { state } = scan;
  const char = source[at] ?? '';
  const isLineEnd = char === '\n' || char === '\r' || char === '\u2028' || char === '\u2029';
  if (state === 'line-comment') {
    if (isLineEnd) scan.state = 'code';
    return 1;
  }
  if (state === 'block-comment') {
    const ends = source.startsWith('*/', at);
    if (ends) scan.state = 'code';
    return ends ? 2 : 1;
  }
  if (char === '\\') return 2;
  if (state === '`' && source.startsWith('${', at)) {
    scan.templates.push(scan.depth);
    scan.state = 'code';
    return 2;
  }
  if (state === 'regex') readRegex(scan, char, isLineEnd);
  else if (char === state || (isLineEnd && state !== '`')) scan.state = 'code';
  return 1;
}

function readRegex(scan: ScriptScan, char: string, isLineEnd: boolean): void {
  if (char === '[') scan.inClass = true;
  else if (char === ']') scan.inClass = false;
  else if (isLineEnd || (char === '/' && !scan.inClass)) scan.state = 'code';
}
