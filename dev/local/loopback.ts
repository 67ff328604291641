import { lookup } from 'node:dns/promises';
import { UsageError } from './usage.ts';

const ranges = ['127.0.0.0/8', '::1/128'];
const isLoopback = (address: string): boolean => /^127\.|^::1$/.test(address);

/**
 * What lets the worker reach a host of this machine (setting TARGET_ALLOW).
 * @throws UsageError when the host has an address elsewhere
 */
export async function loopbackRules({ hostname }: URL): Promise<string[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  const addresses = host.endsWith('.localhost') ? ['127.0.0.1'] : found.map(({ address }) => address);
  if (addresses.length === 0) throw new UsageError(`${host} has no address on this machine.`);
  const elsewhere = addresses.find((address) => !isLoopback(address));
  if (elsewhere !== undefined)
    throw new UsageError(
      `${host} is at ${elsewhere}: "local" audits what runs on this machine alone. Audit other hosts with the service, which has you prove that they are yours.`,
    );
  return ranges.map((range) => `${host}=${range}`);
}
