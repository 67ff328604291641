import type { Credentials } from '../../kit/certificates.ts';
import { minVersion } from '../../kit/tls-server.ts';

const secureModes = ['require', 'verify-ca', 'verify-full'];

/**
 * What is wrong with the parameters of a PostgreSQL URL. One that is not known is refused: it could be one that asks
 * for TLS, and nothing would be encrypted.
 */
export function parameterFault(url: URL): string | undefined {
  for (const [name, value] of url.searchParams) {
    if (name !== 'sslmode')
      return `knows no parameter "${name}", only sslmode; files of certificates are named by DATABASE_CA_FILE, DATABASE_CLIENT_CERT_FILE and DATABASE_CLIENT_KEY_FILE`;
    if (value !== 'disable' && !secureModes.includes(value))
      return `use sslmode=verify-full, or sslmode=disable for plain text`;
  }
  return undefined;
}

/**
 * The driver's options for TLS. Every mode but `disable` verifies the server's certificate and its name, as
 * `verify-full` of libpq does: encryption with whoever answers protects from nobody who can answer.
 * @param tls the authority and the client's certificate; the system's authorities when there is none
 */
export function databaseTls(url: string, tls: Credentials | undefined): { ssl?: object } {
  const { searchParams, hostname } = new URL(url);
  const mode = searchParams.get('sslmode');
  if (mode === 'disable' || (mode === null && !tls)) return {};
  // The driver names the server by itself, unless that is an address.
  return { ssl: { ...tls, minVersion, host: hostname.replace(/^\[|\]$/g, ''), rejectUnauthorized: true } };
}
