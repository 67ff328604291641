import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import type { Credentials } from '../../kit/certificates.ts';
import type { Logger } from '../../kit/logger.ts';
import { forgetLostConnections } from './lost-connections.ts';
import { databaseTls } from './tls.ts';

type DatabaseOptions = {
  entities: EntitySchema[];
  /** postgres://role:password@host:port/database */
  url: string;
  /** Connections at most; default 10. */
  poolSize?: number;
  /** Switches TLS on, as `sslmode` in the URL does. */
  tls?: Credentials;
  log: Logger;
};

/** An ORM over these entities. Connects when it is first used, so PostgreSQL may be down. Close it. */
export const createOrm = ({ entities, url, poolSize = 10, tls, log }: DatabaseOptions) =>
  new MikroORM({
    entities,
    clientUrl: url,
    pool: { min: 0, max: poolSize },
    // A statement that takes longer than any deadline is stuck.
    driverOptions: {
      connectionTimeoutMillis: 5_000,
      statement_timeout: 15_000,
      application_name: 'scan-audit',
      onPoolCreated: forgetLostConnections,
      ...databaseTls(url, tls),
    },
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    logger: (message) => log.debug(message),
  });
