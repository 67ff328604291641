import type { Proof } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { Candidate } from '../model/candidate.ts';

export type ProvenCandidate = {
  candidate: Candidate;
  proof: Proof;
  captured: Record<string, string>;
};

/** The proven places of one weakness: one finding. */
export type FindingGroup = {
  fingerprint: string;
  places: [ProvenCandidate, ...ProvenCandidate[]];
  /** On all places together. */
  remark?: string;
};
