import type { DnsProbe } from '../../model/dns.ts';
import { claim, type Step } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { bareName } from '../../probe/dns/names.ts';
import { escapePattern } from '../../proof/pattern.ts';
import type { CheckContext } from '../contract.ts';
import { isAnswered } from '../names/dns-records.ts';
import { spfRecords } from '../names/mail-domain.ts';

/** One word of a record: a mechanism with its qualifier, or a modifier. Source: RFC 7208 §4.6.1. */
export type SpfTerm = { text: string; qualifier: '+' | '-' | '~' | '?'; name: string; value: string };

/** Mechanisms and modifiers that make the receiver ask the DNS. Source: RFC 7208 §4.6.4. */
const lookups = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect']);

/**
 * Records that are fetched for one domain. Each but the first costs a receiver a lookup, of which it makes 10 (RFC 7208 §4.6.4): it
 * comes to none of those behind them.
 */
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

const isLookup = ({ name }: SpfTerm): boolean => lookups.has(name);

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

/** Asks for records, and reports those that no server gives. */
export type SpfTools = Pick<CheckContext, 'dns' | 'leave'>;

/** A record on the way, how many lookups it asks for itself, and the names whose records it goes on to. */
export type SpfNode = { name: string; record: string; lookups: number; next: string[] };

/**
 * The records that a receiver reads for a sender that none of them names, in that order: each as often as it is reached, since the
 * limit on lookups counts that, but never below itself. Names with macros depend on the sender and are not followed.
 * @throws ProbeError when the domain's own record could not be asked for
 */
export async function spfTree(context: SpfTools, domain: string): Promise<SpfNode[]> {
  const { dns } = context;
  const nodes: SpfNode[] = [];
  const records = new Map<string, string | undefined>();
  const waiting = [{ name: bareName(domain), above: [] as string[] }];
  while (nodes.length < maxRecords) {
    const { name, above } = waiting.shift() ?? {};
    if (name === undefined || above === undefined) break;
    if (above.includes(name)) continue;
    if (!records.has(name))
      records.set(name, await (nodes.length === 0 ? spfRecordOf(dns, name) : includedRecordOf(context, name)));
    const record = records.get(name);
    if (record === undefined) continue;
    const terms = spfTerms(record);
    const next = terms.filter(leadsOn).map(({ value }) => value);
    nodes.push({ name, record, lookups: terms.filter(isLookup).length, next });
    waiting.unshift(...next.map((target) => ({ name: bareName(target), above: [...above, name] })));
  }
  return nodes;
}

/** The names from the root of the tree to one that a record of it leads to, or has. */
export function pathTo(tree: readonly SpfNode[], end: string): string[] {
  const path = [end];
  for (let name = end; name !== tree[0]?.name; ) {
    const parent = tree.find((node) => !path.includes(node.name) && node.next.map(bareName).includes(name));
    if (!parent) break;
    path.unshift(parent.name);
    name = parent.name;
  }
  return path;
}

/** Shows, for each name of a path, that its record goes on to that of the next. */
export const hopsOf = (path: readonly string[]): Step[] =>
  path.slice(1).map(
    (target, at): Step => ({
      dns: { name: path[at] ?? target, type: 'TXT' },
      note: `The record of ${path[at]} goes on to that of ${target}.`,
      expect: [claim('dns:answers', 'matches', spfLeadsTo(target))],
    }),
  );

/** An included name whose servers fail takes nothing away from what the others ask for; what it includes is not known. */
async function includedRecordOf({ dns, leave }: SpfTools, name: string): Promise<string | undefined> {
  try {
    return await spfRecordOf(dns, name);
  } catch (error) {
    if (!(error instanceof ProbeError) || (error.code !== 'dns_failed' && error.code !== 'timeout')) throw error;
    const text = `the record of ${name}, which an SPF record includes, could not be read: ${error.message}`;
    leave({ code: 'unreachable', count: 1, text });
    return undefined;
  }
}

const leadsOn = ({ name, value }: SpfTerm): boolean =>
  (name === 'include' || name === 'redirect') && value !== '' && !value.includes('%');
