import { canonicalHost, isSameMachine } from './guard/address.ts';

/**
 * What an audit may send probes to: one host, on the ports that follow from the URL that was asked for, but for excluded paths.
 * A host that is this machine has more names than one.
 */
export type Scope = {
  /** Canonical host. */
  host: string;
  ports: readonly number[];
  covers(host: string, port: number): boolean;
  /** Neither does it cover the paths that the org has excluded. */
  coversUrl(url: string): boolean;
  /** The prefix by which the org has excluded this URL; undefined when it has not. */
  excludedBy(url: string): string | undefined;
};

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443, 'ws:': 80, 'wss:': 443 };

/** Port that a URL is fetched from. */
export const portOf = (url: URL): number => (url.port === '' ? (defaultPorts[url.protocol] ?? 0) : Number(url.port));

/**
 * A URL with a port of its own puts only that port in scope; any other puts 443 and 80 there, the default ones.
 * @param target absolute http or https URL
 * @param excludedPaths prefixes of paths, for instance "/admin"
 */
export function scopeOf(target: string, excludedPaths: readonly string[] = []): Scope {
  const url = new URL(target);
  const host = canonicalHost(url.hostname);
  const ports = url.port === '' ? [443, 80] : [Number(url.port)];
  const covers = (otherHost: string, port: number) => ports.includes(port) && sameHost(host, otherHost);
  return {
    host,
    ports,
    covers,
    excludedBy: (other) => excludedBy(excludedPaths, other),
    coversUrl(other) {
      if (!URL.canParse(other)) return false;
      const parsed = new URL(other);
      const isCovered = parsed.protocol in defaultPorts && covers(parsed.hostname, portOf(parsed));
      return isCovered && excludedBy(excludedPaths, other) === undefined;
    },
  };
}

/**
 * The first prefix that excludes a URL: as it is written, as clients read it, and as servers do that decode it first.
 * @param prefixes of paths, for instance "/admin"
 */
export function excludedBy(prefixes: readonly string[], url: string): string | undefined {
  if (prefixes.length === 0 || !URL.canParse(url)) return undefined;
  const [, written = ''] = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url) ?? [];
  const { pathname } = new URL(url);
  const paths = [written, pathname, decoded(pathname)].map((path) => oneSpelling(path.replace(/\/{2,}/g, '/')));
  return prefixes.find((prefix) => paths.some((path) => path.startsWith(oneSpelling(prefix))));
}

/** Source: RFC 3986 §6.2.2.1. */
const oneSpelling = (path: string): string => path.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());

/** The path once more, with its escapes decoded; those that are none stay. */
function decoded(pathname: string): string {
  const text = pathname.replace(/%[2-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return URL.parse(`http://any.invalid${text.replace(/[?#]/g, encodeURIComponent)}`)?.pathname ?? text;
}

function sameHost(host: string, other: string): boolean {
  try {
    return isSameMachine(canonicalHost(other), host);
  } catch {
    return false;
  }
}
