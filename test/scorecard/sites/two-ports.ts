import { createServer } from 'node:net';
import { makeAuthority, makeCertificate } from '../../fixtures/certificates.ts';
import { type Handler, startSite } from '../../fixtures/site.ts';
import { listen } from '../../workflows/probe/support.ts';
import type { ScoreSite } from '../case.ts';

const root = await makeAuthority('Northwind Root');

/**
 * A host with a server on port 80, and one on port 443 when it is given. The two serve a site's two ports.
 * @param secure its pages over HTTPS, with a certificate that is trusted
 */
export async function onTwoPorts(host: string, plain: Handler, secure?: Handler): Promise<ScoreSite> {
  const site = await startSite(plain, { host });
  const tls = secure && (await makeCertificate({ commonName: host, issuer: root }));
  const other = secure && tls ? await startSite(secure, { host, tls }) : undefined;
  const https = other?.port ?? (await unusedPort());
  return {
    url: `http://${host}/`,
    ports: { host, http: site.port, https, authority: root.cert },
    close: async () => void (await Promise.all([site.close(), other?.close()])),
  };
}

async function unusedPort(): Promise<number> {
  const server = await listen(createServer(), 'https');
  await server.close();
  return server.port;
}
