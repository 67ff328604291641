import type { DnsReply } from '../model/dns.ts';
import type { DnsQuestion } from '../model/experiment.ts';
import { shellWord } from './shell.ts';

/** A name server of this machine at a port of its own: no other resolver has what it has. */
const ownServer = /^(127(?:\.\d{1,3}){3}|\[::1\]):(?!53$)(\d{1,5})$/;

/**
 * A command of BIND's dig that asks the same question.
 * @param reply what came back: it says who answered, and whether the code is what matters
 */
export function digCommand({ name, type, server }: DnsQuestion, reply?: DnsReply): string {
  const [, address = '', port = ''] = ownServer.exec(reply?.server ?? '') ?? [];
  const from = address ? [`@${address.replace(/[[\]]/g, '')}`, '-p', port] : server ? [shellWord(`@${server}`)] : [];
  if (server !== undefined && type !== 'AXFR')
    return ['dig', ...from, '+norecurse', shellWord(type), shellWord(name)].join(' ');
  // The short form shows neither an error code nor whose records they are.
  if (reply?.dnssec)
    return ['dig', ...from, '+dnssec', '+cdflag', '+multiline', shellWord(type), shellWord(name)].join(' ');
  const form = server !== undefined || reply?.rcode === 'NXDOMAIN' ? [] : ['+short'];
  return ['dig', ...from, ...form, shellWord(type), shellWord(name)].join(' ');
}
