import {
  BaselineState,
  type Finding,
  FindingState,
  type Location,
} from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { flowOf } from './flow.ts';
import { locationOf, maxUrlLength, placeOf } from './location.ts';
import { levelOf, securitySeverity } from './rules.ts';
import { clipped, messageText } from './text.ts';

const maxDescriptionLength = 2_000;
const maxCurlLength = 8_000;
const maxLineLength = 4_000;
const maxRelatedLocations = 20;

/** A verified weakness in one place: SARIF 2.1.0 §3.27. @param ruleIndex of its rule in the run */
export function resultOf(finding: Finding, ruleIndex: number): object {
  const { checkId, severity, fingerprint, location, locations, cvss, chain, proof } = finding;
  const others = locations.slice(1, 1 + maxRelatedLocations);
  return {
    ruleId: checkId,
    ruleIndex,
    level: levelOf(severity),
    kind: 'fail',
    message: { text: messageText(messageOf(finding)) },
    locations: [locationOf(location)],
    ...(others.length > 0 && {
      relatedLocations: others.map((other, index) => ({ id: index + 1, ...locationOf(other) })),
    }),
    ...(chain.length > 0 && { codeFlows: [flowOf(chain, location)] }),
    // Given by us, since there is no line of a file that a service could make one from.
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, 'scanAuditFingerprint/v1': fingerprint },
    baselineState: finding.baselineState === BaselineState.UNCHANGED ? 'unchanged' : 'new',
    ...suppressionsOf(finding.state),
    ...webRequestOf(location),
    properties: {
      ...(location && { url: clipped(location.url, maxUrlLength) }),
      ...(cvss && { ...securitySeverity(cvss.score), cvss: cvss.vector }),
      ...(proof?.curl && { command: clipped(proof.curl, maxCurlLength) }),
    },
  };
}

function messageOf({ title, description, location, remediation, proof }: Finding): string {
  const place = location ? ` (${placeOf(location)})` : '';
  return [
    `${clipped(title, 300)}${place}.`,
    clipped(description, maxDescriptionLength),
    remediation && `To fix it: ${clipped(remediation, maxDescriptionLength)}`,
    proof?.curl &&
      `To see it: ${isLine(proof.curl) ? proof.curl : 'paste the commands of the property "command" into a shell.'}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Several lines would not come out of a message as they went in. */
const isLine = (command: string): boolean => command.length <= maxLineLength && !command.includes('\n');

function suppressionsOf(state: FindingState): object {
  if (state === FindingState.ACCEPTED_RISK)
    return { suppressions: [{ kind: 'external', status: 'accepted', justification: 'Accepted as a risk.' }] };
  if (state === FindingState.FALSE_POSITIVE)
    return { suppressions: [{ kind: 'external', status: 'accepted', justification: 'Marked as a false positive.' }] };
  return {};
}

function webRequestOf(location: Location | undefined): object {
  if (!location || !/^[A-Z]+$/.test(location.method) || !/^https?:/.test(location.url)) return {};
  return { webRequest: { protocol: 'http', method: location.method, target: clipped(location.url, maxUrlLength) } };
}
