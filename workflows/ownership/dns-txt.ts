import { ProbeError } from '../model/probe-error.ts';
import { dnsLabel, failed, found, type Instruments, missing, type ProofOutcome, proofText } from './proof.ts';

/**
 * A TXT record at "_scan-audit.<domain>". An alias there is followed, as resolvers do: whoever put it there owns the
 * domain (as in RFC 8555 §8.4). The token is the org's alone, so a record of another org proves nothing.
 */
export async function lookInDns(domain: string, token: string, { probesFor }: Instruments): Promise<ProofOutcome> {
  const name = `${dnsLabel}.${domain}`;
  try {
    const { rcode, answers } = await probesFor(`https://${domain}/`).dns.query(name, 'TXT');
    if (rcode === 'NXDOMAIN') return missing(`There is no ${name}.`);
    if (rcode !== 'NOERROR') return failed(`The name servers answered ${rcode} for ${name}.`);
    const texts = answers.filter(({ type }) => type === 'TXT').map(({ data }) => data.trim());
    if (texts.includes(proofText(token))) return found;
    return missing(texts.length === 0 ? `${name} has no TXT record.` : `The TXT record of ${name} is another one.`);
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return failed(`${name} could not be asked for: ${error.message}.`);
  }
}
