import { isIP } from 'node:net';
import type { DnsProbe } from '../../probe/dns/types.ts';
import { ProbeError } from '../../probe/types.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { isAnswered } from './dns-records.ts';
import { spfRecords } from './mail-domain.ts';

/** One word of a record: a mechanism with its qualifier, or a modifier. Source: RFC 7208 §4.6.1. */
export type SpfTerm = { text: string; qualifier: '+' | '-' | '~' | '?'; name: string; value: string };

/** Mechanisms and modifiers that make the receiver ask the DNS. Source: RFC 7208 §4.6.4. */
const lookups = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect']);

/** Records that are fetched for one domain; a chain that goes on is cut there. */
const maxRecords = 25;

/** The words that a receiver comes to: none after "all", and "redirect" only without it (RFC 7208 §5.1, §6.1). */
export function spfTerms(record: string): SpfTerm[] {
  const all = record.trim().split(/ +/).slice(1).map(termOf);
  const end = all.findIndex(({ name }) => name === 'all');
  const isModifier = ({ text }: SpfTerm) => /^[a-z][\w.-]*=/i.test(text);
  const mechanisms = all.slice(0, end === -1 ? all.length : end + 1).filter((term) => !isModifier(term));
  const redirect = end === -1 ? all.filter(({ name }) => name === 'redirect').slice(0, 1) : [];
  return [...mechanisms, ...redirect];
}

function termOf(text: string): SpfTerm {
  const [, sign = '', name = '', value = ''] = /^([+?~-]?)([a-z][\w.-]*)([:=/].*)?$/i.exec(text) ?? [];
  const qualifier = sign === '-' || sign === '~' || sign === '?' ? sign : '+';
  return { text, qualifier, name: name.toLowerCase(), value: value.replace(/^[:=]/, '') };
}

const knownMechanisms = /^(?:all|include|a|mx|ptr|ip4|ip6|exists)$/;

/**
 * The first word that breaks the grammar, for which receivers give the whole record up. Names are not judged.
 * Source: RFC 7208 §4.6, §12.
 */
export function spfFault(record: string): string | undefined {
  const words = record.trim().split(/ +/).slice(1);
  const once = (name: string) => words.filter((word) => word.toLowerCase().startsWith(`${name}=`));
  return [...once('redirect').slice(1), ...once('exp').slice(1)][0] ?? words.find((word) => !isTerm(word));
}

function isTerm(word: string): boolean {
  if (/^[a-z][\w.-]*=/i.test(word)) return true;
  const [, name = '', value = ''] = /^[+?~-]?([a-z][\w.-]*)([:/].*)?$/i.exec(word) ?? [];
  const mechanism = name.toLowerCase();
  if (!knownMechanisms.test(mechanism)) return false;
  if (mechanism === 'all') return value === '';
  if (mechanism === 'include' || mechanism === 'exists') return value.length > 1 && value.startsWith(':');
  if (mechanism === 'ip4' || mechanism === 'ip6') return isNetwork(value, mechanism === 'ip4' ? 4 : 6);
  return value !== ':';
}

function isNetwork(value: string, family: 4 | 6): boolean {
  const [, address = '', length] = /^:([^/]*)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  return isIP(address) === family && Number(length ?? 0) <= (family === 4 ? 32 : 128);
}

export const isLookup = ({ name }: SpfTerm): boolean => lookups.has(name);

/**
 * The record that a domain has; undefined when it has none, or several, which receivers refuse (RFC 7208 §4.5).
 * @throws ProbeError `dns_failed` when its name servers do not say
 */
export async function spfRecordOf(dns: DnsProbe, name: string): Promise<string | undefined> {
  const reply = await dns.query(name, 'TXT');
  if (!isAnswered(reply)) throw new ProbeError('dns_failed', `the name servers answered ${reply.rcode} for ${name}`);
  const records = spfRecords(reply);
  return records.length === 1 ? records[0] : undefined;
}

/** RE2 patterns of a record that has this word, or that goes on to that of another name. */
export const spfWord = (word: string): string => `(?im)^v=spf1 (?:.* )?${escapePattern(word)}(?: |$)`;
export const spfLeadsTo = (target: string): string =>
  `(?im)^v=spf1 (?:.* )?(?:[+?~-]?include:|redirect=)${escapePattern(target)}\\.?(?: |$)`;

/** A record on the way, how many lookups it asks for itself, and the names whose records it goes on to. */
export type SpfNode = { name: string; record: string; lookups: number; next: string[] };

/**
 * The records that a receiver reads for a sender that none of them names, in that order, each once.
 * Names with macros depend on the sender and are not followed.
 * @throws ProbeError when the domain's own record could not be asked for
 */
export async function spfTree(dns: DnsProbe, domain: string): Promise<SpfNode[]> {
  const nodes: SpfNode[] = [];
  const seen = new Set<string>();
  const waiting = [domain];
  while (waiting.length > 0 && nodes.length < maxRecords) {
    const name = (waiting.shift() ?? '').replace(/\.$/, '').toLowerCase();
    if (seen.has(name)) continue;
    seen.add(name);
    const record = await (nodes.length === 0 ? spfRecordOf(dns, name) : includedRecordOf(dns, name));
    if (record === undefined) continue;
    const terms = spfTerms(record);
    const next = terms.filter(leadsOn).map(({ value }) => value);
    nodes.push({ name, record, lookups: terms.filter(isLookup).length, next });
    waiting.unshift(...next);
  }
  return nodes;
}

/** An included name whose servers fail takes nothing away from what the others ask for. */
async function includedRecordOf(dns: DnsProbe, name: string): Promise<string | undefined> {
  try {
    return await spfRecordOf(dns, name);
  } catch (error) {
    if (error instanceof ProbeError && (error.code === 'dns_failed' || error.code === 'timeout')) return undefined;
    throw error;
  }
}

const leadsOn = ({ name, value }: SpfTerm): boolean =>
  (name === 'include' || name === 'redirect') && value !== '' && !value.includes('%');
