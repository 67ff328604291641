import { createLogger } from '../../../../kit/logger.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import type { HttpRequest } from '../../../../workflows/model/http.ts';
import type { Probes } from '../../../../workflows/model/probes.ts';
import { parseAllowRules } from '../../../../workflows/probe/guard/allow.ts';
import { makeExchange } from '../../../../workflows/probe/http/exchange.ts';
import { openProbes } from '../../../../workflows/probe/open.ts';
import { createTrust } from '../../../../workflows/probe/tls/trust.ts';
import { survey } from '../../../../workflows/survey/crawler.ts';
import { startNameServer } from '../../../fixtures/name-server.ts';
import { type Audit, check, openAudit } from '../harness.ts';

export type Ports = {
  /** Where a server for http listens instead of port 80. */
  http: number;
  /** The same for port 443. */
  https: number;
  host?: string;
  authority?: string;
};

/**
 * Opens instruments on a host whose ports 80 and 443 are forwarded to others, as by a router in front of it: tests may not listen there.
 * All else is as in a scan of "http://<host>/".
 */
export async function openOnPorts(ports: Ports): Promise<Audit> {
  const { host = 'www.northwind.shop', authority } = ports;
  const names = await startNameServer({ [`${host} A`]: ['127.0.0.1'] });
  const reachable = { dnsServer: names.address, hosts: [host], ...(authority === undefined ? {} : { authority }) };
  const audit = await openAudit(`http://${host}:${ports.http}/`, reachable);
  const https = openProbes({
    runId: audit.context.runId,
    target: `https://${host}:${ports.https}/`,
    share: { maxRequests: 500, maxConnections: 5, requestsPerSecond: 500, deadlineMs: Date.now() + 60_000 },
    guard: { allow: parseAllowRules([`${host}=127.0.0.0/8`]), dnsServer: names.address },
    signal: audit.context.signal,
    logger: createLogger('test', 'silent'),
    trust: createTrust(authority),
  });
  const close = async () => {
    await Promise.all([audit.close(), https.close()]);
    names.close();
  };
  try {
    const probes = forwarded({ http: audit.context, https }, ports);
    const { signal } = audit.context;
    const surface = await survey({
      probes: { ...probes, gate: https.gate },
      url: `http://${host}/`,
      startUrls: [],
      excludedPaths: [],
      signal,
    });
    return { ...audit, context: { ...audit.context, ...probes, surface }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs one check on such a host. */
export async function runOnPorts(subject: Check, ports: Ports): Promise<CheckResult> {
  const audit = await openOnPorts(ports);
  try {
    return await check(audit, subject);
  } finally {
    await audit.close();
  }
}

function forwarded(opened: Record<'http' | 'https', Probes>, ports: Ports): Probes {
  const send = async (request: HttpRequest) => {
    const url = new URL(request.url);
    const scheme = url.protocol === 'https:' ? 'https' : 'http';
    if (url.port === '') url.port = String(ports[scheme]);
    const exchange = await opened[scheme].http.send({ ...request, url: url.href });
    return makeExchange({ ...exchange, request: { ...exchange.request, url: request.url } });
  };
  const { http, https } = opened;
  return {
    http: { send, get: (url, options) => send({ ...options, url, method: 'GET' }), newJar: http.http.newJar },
    tls: {
      handshake: (request) => https.tls.handshake({ ...request, port: ports.https }),
      presented: (server) => https.tls.presented({ ...server, port: ports.https }),
      hello: (request) => https.tls.hello({ ...request, port: ports.https }),
      look: (server) => https.tls.look({ ...server, port: ports.https }),
    },
    dns: http.dns,
    smtp: http.smtp,
    browser: http.browser,
    quiet: http.quiet,
  };
}
