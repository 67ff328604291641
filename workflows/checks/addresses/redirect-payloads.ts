/** A value that leads to a foreign host, and that host. `‹nonce›` makes both new in each trial. */
export type RedirectPayload = { value: string; host: string };

/** RFC 2606: nobody can own a name below .example, so nobody is ever led anywhere. */
const foreign = '‹nonce›.example';

/**
 * Spellings of a foreign address, each past another way of checking it, the plainest first.
 * How they are read: URL Standard, "special" schemes (a backslash is a slash, tabs and missing or extra slashes are ignored).
 * @param origin the audited one: some checks of the value look for it, or for its host, somewhere in it
 * @param sample the site's own value: an address elsewhere in it is on the list of what is looked for
 */
export function redirectPayloads(origin: string, sample = ''): RedirectPayload[] {
  const { hostname: host, host: hostAndPort, protocol } = new URL(origin);
  const suffixed = `‹nonce›${host}`;
  const prefixed = `${host}.${foreign}`;
  return [
    { value: `https://${foreign}/`, host: foreign },
    // refused schemes, or only paths allowed: no scheme
    { value: `//${foreign}/`, host: foreign },
    { value: `/\\${foreign}/`, host: foreign },
    { value: `\\\\${foreign}/`, host: foreign },
    { value: `/\t/${foreign}/`, host: foreign },
    { value: `///${foreign}/`, host: foreign },
    { value: `/%5C${foreign}/`, host: foreign },
    // "starts with our address"
    { value: `${protocol}//${prefixed}/`, host: prefixed },
    { value: `${protocol}//${hostAndPort}@${foreign}/`, host: foreign },
    { value: `//${hostAndPort}@${foreign}/`, host: foreign },
    // "ends with our name"
    { value: `https://${suffixed}/`, host: suffixed },
    { value: `//${suffixed}/`, host: suffixed },
    // "contains our name"
    { value: `https://${foreign}/${host}`, host: foreign },
    { value: `https://${foreign}/?https://${host}/`, host: foreign },
    { value: `https://${foreign}\\@${host}/`, host: foreign },
    // lists of schemes that know lower case, and parsers that want two slashes
    { value: `HTTPS:${foreign}/`, host: foreign },
    { value: `http:/\\${foreign}/`, host: foreign },
    // a host to which the application puts its own in front: https://our.host + value
    { value: `.${foreign}/`, host: prefixed },
    { value: `@${foreign}/`, host: foreign },
    ...pastList(sample, hostAndPort),
  ];
}

/** Past a look for an address, or its host, that the site itself leads to: at the beginning of a value, at its end, or anywhere in it. */
function pastList(sample: string, own: string): RedirectPayload[] {
  const led = URL.parse(sample);
  if (!led || !/^https?:$/.test(led.protocol) || led.host === own) return [];
  const { host, protocol } = led;
  return [
    { value: `https://${foreign}/?${sample}`, host: foreign },
    { value: `${protocol}//${host}.${foreign}/`, host: `${host}.${foreign}` },
    { value: `${protocol}//${host}@${foreign}/`, host: foreign },
    { value: `https://‹nonce›${host}/`, host: `‹nonce›${host}` },
  ];
}

const names =
  /^(?:u|r|to|go|out|link|ref|page|path|site|view|from|continue|forward|origin|image_?url|rurl|ru|cgi-bin\/redirect\.cgi)$|(?:re(?:turn|dir(?:ect)?|ferr?er)|next|url|uri(?!ty)|dest(?:ination)?|target|goto|call_?back|back|success|fail(?:ure)?|cancel|exit|jump|land(?:ing)?|relay_?state)/i;

/** A parameter that says where to go: by its name, or because the site itself puts an address there. */
export const leadsSomewhere = (name: string, sample: string): boolean =>
  names.test(name) || /^(?:https?:|\/|%2f)/i.test(sample) || /^[\w-]+(?:\/[\w.-]+)+$/.test(sample);
