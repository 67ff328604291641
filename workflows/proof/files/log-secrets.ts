/** Values of parameters that let somebody in. */
const parameter =
  /[?&](token|access_token|id_token|refresh_token|password|passwd|pwd|session_?id|api_?key|reset_?token)=([^&\s"'<>#]{1,2000})/gi;
const header = /\bauthorization["']?\s{0,3}[:=]{1,2}>?\s{0,3}["']?(bearer|basic) ([\w.~+/=-]{1,2000})/gi;
const member = /"(password|secret|access_token|refresh_token|api_key)"\s{0,3}(?::|=>)\s{0,3}"([^"\s]{1,2000})"/gi;
/** "login ok user=ida sid=…", as programs write what they did. */
const pair =
  /(?<![?&\w.-])(sid|session(?:[_-]?id)?|sess(?:id)?|phpsessid|jsessionid|connect\.sid|access_token|refresh_token|reset_?token|token|jwt|api_?key|password|secret)["']?\s{0,2}[=:]\s{0,2}["']?([\w~+/.-]{16,2000})/gi;

/** The status in a line of an access log: after the request of the common log format. */
const refused = /" [45]\d\d (?:\d|-)/;

const maxLines = 20_000;
const maxLineLength = 4_000;

/**
 * Kinds of secrets in the lines of a log, one for each: values that nobody guesses, and that the server did not refuse. What scanners
 * send ("?token=1", paths, words) is in every log and opens nothing.
 * @returns undefined when there is none
 */
export function logSecrets(text: string): string | undefined {
  const kinds = new Set<string>();
  for (const line of text.split(/\r\n|\n|\r/, maxLines)) {
    const part = line.slice(0, maxLineLength);
    if (refused.test(part)) continue;
    for (const pattern of [parameter, header, member, pair])
      for (const [, name = '', value = ''] of part.matchAll(pattern))
        if (isUnguessable(value)) kinds.add(name.toLowerCase());
  }
  return kinds.size > 0 ? [...kinds].join('\n') : undefined;
}

/** At least 16 letters and digits of both kinds, of which most differ: 64 bits and more. */
function isUnguessable(value: string): boolean {
  const core = value.replace(/[=.]+$/, '');
  if (!/^[\w~+/.-]{16,}$/.test(core) || /\.\.|\/{2}|^\/|\.(?:php|html?|js|txt|jsp|aspx?)\b/i.test(core)) return false;
  const digits = core.replace(/\D/g, '').length;
  return digits >= 2 && digits < core.length && new Set(core).size >= 10;
}
