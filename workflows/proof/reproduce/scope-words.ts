import type { HeaderList } from '../../model/http.ts';
import type { Names } from './names.ts';
import { type CommandText, comment } from './text.ts';

/** Headers that the org gave for its domain, in the reader's words: the site may answer nobody without them. */
type ScopeWords = {
  headers: readonly (readonly [name: string, value: CommandText])[];
  /** Lines that ask the reader to set what these lines use; none when they use nothing of it. */
  comments(lines: readonly string[]): string[];
};

/** Their values are secret, so that each is a variable of the reader's. */
export function scopeWords(given: HeaderList, names: Names): ScopeWords {
  const headers = given.map(([name]) => [name, [{ variable: names('SCOPE_HEADER', name) }]] as const);
  const variables = headers.map(([, [{ variable }]]) => variable);
  const sent = given.map(([name]) => name).join(', ');
  return {
    headers,
    comments(lines) {
      const used = variables.filter((variable) => lines.some((line) => line.includes(variable)));
      const inBrowser = headers.length > 0 && lines.some((line) => /^# (?:Open )?in a browser/i.test(line));
      return [
        ...(used.length > 0
          ? [
              comment(
                `Export ${used.join(', ')}: the value that the scope of the domain has for the header of this name.`,
              ),
            ]
          : []),
        ...(inBrowser ? [comment(`Have the browser send the headers of that scope, too: ${sent}.`)] : []),
      ];
    },
  };
}
