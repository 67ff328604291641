/**
 * An internal service that starts an audit for an org, waits for the end of the scan and prints the gate's verdict, with the
 * official gRPC client.
 *
 *   CORE_ADDRESS=127.0.0.1:7300 SERVICE_KEY=sa_… ORG_ID=… node docs/examples/node/start-scan.ts https://shop.localhost:8443/
 */
import { fileURLToPath } from 'node:url';
import { type Client, credentials, loadPackageDefinition, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const definition = loadSync('scanaudit/v1/scans.proto', {
  includeDirs: [root('proto'), root('node_modules/protobufjs')],
  enums: String,
  defaults: true,
});

type Reply = Record<string, unknown>;
type Call = (
  request: object,
  metadata: Metadata,
  options: object,
  done: (error: ServiceError | null, reply: Reply) => void,
) => void;
type ScanServiceClient = Client & Record<'StartScan' | 'GetGate', Call>;
type ClientClass = new (address: string, security: ReturnType<typeof credentials.createInsecure>) => ScanServiceClient;

const { CORE_ADDRESS = '127.0.0.1:7300', SERVICE_KEY = '', ORG_ID = '' } = process.env;
const url = process.argv[2];
if (!url) throw new Error('usage: node docs/examples/node/start-scan.ts <url>');

const packages = loadPackageDefinition(definition) as unknown as { scanaudit: { v1: { ScanService: ClientClass } } };
const client = new packages.scanaudit.v1.ScanService(CORE_ADDRESS, credentials.createInsecure());
const metadata = new Metadata();
metadata.set('authorization', `Bearer ${SERVICE_KEY}`);
metadata.set('x-scan-audit-org', ORG_ID);

const call = (method: 'StartScan' | 'GetGate', request: object, timeoutMs: number) =>
  new Promise<Reply>((resolve, reject) => {
    client[method](request, metadata, { deadline: Date.now() + timeoutMs }, (error, reply) =>
      error ? reject(error) : resolve(reply),
    );
  });

try {
  const { runId, host } = await call('StartScan', { url }, 10_000);
  console.log('started', runId, 'of', host);
  let gate: Reply;
  do gate = await call('GetGate', { runId, wait: 55 }, 65_000);
  while (gate.verdict === 'VERDICT_PENDING');
  console.log(gate.verdict, '-', gate.reason);
} catch (error) {
  const { code, details } = error as ServiceError;
  console.error(`refused with ${status[code]}: ${details}`);
  process.exitCode = 1;
} finally {
  client.close();
}
