import { claim } from '../../../model/experiment.ts';
import { sqlDumpPattern } from '../source-code.ts';
import { type ExposedPath, fileOf, grave, inBody, mild, notPage, type Reading } from './entry.ts';

const check = 'database-dump';

/** Tables about people or their rights, by the names that applications give to them. */
const personalTables =
  '(?mi)^(?:\\w{0,12}_)?(?:users?|accounts?|members?|customers?|clients?|patients?|employees?|persons?|people|orders?|payments?|sessions?|passwords?|credentials|messages?|emails?|invoices?|auth_user|usermeta|contacts?|subscribers?)$';

const sqlite: readonly Reading[] = [
  fileOf('an SQLite database with tables about people', 'body:sqlite', personalTables, grave),
  fileOf('an SQLite database', 'body:sqlite', '^.', mild),
];

const sql: Reading = {
  holds: 'a dump of a database',
  claims: [inBody(sqlDumpPattern, 'It begins as programs that dump databases begin.'), notPage],
};

/** What somebody exported by hand has no head, and begins with statements. */
const statements: Reading = {
  holds: 'SQL that creates and fills tables',
  claims: [
    inBody(
      '(?i)^(?:\\x{FEFF})?(?:\\s|--[^\\n]*\\n|/\\*[^\\n]*\\n|SET [^\\n]*;\\n|(?:BEGIN|START TRANSACTION|PRAGMA|USE|DROP TABLE|CREATE DATABASE)[^\\n]*;\\s){0,60}(?:CREATE TABLE|INSERT INTO)\\s',
    ),
    inBody('(?i)\\bINSERT INTO [`"\\[\']?\\w+'),
    notPage,
  ],
};

const packed: Reading = {
  holds: 'a gzipped dump of a database',
  claims: [claim('body:gunzip', 'matches', sqlDumpPattern, 'It begins as programs that dump databases begin.')],
};

export const dumps: readonly ExposedPath[] = [
  {
    check,
    paths: [
      'backup.sql',
      'dump.sql',
      '{name}.sql',
      'database.sql',
      'db.sql',
      '{host}.sql',
      'data.sql',
      'mysql.sql',
      'site.sql',
      'users.sql',
      'localhost.sql',
      'export.sql',
      'db_backup.sql',
      'mysqldump.sql',
      'sql/backup.sql',
      'backup/dump.sql',
      'backups/backup.sql',
      'db/dump.sql',
      'wp-content/mysql.sql',
    ],
    readings: [sql, statements],
  },
  {
    check,
    paths: ['backup.sql.gz', 'dump.sql.gz', 'database.sql.gz', 'db.sql.gz', '{name}.sql.gz', 'mysql.sql.gz'],
    readings: [packed],
  },
  {
    check,
    paths: [
      'database.sqlite',
      'db.sqlite',
      'data.sqlite',
      'database.db',
      'data.db',
      'app.db',
      'site.db',
      'users.db',
      '{name}.db',
      'db/data.db',
    ],
    readings: sqlite,
  },
  { check, paths: ['db.sqlite3', 'database.sqlite3'], stacks: ['django', 'python'], readings: sqlite },
  { check, paths: ['instance/app.db', 'instance/site.db'], stacks: ['python'], readings: sqlite },
  { check, paths: ['database/database.sqlite', 'storage/database.sqlite'], stacks: ['laravel'], readings: sqlite },
  {
    check,
    paths: ['db/production.sqlite3', 'db/development.sqlite3', 'storage/production.sqlite3'],
    stacks: ['rails', 'ruby'],
    readings: sqlite,
  },
  { check, paths: ['var/data.db', 'var/app.db'], stacks: ['symfony'], readings: sqlite },
  { check, paths: ['wp-content/database/.ht.sqlite'], stacks: ['wordpress'], readings: sqlite },
  { check, paths: ['App_Data/app.db', 'App_Data/database.sqlite'], stacks: ['dotnet', 'iis'], readings: sqlite },
  {
    check,
    paths: ['backup.dump', 'db.dump', '{name}.dump', 'database.dump'],
    // Source: PostgreSQL, pg_backup_archiver.c, WriteHead.
    readings: [fileOf('a dump of PostgreSQL in its own format', 'body:hex', '^5047444d5001[01][0-9a-f]')],
  },
  {
    check,
    paths: ['dump.rdb', 'redis/dump.rdb'],
    // "REDIS" and a version of four digits. Source: Redis RDB file format.
    readings: [fileOf('a dump of Redis', 'body:hex', '^524544495330303[0-9]3[0-9]')],
  },
  {
    check,
    paths: ['{name}.bak', 'backup.bak', 'database.bak', 'db.bak'],
    stacks: ['dotnet', 'iis'],
    // Source: Microsoft Tape Format 1.00a, §5.2.1.
    readings: [fileOf('a backup of SQL Server', 'body:hex', '^54415045[0-9a-f]{4}0000')],
  },
  {
    check,
    paths: ['database.mdb', 'data.mdb', '{name}.mdb', 'db/database.mdb'],
    stacks: ['dotnet', 'iis'],
    readings: [fileOf('a database of Access', 'body:hex', '^000100005374616e64617264204(?:a6574|143452)20444200')],
  },
];
