import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderReport } from '../../../core/report/report.ts';
import { OmissionCode } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';
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

verdict('the methodology says where the checks that a finding names by their ids are documented', () => {
  const [, methodology = ''] = renderReport(sampleInput()).split('id="methodology"');
  assert.match(methodology, '<code>docs/checks.md</code>');
});

verdict('gaps are named in the banner and under coverage, with their reason', () => {
  const gaps = [{ subject: 'login:b', text: 'The marker was not there' }];
  const report = renderReport(sampleInput({ scan: sampleScan({ coverage: { complete: false, gaps } }) }));
  assert.is(report.split('The marker was not there').length, 3);
});

verdict('gaps with one reason are one line of the banner, with the places where it applies', () => {
  const gap = (code: OmissionCode, subject: string) => ({ code, subject, count: 2, text: `${subject} was cut` });
  const checks = ['sql-error', 'sql-boolean', 'xpath', 'ldap', 'nosql', 'template'];
  const gaps = [
    gap(OmissionCode.TIME, 'chains'),
    ...checks.map((check) => gap(OmissionCode.BUDGET, `injection.${check}`)),
  ];
  const report = renderReport(sampleInput({ scan: sampleScan({ coverage: { complete: false, gaps } }) }));
  const [, banner = ''] = /This audit is incomplete(.*?)<\/div>/s.exec(report) ?? [];
  assert.is(banner.split('<li>').length - 1, 2);
  assert.match(
    banner,
    '<li>The budget of requests was used up in 6 checks or parts of the audit (injection.sql-error, injection.sql-boolean, injection.xpath, injection.ldap and 2 more)</li>',
  );
  assert.match(banner, '<strong>chains</strong>: chains was cut');
  assert.match(banner, 'All 7 gaps');
});

verdict('limits stand in the headline and under coverage: the result never passes for clean', () => {
  const limits = [{ code: OmissionCode.WOULD_WRITE, subject: 'survey', count: 17, text: '17 forms: they would write' }];
  const scan = sampleScan({ coverage: { complete: true, limits } });
  const report = renderReport(sampleInput({ scan, findings: [] }));
  assert.match(report, 'No weakness was found, within the limits of this audit');
  assert.match(
    report,
    'The audit is complete, with limits:</strong> 17 forms and requests were not sent: they would write.',
  );
  assert.match(report, '<h3>Limits of this audit</h3>');
  assert.match(report, '17 forms: they would write');
});

verdict('the failure of a scan is reported', () => {
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

verdict('what could not be taken back is said with the reason, and with what to do by hand', () => {
  const report = renderReport(sampleInput({ writes: [sampleWrite(WriteState.UNDO_FAILED)] }));
  for (const part of [
    'the undo was answered 200, and the note is not as before',
    'note=Leave+at+the+door',
    '‹token1› stands for what the form at <code>https://shop.example/orders/1041/edit</code> has',
    'body:json:/note equals &quot;Leave at the door&quot;',
  ])
    assert.ok(report.includes(part), part);
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
    'Missing HTTP Strict Transport Security (HSTS)',
    'Answers name the version of the server',
  ]);
  assert.match(report, '<span class="tag">3 places</span>');
});

content('what breaks a chain is to be fixed first, as urgently as the chain', () => {
  const fixes = report.slice(report.indexOf('class="fixes"'), report.indexOf('id="chains"'));
  const [first = ''] = fixes.split('</li>');
  assert.match(first, 'badge critical');
  assert.match(first, 'Git repository is served to everyone');
  assert.match(first, 'Ends 1 finding. Breaks the chain <a href="#chain-1">C1</a> “From the public repository');
  assert.not.match(fixes, 'Answers name the version');
});

