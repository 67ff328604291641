import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderReport } from '../../../core/report/report.ts';
import { FindingState, Severity } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { WriteState } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { auditFindings } from './sample-audit.ts';
import { sampleFinding, sampleInput, sampleScan, sampleWrite } from './samples.ts';

const verdict = suite('the verdict of a report');
const clean = 'class="verdict clean"';

verdict('a complete audit without findings is clean, and claims no more than that', () => {
  const report = renderReport(sampleInput());
  assert.match(report, clean);
  assert.match(report, 'No weakness was found');
  assert.match(report, 'That is no proof that no weakness exists.');
  assert.not.match(report, 'This audit is incomplete');
});

const incomplete = {
  'an incomplete coverage': sampleScan({ coverage: { complete: false } }),
  'no coverage at all': sampleScan({ coverage: undefined }),
  'a failed scan': sampleScan({ status: ScanStatus.FAILED, failure: { code: 'unreachable', detail: 'no answer' } }),
  'a canceled scan': sampleScan({ status: ScanStatus.CANCELED }),
  'a running scan': sampleScan({ status: ScanStatus.RUNNING }),
  'an unknown status': sampleScan({ status: ScanStatus.UNSPECIFIED }),
};
for (const [name, scan] of Object.entries(incomplete)) {
  verdict(`${name} never looks clean`, () => {
    for (const findings of [[], [sampleFinding()]]) {
      const report = renderReport(sampleInput({ scan, findings }));
      assert.not.match(report, clean);
      assert.match(report, 'This audit is incomplete');
      assert.not.match(report, 'No weakness was found');
    }
  });
}

verdict('gaps are named in the banner and under coverage, with their reason', () => {
  const notCovered = [{ subject: 'login:b', reason: 'The marker was not there' }];
  const report = renderReport(sampleInput({ scan: sampleScan({ coverage: { complete: false, notCovered } }) }));
  assert.is(report.split('The marker was not there').length, 3);
});

verdict('the failure of a scan is told', () => {
  assert.match(renderReport(sampleInput({ scan: incomplete['a failed scan'] })), 'unreachable: no answer');
});

verdict('counts open findings only; accepted ones stand apart', () => {
  const accepted = sampleFinding({ state: FindingState.ACCEPTED_RISK, severity: Severity.CRITICAL, title: 'Taken on' });
  const report = renderReport(sampleInput({ findings: [accepted, sampleFinding()] }));
  assert.match(report, '1 verified finding, 1 of them medium');
  assert.ok(report.indexOf('Taken on') > report.indexOf('id="set-aside"'));
});

verdict('changes that may remain on the target are said at the top', () => {
  const banner = 'may still be on the target';
  for (const state of [WriteState.UNDO_FAILED, WriteState.PENDING, WriteState.UNSPECIFIED])
    assert.match(renderReport(sampleInput({ writes: [sampleWrite(state)] })), banner);
  const undone = renderReport(sampleInput({ writes: [sampleWrite(WriteState.UNDONE)] }));
  assert.not.match(undone, banner);
  assert.match(undone, 'took each change back');
});
verdict.run();

const content = suite('the content of a report');
const report = renderReport(sampleInput({ findings: auditFindings() }));

content('is the same for the same input, in whatever order findings come', () => {
  const findings = auditFindings();
  assert.is(renderReport(sampleInput({ findings })), renderReport(sampleInput({ findings: findings.toReversed() })));
});

content('the worst comes first, and places of one weakness stand together', () => {
  const titles = [...report.matchAll(/<h3 id="[^"]*-title">.*?<\/span> (.*?)<\/h3>/g)].map((match) => match[1]);
  assert.equal(titles, [
    'From the public repository to the administration',
    'Git repository is served to everyone',
    'Orders of other customers are readable',
    'Search term is run as script',
    'HTTP Strict Transport Security is not enforced',
    'Answers name the version of the server',
  ]);
  assert.match(report, '<span class="tag">3 places</span>');
});

content('what breaks a chain is to be fixed first, as urgently as the chain', () => {
  const fixes = report.slice(report.indexOf('class="fixes"'), report.indexOf('id="chains"'));
  const [first = ''] = fixes.split('</li>');
  assert.match(first, 'badge critical');
  assert.match(first, 'Git repository is served to everyone');
  assert.match(first, 'breaks the chain “From the public repository to the administration”');
  assert.not.match(fixes, 'Answers name the version');
});

content('a chain whose break has no finding of its own stands among the fixes itself', () => {
  const chain = auditFindings().filter((finding) => finding.chain.length > 0);
  assert.match(renderReport(sampleInput({ findings: chain })), 'href="#chain-1">From the public repository');
});

content('a proof shows what was sent, observed and claimed, its control and a command', () => {
  for (const part of [
    'Browser opens https://shop.example/search?q=&lt;svg onload=alert(&quot;‹nonce›&quot;)&gt;',
    '<mark>&lt;svg onload=alert(&quot;k3v9x2&quot;)&gt;</mark>',
    '<code>browser:dialogs</code> contains <code>‹nonce›</code>',
    'Negative control',
    'Without the angle brackets nothing is run.',
    'curl -sS &#39;https://shop.example/search?q=%3Csvg',
  ])
    assert.match(report, part);
});

content('classification leads to its sources', () => {
  assert.match(report, 'href="https://cwe.mitre.org/data/definitions/79.html" rel="noreferrer noopener"');
  assert.match(report, 'href="https://www.first.org/cvss/calculator/3.1#CVSS:3.1/AV:N/');
  assert.match(report, 'href="https://www.rfc-editor.org/rfc/rfc6797"');
  assert.match(report, '>OWASP Cross Site Scripting Prevention</a>');
});

content('scope says for whom, by what right and when', () => {
  for (const part of [
    'Example Furniture Ltd',
    'TXT record in the DNS',
    '2026-03-04 09:12:00 UTC',
    '2 min 18 s',
    '1,284',
  ])
    assert.match(report, part);
});

content('has no script and loads nothing', () => {
  assert.not.match(report, /<script|src=|@import|url\(/);
  assert.match(report, /content="default-src &#39;none&#39;; style-src &#39;sha256-[\w+/]{43}=&#39;;/);
});

content('a finding without proof, place or score is shown all the same', () => {
  const bare = sampleFinding({
    proof: undefined,
    location: undefined,
    locations: [],
    cvss: undefined,
    cwe: 0,
    owasp: '',
  });
  const shown = renderReport(sampleInput({ findings: [bare] }));
  assert.match(shown, 'No proof is stored with this finding.');
  assert.match(shown, 'place not recorded');
});
content.run();
