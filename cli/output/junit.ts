import type { FindingBody, GateBody, ScanBody } from '../api/schemas.ts';
import { placeText } from './words.ts';
import { element, textNode } from './xml.ts';

/** @property baseline the scan that was named to compare with, if one was */
export type GateResult = {
  scan: ScanBody;
  gate: GateBody;
  findings: readonly FindingBody[];
  baseline?: ScanBody | undefined;
};

type Kind = 'passed' | 'failure' | 'error' | 'skipped';
type Case = { suite: string; className: string; name: string; kind: Kind; message?: string; text?: string };

/**
 * A gate's result as JUnit XML, as GitLab and Jenkins read it: a suite for each family of checks; a case for the gate
 * itself, for each finding, for each check without one, and for what was left out besides. What blocks is a failure, what
 * should have been looked at and was not an error, unless the org accepts it, so that some case fails exactly when the gate does
 * not pass.
 */
export function junitXml({ scan, gate, findings }: GateResult): string {
  const cases = [
    gateCase(scan, gate),
    ...findingCases(gate, findings),
    ...checkCases(scan, gate, findings),
    ...omissionCases(scan, gate),
  ];
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)].map(([name, members]) => {
    const timestamp = (scan.startedAt ?? scan.createdAt).replace(/(\.\d+)?Z$/, '');
    return element(
      'testsuite',
      { name, ...countsOf(members), hostname: scan.host, timestamp },
      ...members.map(caseElement),
    );
  });
  const name = `Scan Audit of ${scan.host}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name, ...countsOf(cases) }, ...suites)}\n`;
}

function gateCase(scan: ScanBody, { verdict, threshold, reason }: GateBody): Case {
  const base = { suite: 'gate', className: 'gate', name: `Gate with threshold ${threshold}` };
  if (verdict === 'pass') return { ...base, kind: 'passed' };
  // Not the same for every scan of this name: GitLab compares cases by name, and shows the message.
  const text = `${reason}\nScan ${scan.runId} of ${scan.url}: ${scan.status}.`;
  return { ...base, kind: verdict === 'fail' ? 'failure' : 'error', message: reason, text };
}

function findingCases({ blocking }: GateBody, findings: readonly FindingBody[]): Case[] {
  const blockers = new Set(blocking.map(({ fingerprint }) => fingerprint));
  const known = new Set(findings.map(({ fingerprint }) => fingerprint));
  // Until a scan has completed, only the gate lists what it found.
  const fromGate = blocking
    .filter(({ fingerprint }) => !known.has(fingerprint))
    .map((finding) => ({
      ...finding,
      category: finding.checkId.split('.')[0] ?? '',
      description: '',
      remediation: '',
      chain: [],
    }));
  return [...findings, ...fromGate].map((finding) => findingCase(finding, blockers.has(finding.fingerprint)));
}

function findingCase(finding: FindingBody, isBlocking: boolean): Case {
  const { category, checkId, fingerprint, title, severity, location, description, remediation, proof, chain } = finding;
  const place = location && placeText(location);
  const text = [
    place,
    description,
    remediation && `To fix it: ${remediation}`,
    ...(chain.length > 0 ? chain.map(linkText) : [proof?.curl && seeIt(proof.curl)]),
    `Fingerprint: ${fingerprint}`,
  ];
  const path = location && (URL.parse(location.url)?.pathname ?? location.url);
  return {
    suite: category || 'findings',
    className: checkId,
    // Names are compared from scan to scan, and equal ones are taken for one: a place without values, and the fingerprint.
    name: `${title}${path ? ` at ${path}` : ''} [${fingerprint.slice(0, 8)}]`,
    kind: isBlocking ? 'failure' : 'passed',
    message: `${severity}: ${title}${place === undefined ? '' : ` (${place})`}`,
    text: text.filter(Boolean).join('\n\n'),
  };
}

function linkText({ title, gives, breaksChain, proof }: FindingBody['chain'][number], index: number): string {
  const fix = breaksChain ? '. Fix this first to break the chain' : '';
  return `${index + 1}. ${title}: gives ${gives}${fix}${proof?.curl ? `\n${seeIt(proof.curl)}` : ''}`;
}

/** Several lines are pasted as a whole, so they begin at a line of their own. */
const seeIt = (command: string): string => `To see it:${command.includes('\n') ? '\n' : ' '}${command}`;

/** Checks that found nothing, in the words of the scan's coverage. */
function checkCases({ coverage }: ScanBody, gate: GateBody, findings: readonly FindingBody[]): Case[] {
  const harmless = harmlessCodes(coverage, gate);
  const reported = new Set(findings.map(({ checkId }) => checkId));
  return coverage.families.flatMap(({ id, status, reason, outcomes }) => {
    const cases = outcomes
      .filter(({ checkId, outcome }) => outcome !== 'found' && !reported.has(checkId))
      .map((check): Case => {
        const isSkipped = check.outcome === 'not_applicable' || harmless.has(check.code ?? '');
        const kind = check.outcome === 'clean' ? 'passed' : isSkipped ? 'skipped' : 'error';
        return { suite: id, className: id, name: check.checkId, kind, message: check.reason, text: check.reason };
      });
    if (status === 'done' || (status === 'skipped' && outcomes.length > 0)) return cases;
    const text = reason || 'This family of checks did not run to its end.';
    const ofFamily = coverage.gaps.filter(
      ({ subject }) => subject === id || outcomes.some(({ checkId }) => checkId === subject),
    );
    const isHarmless = ofFamily.length > 0 && ofFamily.every(({ code }) => harmless.has(code));
    const kind = isHarmless ? ('skipped' as const) : ('error' as const);
    return [...cases, { suite: id, className: id, name: 'Coverage', kind, message: text, text }];
  });
}

/** Codes of what was left out that keep no gate from passing: limits of the depth, and gaps that the org accepts. */
const harmlessCodes = ({ limits }: ScanBody['coverage'], { coverage }: GateBody): ReadonlySet<string> =>
  new Set([...limits, ...coverage.acceptedGaps].map(({ code }) => code));

/** What was left out by none of the checks and families that have a case. */
function omissionCases({ coverage }: ScanBody, gate: GateBody): Case[] {
  const harmless = harmlessCodes(coverage, gate);
  const named = new Set(
    coverage.families.flatMap(({ id, status, outcomes }) => [
      ...(status === 'failed' ? [id] : []),
      ...outcomes.map(({ checkId }) => checkId),
    ]),
  );
  return [...coverage.gaps, ...coverage.limits]
    .filter(({ subject }) => !named.has(subject))
    .map(({ code, subject, text }) => {
      const kind = harmless.has(code) ? 'skipped' : 'error';
      return { suite: 'coverage', className: code, name: subject, kind, message: text, text };
    });
}

function caseElement({ className, name, kind, message = '', text = '' }: Case): string {
  const outcome = {
    passed: () => (text === '' ? '' : element('system-out', {}, textNode(text))),
    failure: () => element('failure', { message, type: 'finding' }, textNode(text)),
    error: () => element('error', { message, type: 'not-covered' }, textNode(text)),
    skipped: () => element('skipped', { message }),
  };
  return element('testcase', { classname: className, name, time: 0 }, outcome[kind]());
}

function countsOf(cases: readonly Case[]): Record<string, number> {
  const count = (wanted: Kind) => cases.filter(({ kind }) => kind === wanted).length;
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: 0,
  };
}
