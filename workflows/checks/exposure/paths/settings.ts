import { claim } from '../../../model/experiment.ts';
import type { SettingFormat } from '../../../proof/files/settings.ts';
import { type ExposedPath, grave, inBody, mild, notPage, type Reading, settingsOf, textOf } from './entry.ts';

const check = 'settings-file';

/** Of a file whose name says little, only a password or key of a server counts: scripts of a page have settings, too. */
const serverSecret =
  '(?i)(?:.*[._])?(?:(?:db|database|mysql|postgres(?:ql)?|pg|mongo(?:db)?|redis|smtp|mail(?:er)?|ldap|ftp|sftp|ssh|admin|root|production|development|connection|master)[\\w.-]*[._-]?(?:pass(?:word|wd)?|pwd|uri|url|dsn)|secret_?key(?:_?base)?|session_?secret|jwt_?secret|app_?secret|private_?key|encryption_?key)';

const serverSecrets = (holds: string, format: SettingFormat): Reading => ({
  holds: `${holds}, with secrets in it`,
  claims: [claim(`body:secret-settings:${format}`, 'matches', `(?m)^${serverSecret}$`, 'A secret of a server is set.')],
  cvss: grave,
});

const file = (
  paths: readonly string[],
  holds: string,
  format: SettingFormat,
  names: readonly string[],
  more: Partial<ExposedPath> = {},
): ExposedPath => ({ check, paths, readings: settingsOf(holds, format, names), ...more });

/** Settings that have no framework of their own. */
export const settings: readonly ExposedPath[] = [
  {
    check,
    paths: ['config.json', 'config/config.json', 'settings.json', 'config/default.json', 'config/production.json'],
    readings: [serverSecrets('a file of settings', 'json')],
  },
  {
    check,
    paths: ['config.yml', 'config.yaml', 'config/config.yml', 'settings.yml', 'conf.yml'],
    readings: [serverSecrets('a file of settings', 'yaml')],
  },
  {
    check,
    paths: ['config.ini', 'settings.ini', 'config/config.ini', 'app.ini', 'database.ini', 'db.ini', 'config.toml'],
    readings: [serverSecrets('a file of settings', 'ini')],
  },
  {
    check,
    paths: ['config.xml', 'settings.xml', 'config/config.xml'],
    readings: [serverSecrets('a file of settings', 'xml')],
  },
  {
    check,
    paths: [
      'config.inc',
      'includes/config.inc',
      'inc/config.inc',
      'db.inc',
      'connect.inc',
      'config.php.txt',
      'config.txt',
    ],
    stacks: ['php'],
    inFolders: true,
    readings: [serverSecrets('source with settings', 'code')],
  },
  {
    check,
    paths: ['settings.py', 'config.py', 'local_settings.py', 'app/settings.py'],
    stacks: ['python'],
    readings: settingsOf('settings of a Python application', 'code', ['(?:SECRET_KEY|SQLALCHEMY_DATABASE_URI|ENGINE)']),
  },
  file(['serverless.yml'], 'the description of a serverless service', 'yaml', ['provider\\.name', 'functions\\..*']),
  file(['uwsgi.ini'], 'settings of uWSGI', 'ini', ['uwsgi\\.[\\w-]+']),
  file(['supervisord.conf', 'supervisor.conf'], 'settings of Supervisor', 'ini', ['program:\\w+\\.command']),
  file(['php.ini', '.user.ini'], 'settings of PHP', 'ini', [
    '(?:PHP\\.)?(?:memory_limit|display_errors|upload_max_filesize|auto_prepend_file|post_max_size)',
  ]),
  file(['my.cnf', '.my.cnf'], 'settings of MySQL', 'ini', ['(?:client|mysqld|mysql|mysqldump)\\.[\\w-]+']),
  {
    check,
    paths: ['.htaccess'],
    stacks: ['apache'],
    inFolders: true,
    readings: [
      textOf(
        'rules of Apache httpd',
        [
          '(?mi)^\\s*(?:RewriteEngine\\s+On|RewriteRule\\s+\\S|AuthUserFile\\s|Require\\s+\\w|<IfModule\\s|DirectoryIndex\\s|Options\\s+[-+])',
        ],
        mild,
      ),
    ],
  },
  {
    check,
    paths: ['nginx.conf', 'conf/nginx.conf', '.nginx.conf'],
    readings: [
      {
        holds: 'settings of nginx',
        claims: [
          inBody('(?m)^\\s*(?:server|http|location [^{]{1,80})\\s*\\{'),
          inBody('(?m)^\\s*(?:listen|root|proxy_pass)\\s+\\S'),
          notPage,
        ],
        cvss: mild,
      },
    ],
  },
  {
    check,
    paths: ['httpd.conf', 'apache.conf', 'conf/httpd.conf'],
    readings: [textOf('settings of Apache httpd', ['(?mi)^\\s*(?:DocumentRoot|ServerName)\\s+\\S'], mild)],
  },
];
