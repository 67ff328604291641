import { ProbeError } from '../../model/probe-error.ts';
import type { CheckContext } from '../contract.ts';

/** What a page answers; a page that may not be opened shows nothing. @throws ProbeError for any other failure */
export const textAt = (http: CheckContext['http'], url: string): Promise<string> =>
  unlessRefused(async () => (await http.get(url)).text);

/** The same of what its scripts have made of it in a browser, where there is one. */
export const drawnAt = (browser: CheckContext['browser'], url: string): Promise<string> =>
  unlessRefused(async () => ((await browser.unavailable()) === undefined ? (await browser.visit({ url })).html : ''));

async function unlessRefused(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ProbeError && (error.code === 'refused' || error.code === 'out_of_scope')) return '';
    throw error;
  }
}
