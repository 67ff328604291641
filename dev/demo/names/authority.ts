import type { Answer, Question } from 'dns-packet';
import { demoHost } from '../identities.ts';
import type { Weaknesses } from '../weaknesses.ts';
import type { Reply } from './reply.ts';
import { records, topLevel } from './zone.ts';

/** Answers questions about the shop's own names. */
type NameAuthority = {
  /** Whether a name is one that this server knows everything of. */
  knows(name: string): boolean;
  answer(question: Question, transport: 'udp' | 'tcp'): Reply;
};

export function createAuthority(weaknesses: Weaknesses): NameAuthority {
  const zone = records(weaknesses);
  return {
    knows: (name) => isWithin(bareName(name), topLevel),
    answer(question, transport) {
      const name = bareName(question.name);
      if (question.class !== 'IN') return { rcode: 'REFUSED' };
      if (question.type === 'AXFR') return copyOf(zone, name, weaknesses.zoneForAll && transport === 'tcp');
      const found = zone.filter(({ name: owner, type }) => owner === name && isAskedFor(type, question));
      // A name that others stand below exists, without records of its own. Source: RFC 8020 §2.
      const exists = zone.some(({ name: owner }) => isWithin(owner, name));
      return {
        rcode: exists ? 'NOERROR' : 'NXDOMAIN',
        // In the spelling of the question: clients compare.
        answers: found.map((record) => ({ ...record, name: question.name })),
        authorities: found.length > 0 ? [] : headAbove(zone, name),
        isAuthoritative: true,
      };
    },
  };
}

const isAskedFor = (type: string, question: Question): boolean =>
  type === question.type || String(question.type) === 'ANY';

/** The whole of a zone, its head first and last. Source: RFC 5936 §2.2. */
function copyOf(zone: readonly Answer[], name: string, isAllowed: boolean): Reply {
  if (name !== demoHost) return { rcode: 'NOTAUTH' };
  // A second name server would be given it; the shop has none.
  if (!isAllowed) return { rcode: 'REFUSED' };
  const own = zone.filter((record) => isWithin(record.name, demoHost));
  const heads = own.filter(({ type }) => type === 'SOA');
  return { rcode: 'NOERROR', answers: [...own, ...heads], isAuthoritative: true };
}

/** The head of the zone that a name is in says for how long its absence may be remembered. Source: RFC 2308 §3. */
function headAbove(zone: readonly Answer[], name: string): Answer[] {
  const heads = zone.filter((record) => record.type === 'SOA' && isWithin(name, record.name));
  return heads.toSorted((a, b) => b.name.length - a.name.length).slice(0, 1);
}

const bareName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`);
