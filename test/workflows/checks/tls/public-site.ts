import type { Check } from '../../../../workflows/checks/contract.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import { startNameServer } from '../../../fixtures/name-server.ts';
import { html, type SiteOptions, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';

export const host = 'www.northwind.shop';

/** Audits a site with this certificate under a name of the public internet. */
export async function resultFor(
  subject: Check,
  tls: SiteOptions['tls'] & { ciphers?: string; minVersion?: string; maxVersion?: string },
  options: { authority?: string; host?: string } = {},
): Promise<CheckResult> {
  const name = options.host ?? host;
  const names = await startNameServer({ [`${name} A`]: ['127.0.0.1'] });
  const site = await startSite(() => html('hello'), { host: name, tls });
  try {
    return await runOn(site.url, subject, {
      dnsServer: names.address,
      hosts: [name],
      ...(options.authority === undefined ? {} : { authority: options.authority }),
    });
  } finally {
    await site.close();
    names.close();
  }
}

/** Kind of outcome and number of findings. */
export async function verdictOn(...args: Parameters<typeof resultFor>): Promise<[kind: string, findings: number]> {
  const { outcome, findings } = await resultFor(...args);
  return [outcome.kind, findings.length];
}
