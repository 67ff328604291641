import type { MessageInitShape } from '@bufbuild/protobuf';
import { type FindingSchema, Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { Candidate } from '../model/candidate.ts';
import type { ChainStep, Check } from './contract.ts';
import type { FindingGroup } from './group.ts';
import { parseCvss, type SeverityWord, severityOf } from './severity.ts';

export type FindingInit = Omit<MessageInitShape<typeof FindingSchema>, '$typeName'>;

const severities: Record<SeverityWord, Severity> = {
  info: Severity.INFO,
  low: Severity.LOW,
  medium: Severity.MEDIUM,
  high: Severity.HIGH,
  critical: Severity.CRITICAL,
};

/** Vector, score and severity, which belong together. */
export function gradeOf(vector: string): Pick<FindingInit, 'cvss' | 'severity'> {
  const cvss = parseCvss(vector);
  return { cvss, severity: severities[severityOf(cvss.score)] };
}

/** What is stored of one verified weakness: one finding, however many places it was proven in. */
export function findingOf(action: Check | ChainStep, group: FindingGroup): FindingInit {
  const worst =
    group.places.toSorted((a, b) => scoreOf(action, b.candidate) - scoreOf(action, a.candidate))[0] ?? group.places[0];
  const places = [worst, ...group.places.filter((place) => place !== worst)];
  const locations = places.map((place) => locationOf(place.candidate));
  const [category = ''] = action.id.split('.');
  return {
    fingerprint: group.fingerprint,
    checkId: action.id,
    title: action.title,
    ...gradeOf(worst.candidate.cvss ?? action.cvss),
    cwe: action.cwe,
    owasp: action.owasp,
    category,
    location: locationOf(worst.candidate),
    locations,
    description: [worst.candidate.detail, group.remark, action.explain.description].filter(Boolean).join(' '),
    impact: action.explain.impact,
    remediation: action.explain.remedy,
    references: action.explain.references,
    proof: worst.proof,
  };
}

const scoreOf = (action: Check | ChainStep, { cvss }: Candidate): number => parseCvss(cvss ?? action.cvss).score;

/** Four times what the survey fetches; core takes no longer ones, and refuses a finding with all others of its call. */
const maxUrlLength = 8_192;

/** Where a weakness is, for readers: the proof has the address as it is sent. */
export function locationOf({ location }: Candidate) {
  const { url, method = 'GET', parameter, parameterIn } = location;
  return {
    url: url.length <= maxUrlLength ? url : `${url.slice(0, maxUrlLength - 1)}…`,
    method,
    ...(parameter === undefined ? {} : { parameter }),
    ...(parameterIn === undefined ? {} : { parameterIn }),
  };
}
