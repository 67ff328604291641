/** Where in JavaScript source a position is: in code, or inside something that is not executed. */
export type ScriptState = 'code' | "'" | '"' | '`' | 'regex' | 'line-comment' | 'block-comment';

/** A "/" after one of these begins a regular expression; after a value it divides. Source: ECMA-262 §12. */
const beforeRegex = /(?:^|[=([{,;:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do))\s*$/;

/**
 * The lexical state at an index of a script, as far as a scanner without a parser can tell. Linear in the index.
 */
export function scriptStateAt(source: string, index: number): ScriptState {
  let state: ScriptState = 'code';
  // Depths of "{" at which a template goes on, innermost last.
  const templates: number[] = [];
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < index; at += 1) {
    const char = source[at];
    const pair = source.slice(at, at + 2);
    switch (state) {
      case 'code':
        if (pair === '//') state = 'line-comment';
        else if (pair === '/*') state = 'block-comment';
        else if (char === "'" || char === '"' || char === '`') state = char;
        else if (char === '/' && beforeRegex.test(source.slice(Math.max(0, at - 16), at))) state = 'regex';
        else if (char === '{') depth += 1;
        else if (char === '}') {
          if (templates.at(-1) === depth) {
            templates.pop();
            state = '`';
          } else depth -= 1;
        }
        if (state === 'block-comment') at += 1;
        break;
      case 'line-comment':
        if (char === '\n' || char === '\r') state = 'code';
        break;
      case 'block-comment':
        if (pair === '*/') {
          state = 'code';
          at += 1;
        }
        break;
      case '`':
        if (char === '\\') at += 1;
        else if (char === '`') state = 'code';
        else if (pair === '${') {
          templates.push(depth);
          state = 'code';
          at += 1;
        }
        break;
      case 'regex':
        if (char === '\\') at += 1;
        else if (char === '[') inClass = true;
        else if (char === ']') inClass = false;
        else if (char === '\n' || (char === '/' && !inClass)) state = 'code';
        break;
      default:
        if (char === '\\') at += 1;
        else if (char === state || char === '\n') state = 'code';
    }
  }
  return state;
}
