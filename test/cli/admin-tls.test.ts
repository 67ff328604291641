import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRpcServer } from '../../core/server.ts';
import { createLogger } from '../../kit/logger.ts';
import { OrgService } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { makeAuthority, makeCertificate } from '../fixtures/certificates.ts';
import { withFolder } from '../support/folder.ts';
import { pemFiles, writePems } from '../support/pem-files.ts';
import { runCli } from './support.ts';

const test = suite('scan-audit admin over TLS');

test('shows core its certificate, and says what is wrong with core’s', () =>
  withFolder(async (folder) => {
    const ca = await makeAuthority('authority');
    const { cert, key } = await makeCertificate({ commonName: 'localhost', issuer: ca });
    const server = createRpcServer(
      (router) => router.service(OrgService, { listOrgs: () => ({ items: [{ orgId: '7', name: 'Example' }] }) }),
      { credentials: () => ({ cert, key, ca: ca.cert }), log: createLogger('test', 'silent') },
    );
    const core = `https://localhost:${await server.listen('127.0.0.1', 0)}`;
    try {
      await writePems(folder, { ...(await makeCertificate({ commonName: 'operator', issuer: ca })), ca: ca.cert });
      const files = pemFiles(folder);
      const own = { CORE_CLIENT_CERT_FILE: files.cert, CORE_CLIENT_KEY_FILE: files.key };
      const list = (env: Record<string, string>) =>
        runCli(['admin', 'org', 'list'], { env: { SCAN_AUDIT_CORE: core, SCAN_AUDIT_OPERATOR_KEY: 'sa_x', ...env } });
      const { code, stdout, stderr } = await list({ CORE_CA_FILE: files.ca, ...own });
      assert.is(code, 0, stderr);
      assert.match(stdout, 'Example');
      assert.match((await list({ CORE_CA_FILE: files.ca })).stderr, 'wants a client certificate');
      assert.match((await list(own)).stderr, 'authority that is not trusted here');
      const plain = await list({ SCAN_AUDIT_CORE: 'http://127.0.0.1:9', ...own });
      assert.match(plain.stderr, /^error: SCAN_AUDIT_CORE: use https:/);
    } finally {
      await server.close();
    }
  }));

test.run();
