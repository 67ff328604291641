import type { Redactor } from '../redact.ts';
import type { Trial } from '../trial.ts';
import { createNames } from './names.ts';
import { functionsFor } from './page-filters.ts';
import { rolesOf } from './plan.ts';
import { createReads } from './reads.ts';
import { scopeWords } from './scope-words.ts';
import type { ScriptContext } from './script-context.ts';
import { createSessionBook } from './session-book.ts';
import { writeSteps } from './steps.ts';
import { untrustedOrigins } from './trust.ts';
import { createValues } from './values.ts';

/**
 * Commands for a shell that show what a trial showed: one line where that is enough, else the requests in their order,
 * from the login to the answer that decides, and what puts back what they change. It needs nothing but what Debian has
 * (curl, sed, awk, dig, openssl). Passwords, tokens, cookies and captured values are variables: set by the reader, or
 * read by the script itself.
 */
export async function scriptFor(trial: Trial, context: ScriptContext, redactor: Redactor): Promise<string> {
  const roles = rolesOf(trial);
  if (roles.size === 0) return '';
  const names = createNames();
  const untrusted = await untrustedOrigins(trial, context);
  const scope = scopeWords(context.scopeHeaders ?? [], names);
  const reach = (url: string) => ({
    insecure: untrusted.has(URL.parse(url)?.origin ?? ''),
    scopeHeaders: (context.scopeHeadersFor?.(url) ?? []).length > 0 ? scope.headers : [],
  });
  const sessions = createSessionBook(trial, context, { names, reach });
  const isClean = (text: string) => redactor.text(text) === text;
  const reads = createReads(names);
  const values = createValues({ trial, sessions: sessions.all(), reads, isClean });
  const lines = writeSteps(trial, roles, { sessions, values, reads, names, reach });
  const jars = sessions.jars().map((jar) => `"$${jar}"`);
  const cleanUp = jars.length > 0 ? [`trap 'rm -f ${jars.join(' ')}' EXIT`] : [];
  const script = [...scope.comments(lines), ...reads.comments(), ...cleanUp, ...functionsFor(lines), ...lines];
  return redactor.text((needsShell(lines) ? ["bash -e <<'END'", ...script, 'END'] : script).join('\n'));
}

/**
 * Lines that build on each other run in a shell of their own: it stops where one of them fails, reads comments as such
 * whatever the reader's shell does, and takes what it has read with it.
 */
const needsShell = (lines: readonly string[]): boolean =>
  lines.some((line) => /^\w+=/.test(line) || line.includes('-o /dev/null') || line.includes(':?}'));