content('a step that breaks several chains, and is no finding of its own, is one fix, before what breaks one', () => {
  const [chain] = auditFindings().filter((finding) => finding.chain.length > 0);
  assert.ok(chain);
  const over = (title: string, breaking: number) => ({
    ...chain,
    title,
    fingerprint: title,
    chain: chain.chain.map((link, index) => ({
      ...link,
      title: `Link ${index}`,
      actionId: index === breaking ? link.actionId : `${link.actionId}-${title}`,
      breaksChain: index === breaking,
      remediation: `Mend link ${index}. And more.`,
    })),
  });
  const shown = renderReport(sampleInput({ findings: [over('one', 2), over('two', 1), over('three', 2)] }));
  const fixes = shown.slice(shown.indexOf('class="fixes"'), shown.indexOf('id="chains"')).split('</li>');
  assert.match(fixes[0] ?? '', 'href="#chain-1">Link 2</a></div>\n<p>Mend link 2.</p>');
  assert.match(fixes[0] ?? '', /Breaks 2 chains: .*C1<\/a>, <a href="#chain-2">C2<\/a>\./);
  assert.match(fixes[1] ?? '', /Link 1.*Breaks the chain .*C3<\/a> “two”\./s);
  assert.is(fixes.length, 3);
});

content('each link of a chain is shown with its place, proof, control, command and remedy', () => {
  const article = report.slice(report.indexOf('id="chain-1"'), report.indexOf('id="findings"'));
  const links = article.split('<details class="evidence">').slice(1);
  assert.is(links.length, 3);
  const [repository = '', secret = '', session = ''] = links;
  assert.match(repository, '1. Git repository is served to everyone: gives source of the shop');
  assert.match(repository, 'https://shop.example/.git/HEAD');
  assert.match(repository, 'Fix this first: it breaks the chain');
  assert.match(secret, 'This breaks the chain, too');
  assert.match(session, 'gives a session as admin');
  for (const link of links) for (const part of ['Negative control', 'curl -sS', 'Remedy of']) assert.match(link, part);
});

content('a chain whose links have no proof of their own shows that of its goal', () => {
  const bare = auditFindings()
    .filter((finding) => finding.chain.length > 0)
    .map((finding) => ({ ...finding, chain: finding.chain.map((link) => ({ ...link, proof: undefined })) }));
  const shown = renderReport(sampleInput({ findings: bare }));
  assert.is(shown.split('Negative control').length, 2);
});

content('a proof shows what was sent, observed and claimed, its control and a command', () => {
  for (const part of [
    'Browser opens https://shop.example/search?q=&lt;svg onload=alert(&quot;‹nonce›&quot;)&gt;',
    '&lt;p&gt;of another origin&lt;/p&gt;',
    '<mark>&lt;svg onload=alert(&quot;k3v9x2&quot;)&gt;</mark>',
    '<code>browser:dialogs</code> contains <code>‹nonce›</code>',
    'Negative control',
    'Without the angle brackets nothing is run.',
    'curl -sS &#39;https://shop.example/search?q=%3Csvg',
  ])
    assert.match(report, part);
});

content('what a command asks of its reader is named before it', () => {
  const [name, password, x] = ['USERNAME_A', 'PASSWORD_A', 'X'].map((variable) => `"\${${variable}:?}"`);
  const curl = `X=$(curl -u ${name}:${password} https://shop.example)\ncurl -H ${x} https://shop.example`;
  const findings = [sampleFinding({ proof: { trials: 2, curl } })];
  const shown = renderReport(sampleInput({ findings }));
  assert.match(shown, 'Export <code>USERNAME_A</code>, <code>PASSWORD_A</code> first.');
  assert.not.match(report, /<p class="note">Export /);
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

content('a finding without proof is listed, whatever else it is without', () => {
  const bare = sampleFinding({
    proof: undefined,
    location: undefined,
    locations: [],
    cvss: undefined,
    cwe: 0,
    owasp: '',
  });
  const shown = renderReport(sampleInput({ findings: [bare] }));
  assert.match(shown, 'listed without their proof, which the API has');
  assert.match(shown, 'place not recorded');
});
content.run();
