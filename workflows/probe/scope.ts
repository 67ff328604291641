import { canonicalHost } from './guard/address.ts';

/** What an audit may send probes to: one host, on the ports that follow from the URL that was asked for. */
export type Scope = {
  /** Canonical host. */
  host: string;
  ports: readonly number[];
  covers(host: string, port: number): boolean;
  coversUrl(url: string): boolean;
};

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 };

/** Port that a URL is fetched from. */
export const portOf = (url: URL): number => (url.port === '' ? (defaultPorts[url.protocol] ?? 0) : Number(url.port));

/**
 * A URL with a port of its own puts only that port in scope; any other puts 443 and 80 there, the default ones.
 * @param target absolute http or https URL
 */
export function scopeOf(target: string): Scope {
  const url = new URL(target);
  const host = canonicalHost(url.hostname);
  const ports = url.port === '' ? [443, 80] : [Number(url.port)];
  const covers = (otherHost: string, port: number) => ports.includes(port) && sameHost(host, otherHost);
  return {
    host,
    ports,
    covers,
    coversUrl(other) {
      if (!URL.canParse(other)) return false;
      const parsed = new URL(other);
      return parsed.protocol in defaultPorts && covers(parsed.hostname, portOf(parsed));
    },
  };
}

function sameHost(host: string, other: string): boolean {
  try {
    return canonicalHost(other) === host;
  } catch {
    return false;
  }
}
