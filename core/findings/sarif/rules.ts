import { type Finding, Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { clipped, markdownText } from './text.ts';

/** A weakness that may be in several places: SARIF 2.1.0 §3.49. */
export type Rule = { id: string; [property: string]: unknown };

/** Characters that GitHub code scanning shows of a rule's descriptions. */
const maxDescriptionLength = 1_024;
const maxHelpLength = 8_000;

/** A rule of a check. @param lead its worst finding @param score the highest of its findings */
export function ruleOf(lead: Finding, score: number): Rule {
  const id = lead.checkId;
  const link = lead.references.map((each) => linkOf(clipped(each, 500))).find((found) => found !== undefined);
  return {
    id,
    name: clipped(titleOf(lead), 255),
    shortDescription: { text: clipped(titleOf(lead), maxDescriptionLength) },
    fullDescription: { text: clipped(lead.impact || titleOf(lead), maxDescriptionLength) },
    help: { text: clipped(helpText(lead), maxHelpLength), markdown: helpMarkdown(lead) },
    ...(link !== undefined && { helpUri: link }),
    defaultConfiguration: { level: levelOf(lead.severity) },
    properties: {
      tags: tagsOf(lead),
      precision: 'very-high',
      'problem.severity': problemSeverity(lead.severity),
      ...securitySeverity(score),
    },
  };
}

/** The title of a chain names its path, too; that of its last link is the same for all paths. */
const titleOf = ({ title, chain }: Finding): string => chain.at(-1)?.title ?? title;

/** SARIF knows three levels; the score says more. */
export function levelOf(severity: Severity): 'error' | 'warning' | 'note' {
  if (severity >= Severity.HIGH) return 'error';
  return severity === Severity.MEDIUM ? 'warning' : 'note';
}

const problemSeverity = (severity: Severity) => {
  const level = levelOf(severity);
  return level === 'note' ? 'recommendation' : level;
};

/** GitHub ranks by it: over 9.0 critical, from 7.0 high, from 4.0 medium, from 0.1 low. It takes nothing below 0.1. */
export const securitySeverity = (score: number) => (score >= 0.1 ? { 'security-severity': score.toFixed(1) } : {});

function tagsOf({ cwe, owasp, category }: Finding): string[] {
  return [
    'security',
    ...(category === '' ? [] : [clipped(category, 40)]),
    ...(cwe > 0 ? [`external/cwe/cwe-${String(cwe).padStart(3, '0')}`] : []),
    ...(owasp === '' ? [] : [`external/owasp/${clipped(owasp, 40).toLowerCase().replace(':', '-')}`]),
  ];
}

function helpText({ impact, remediation, references }: Finding): string {
  const parts = [impact, `To fix it: ${remediation}`, ...(references.length > 0 ? [references.join('\n')] : [])];
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

function helpMarkdown(lead: Finding): string {
  const { impact, remediation, references } = lead;
  const shown = (text: string) => markdownText(clipped(text, maxHelpLength / 3));
  const listed = references.slice(0, 20).map((reference) => `- ${markdownReference(clipped(reference, 500))}`);
  return [
    `# ${shown(titleOf(lead))}`,
    ...(impact === '' ? [] : ['## What it allows', shown(impact)]),
    ...(remediation === '' ? [] : ['## How to fix it', shown(remediation)]),
    ...(listed.length > 0 ? ['## References', listed.join('\n')] : []),
  ].join('\n\n');
}

/** Addresses that need no escape in a URI (RFC 3986) nor in Markdown: references are ours, so there are hardly others. */
const plainAddress =
  /^https?:\/\/(?:[\w\-.~!$&'*+,;=:@/?]|%[0-9a-f]{2})+(?:#(?:[\w\-.~!$&'*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;

/** The address at the end of a reference such as "RFC 6797: https://…". */
function linkOf(reference: string): string | undefined {
  const address = reference.slice(reference.search(/https?:\/\/\S*$/i));
  return plainAddress.test(address) ? URL.parse(address)?.href : undefined;
}

function markdownReference(reference: string): string {
  const link = linkOf(reference);
  if (link === undefined) return markdownText(reference);
  const title = reference.slice(0, reference.search(/https?:\/\/\S*$/i)).replace(/:?\s*$/, '');
  return `[${markdownText(title || link)}](${link})`;
}
