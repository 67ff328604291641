import * as assert from 'uvu/assert';
import { logFile } from '../../../../workflows/checks/exposure/log-file.check.ts';
import { logSamples } from '../../../fixtures/exposed/logs.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { check, openAudit } from '../harness.ts';
import { exposedSuite } from './exposed-suite.ts';

const test = exposedSuite(logFile, logSamples);

const lines = ['server started', 'login ok user=ida sid=4be1c77a09d2f3658c1d', 'GET /home 200'];
for (const [what, line, severity] of [
  ['session identifiers', 1, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'],
  ['nothing to guess', 0, undefined],
] as const)
  test(`a log that a comment names is read where it lies, with ${what}`, async () => {
    const log = lines.filter((_, index) => index !== 1 - line).map((text) => `2026-11-25T08:02:44Z INFO ${text}`);
    const site = await startSite(({ path }) => {
      if (path === '/') return html('<h1>Stock</h1><!-- the old log is now at /attic/app.log -->');
      return path === '/attic/app.log'
        ? { headers: { 'content-type': 'text/plain' }, body: `${log.join('\n')}\n` }
        : undefined;
    });
    const audit = await openAudit(site.url);
    try {
      const { findings } = await check(audit, logFile);
      assert.equal(
        findings.map(({ location }) => new URL(location?.url ?? '').pathname),
        ['/attic/app.log'],
      );
      if (severity) assert.is(findings[0]?.cvss?.vector, severity);
      else assert.is.not(findings[0]?.cvss?.vector, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N');
    } finally {
      await audit.close();
      await site.close();
    }
  });

test.run();
