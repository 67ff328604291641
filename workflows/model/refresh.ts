/** When and where a Refresh header, or a meta element of that name, leads its visitor. */
type Refresh = { seconds: number; address: string };

/** Reads "5; url='/next'" (HTML Standard, shared declarative refresh steps); undefined where it names no address. */
export function refreshOf(content: string): Refresh | undefined {
  const [, seconds, rest = ''] = timed.exec(content) ?? [];
  const [, quote, text = ''] = /^(["']?)(.*)$/s.exec(rest) ?? [];
  const [address = ''] = quote ? text.split(quote, 1) : [text];
  return seconds === undefined || address.trim() === ''
    ? undefined
    : { seconds: Number(seconds), address: address.trim() };
}

const timed = /^\s{0,99}(?=[\d.])(\d{0,9})[\d.]{0,9}(?:\s{0,99}[;,]\s{0,99}|\s{1,99})(?:url\s{0,99}=\s{0,99})?(.*)$/is;
