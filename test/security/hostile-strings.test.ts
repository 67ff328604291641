import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderReport } from '../../core/report/report.ts';
import { FindingSchema } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { versionBanner } from '../../workflows/checks/headers/version-banner.check.ts';
import { spfBroken } from '../../workflows/checks/mail/spf-broken.check.ts';
import type { CheckResult } from '../../workflows/checks/run-check.ts';
import { certificateUntrusted } from '../../workflows/checks/tls/certificate-untrusted.check.ts';
import { certificateWrongName } from '../../workflows/checks/tls/certificate-wrong-name.check.ts';
import { launchBrowser, watch } from '../core/report/browser.ts';
import { sampleInput } from '../core/report/samples.ts';
import { makeAuthority, makeCertificate } from '../fixtures/certificates.ts';
import { html, startSite } from '../fixtures/site.ts';
import { runOn } from '../workflows/checks/harness.ts';
import { resultOf } from '../workflows/checks/named-site.ts';
import { host, resultFor } from '../workflows/checks/tls/public-site.ts';

const script = '<img src=x onerror=alert(1)>';
/** Closes whatever a report could have opened around it. */
const payload = `"'></title></style></script><svg onload=alert(2)>${script}`;
/** What is left of it in every notation of names, which escape some characters. */
const seen = 'img src=x onerror=alert(1)';

async function bannerResult(): Promise<CheckResult> {
  const site = await startSite(() => ({ ...html('hello'), headers: { server: `nginx/1.18.0 ${payload}` } }));
  try {
    return await runOn(site.url, versionBanner);
  } finally {
    await site.close();
  }
}

const authority = await makeAuthority('Northwind Root');

/** What a scan stores of targets that put script where nobody reads it but a report. */
const results: Record<string, () => Promise<CheckResult>> = {
  'the name in a certificate': async () =>
    resultFor(certificateUntrusted, await makeCertificate({ commonName: payload, names: [host] })),
  'the other names of a certificate': async () => {
    const names = [`${script}.northwind.shop`];
    const leaf = await makeCertificate({ commonName: 'northwind.shop', names, issuer: authority });
    return resultFor(certificateWrongName, leaf, { authority: authority.cert });
  },
  'a record of the name service': () =>
    resultOf(spfBroken, { 'northwind.shop TXT': [[`v=spf1 exists:${payload} -all`]] }),
  'a field of an answer': bannerResult,
};

const browser = await launchBrowser();
const strings = suite('script in what a target says of itself');

for (const [where, result] of Object.entries(results)) {
  strings(`in ${where} is found as text, and does nothing in the report`, async () => {
    const { outcome, findings } = await result();
    assert.is(outcome.kind, 'found', outcome.reason);
    const page = await browser.newPage();
    try {
      const deeds = await watch(page);
      const report = sampleInput({ findings: findings.map((finding) => create(FindingSchema, finding)) });
      await page.setContent(renderReport(report));
      const shown = (await page.locator('body').textContent()) ?? '';
      assert.ok(shown.includes(seen), shown);
      assert.equal(deeds, []);
      assert.is(await page.locator('img, script, svg[onload]').count(), 0);
    } finally {
      await page.close();
    }
  });
}

strings.after(() => browser.close());
strings.run();
