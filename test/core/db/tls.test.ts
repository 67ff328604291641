import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate } from '../../../core/db/migrate.ts';
import { createOrm } from '../../../core/db/orm.ts';
import { entities } from '../../../core/entities.ts';
import { withClient } from '../../../dev/postgres.ts';
import type { Credentials } from '../../../kit/certificates.ts';
import { makeAuthority, makeCertificate } from '../../fixtures/certificates.ts';
import { eventually } from '../../support/processes.ts';
import { type Servers, startServers } from '../../support/servers.ts';
import { fails, silent as log } from '../support.ts';

const authority = await makeAuthority('authority');
const other = await makeAuthority('another authority');
const server = await makeCertificate({ commonName: 'localhost', issuer: authority });
const client = await makeCertificate({ commonName: 'scan_audit_app', issuer: authority });

let servers: Servers;
let urls: { app: string; owner: string };

/** Puts a file into the cluster's folder, readable for the server alone. */
const put = (name: string, text: string) => {
  const rows = text.trim().split('\n');
  const lines = rows.map((line) => `('${line}')`).join(', ');
  return `copy (values ${lines}) to program 'umask 077; cat > ${name}'`;
};

/** The server reads its settings when it comes to it: new connections show when it has. */
async function switchTls(superuserUrl: string, state: 'on' | 'off'): Promise<void> {
  await withClient(superuserUrl, async (superuser) => {
    await superuser.query(`alter system set ssl = ${state}`);
    await superuser.query('select pg_reload_conf()');
  });
  await eventually(`ssl is ${state}`, () =>
    withClient(superuserUrl, async (superuser) => (await superuser.query('show ssl')).rows[0].ssl === state),
  );
}

const test = suite('TLS to PostgreSQL');
test.before(async () => {
  servers = await startServers(['postgres']);
  const { superuserUrl = '' } = servers.addresses;
  await withClient(superuserUrl, async (superuser) => {
    await superuser.query('create database audit owner scan_audit_owner');
    await superuser.query(put('server.crt', server.cert));
    await superuser.query(put('server.key', server.key));
    await superuser.query(put('root.crt', authority.cert));
    const rules = 'hostssl all scan_audit_app all scram-sha-256 clientcert=verify-full';
    const others = 'host all all all scram-sha-256';
    await superuser.query(put('pg_hba.conf', `${rules}\n${others}`));
    await superuser.query(`alter system set ssl_ca_file = 'root.crt'`);
  });
  await switchTls(superuserUrl, 'on');
  const urlOf = (role: string, password: string) =>
    Object.assign(new URL(superuserUrl), { username: role, password, hostname: 'localhost', pathname: '/audit' }).href;
  urls = { app: urlOf('scan_audit_app', 'app'), owner: urlOf('scan_audit_owner', 'owner') };
});
test.after(() => servers.close());

/** The TLS version of a connection as the server sees it; null in plain text. */
async function versionOf(url: string, tls?: Credentials): Promise<string | null> {
  const orm = createOrm({ entities, url, log, ...(tls && { tls }) });
  try {
    const sql = 'select version from pg_stat_ssl where pid = pg_backend_pid()';
    return (await orm.em.fork().execute<{ version: string | null }[]>(sql))[0]?.version ?? null;
  } finally {
    await orm.close(true);
  }
}

const pair = { cert: client.cert, key: client.key };

test('a client certificate and an authority are used, and the migrations go the same way', async () => {
  const tls = { ca: authority.cert, ...pair };
  const applied = await migrate({ ownerUrl: urls.owner, url: urls.app, tls, log });
  assert.ok(applied.length > 0);
  assert.match(String(await versionOf(urls.app, tls)), /^TLSv1\.[23]$/);
  await fails(versionOf(urls.app, { ca: authority.cert }), 'certificate');
});

test('the authority and the name of the server are verified, in every mode of the URL', async () => {
  await fails(versionOf(urls.owner, { ca: other.cert }), /unable to verify|self-signed certificate/);
  const address = urls.owner.replace('localhost', '127.0.0.1');
  await fails(versionOf(address, { ca: authority.cert }), /altnames/);
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    await fails(versionOf(`${urls.owner}?sslmode=${mode}`), /unable to verify|self-signed certificate/, mode);
});

test('without a setting of TLS the connection is plain text', async () => {
  assert.is(await versionOf(urls.owner), null);
  assert.is(await versionOf(`${urls.owner}?sslmode=disable`), null);
});

test('a server that has no TLS is an error, and nothing is sent to it in plain text', async () => {
  await switchTls(servers.addresses.superuserUrl ?? '', 'off');
  await fails(versionOf(urls.owner, { ca: authority.cert }), 'does not support SSL');
});

test.run();
