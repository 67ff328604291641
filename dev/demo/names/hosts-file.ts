import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/**
 * Addresses that a hosts file gives a name, or undefined when it does not have it. Where it does, nobody else is asked:
 * it is how people lead a name to a machine of their own. Source: hosts(5).
 */
export async function addressesIn(file: string, name: string): Promise<string[] | undefined> {
  const wanted = name.toLowerCase().replace(/\.$/, '');
  const text = await readFile(file, 'utf8').catch(() => '');
  const found = text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return names.includes(wanted) && isIP(address) ? [address] : [];
  });
  return found.length > 0 ? found : undefined;
}
