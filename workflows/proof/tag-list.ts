/** Tags of a mail policy or key like "v=STSv1; id=1", names as they are written. Source: RFC 6376 §3.2, RFC 8460 §3, RFC 8461 §3.1. */
export const tagList = (record: string): Map<string, string> => new Map(record.split(';').map(tagOf));

/** "p=MIGf…=" → ["p", "MIGf…="] */
function tagOf(text: string): [name: string, value: string] {
  const sign = text.indexOf('=');
  return [text.slice(0, Math.max(0, sign)).trim(), text.slice(sign + 1).trim()];
}
