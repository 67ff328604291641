import { ProbeError } from '../../model/probe-error.ts';
import type { CheckContext } from '../contract.ts';

/** What a page answers; a page that may not be opened shows nothing. @throws ProbeError for any other failure */
export async function textAt(http: CheckContext['http'], url: string): Promise<string> {
  try {
    return (await http.get(url)).text;
  } catch (error) {
    if (error instanceof ProbeError && (error.code === 'refused' || error.code === 'out_of_scope')) return '';
    throw error;
  }
}
