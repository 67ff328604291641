import type { Exchange } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import { failed, found, type Instruments, missing, type ProofOutcome } from './proof.ts';

/** Within the host: a page of another host proves nothing for this one. */
const maxRedirects = 3;

/**
 * Fetches a path of a host over HTTPS, then over HTTP, until one shows the proof.
 * @param shows whether an answer of 200 shows it
 * @param notThere what to say when it does not
 */
export async function lookOnWeb(
  domain: string,
  path: string,
  { instruments, maxBodyBytes }: { instruments: Instruments; maxBodyBytes: number },
  shows: (exchange: Exchange) => boolean,
  notThere: string,
): Promise<ProofOutcome> {
  const { https, http } = instruments.ports;
  const urls = [`https://${domain}:${https}${path}`, `http://${domain}:${http}${path}`].map((url) => new URL(url).href);
  const seen: ProofOutcome[] = [];
  for (const url of urls) {
    const look = await lookAt(url, { instruments, maxBodyBytes }, shows, notThere);
    if (look.outcome === 'found') return look;
    seen.push(look);
  }
  return seen.find(({ outcome }) => outcome === 'missing') ?? seen[0] ?? failed('There was nowhere to look.');
}

async function lookAt(
  url: string,
  { instruments, maxBodyBytes }: { instruments: Instruments; maxBodyBytes: number },
  shows: (exchange: Exchange) => boolean,
  notThere: string,
): Promise<ProofOutcome> {
  try {
    const answer = await instruments.probesFor(url).http.get(url, { fresh: true, maxRedirects, maxBodyBytes });
    const { status } = answer;
    if (status >= 300 && status < 400) return missing(`${url} leads to another host, which does not count.`);
    if (status >= 500 || status === 429) return failed(`${url} answered ${status}.`);
    if (status !== 200) return missing(`${url} answered ${status}.`);
    return shows(answer) ? found : missing(`${url} ${notThere}`);
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    if (error.code === 'out_of_scope') return missing(`${url} leads to another host, which does not count.`);
    return failed(`${url} could not be fetched: ${error.message}.`);
  }
}
