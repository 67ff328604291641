const opening = /["']?(?:swaggerDoc|spec)["']?\s{0,5}:\s{0,5}(?=\{)/;
/** A description that somebody wrote has a few hundred kilobytes. */
const maxLength = 2 * 1024 * 1024;

/**
 * The description that a viewer's own script has in it, as Swagger UI of Express and NestJS is served: `"swaggerDoc": {…}`. Undefined
 * when there is none.
 */
export function embeddedDescription(script: string): string | undefined {
  const found = opening.exec(script);
  if (!found) return undefined;
  const start = found.index + found[0].length;
  const end = endOfObject(script, start);
  return end === undefined ? undefined : script.slice(start, end);
}

function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isText = false;
  const last = Math.min(text.length, start + maxLength);
  for (let at = start; at < last; at += 1) {
    const sign = text[at];
    if (isText) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === '{') depth += 1;
    else if (sign === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
