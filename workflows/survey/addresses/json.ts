import { isPaddedBase64 } from './base64.ts';

const named = /^(?:href|url|uri|src|link|path|start_url|scope|next|prev(?:ious)?|self)$/i;
const absolute = /^(?:https?:\/\/|\/[a-z0-9_])\S{0,2000}$/i;
/** Parameters that a template offers. Source: RFC 6570 §3.2.8, as in HAL. */
const offered = /\{[?&]([\w.,*~-]{1,300})\}/g;

/** Addresses in JSON: values that are URLs or absolute paths, and those of members that are called so. */
export function* addressesInJson(root: unknown): Generator<string> {
  for (const [name, value] of textsIn(root)) {
    const address = withOffered(value);
    if (isPaddedBase64(address)) continue;
    if (absolute.test(address) || (named.test(name) && /^[\w.~/?=&%-]{1,500}$/.test(address))) yield address;
  }
}

/** Texts with the names of their members. */
export function* textsIn(root: unknown): Generator<[name: string, text: string]> {
  const pending: [string, unknown][] = [['', root]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [name, value] = next;
    if (typeof value === 'string') yield [name, value];
    else if (typeof value === 'object' && value !== null) pending.push(...Object.entries(value));
  }
}

/** "/orders{?status,page}" with a value for each of its parameters. */
const withOffered = (text: string): string => {
  let sign = text.replace(offered, '').includes('?') ? '&' : '?';
  return text.replace(offered, (_, names: string) => {
    const query = names
      .split(',')
      .map((name) => `${name.replace('*', '')}=1`)
      .join('&');
    const part = `${sign}${query}`;
    sign = '&';
    return part;
  });
};
