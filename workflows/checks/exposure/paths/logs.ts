import { claim } from '../../../model/experiment.ts';
import { type ExposedPath, grave, mild, type Reading } from './entry.ts';

const check = 'log-file';

const isLog = claim('body:log', 'present', '', 'Its lines have the form of a log.');

const readings: readonly Reading[] = [
  {
    holds: 'a log with passwords or tokens in it',
    claims: [isLog, claim('body:log-secrets', 'present', '', 'Some of its lines have values that nobody guesses.')],
    cvss: grave,
  },
  { holds: 'a log', claims: [isLog], cvss: mild },
];

const logs = (paths: readonly string[], more: Partial<ExposedPath> = {}): ExposedPath => ({
  check,
  paths,
  readings,
  ...more,
});

export const logPaths: readonly ExposedPath[] = [
  logs(['error_log', 'error.log', 'debug.log'], { inFolders: true }),
  logs([
    'errors.log',
    'access.log',
    'access_log',
    'app.log',
    'application.log',
    'server.log',
    'logs/error.log',
    'logs/access.log',
  ]),
  logs([
    'logs/app.log',
    'log/error.log',
    'logs/debug.log',
    'log/access.log',
    'log.txt',
    'logs.txt',
    'error.txt',
    'errors.txt',
    'debug.txt',
  ]),
  logs(
    ['php_error.log', 'php_errors.log', 'php-error.log', 'php_error_log', 'tmp/logs/error.log', 'logs/php_error.log'],
    { stacks: ['php'] },
  ),
  logs([
    'mail.log',
    'cron.log',
    'sql.log',
    'install.log',
    'slow.log',
    'query.log',
    'out.log',
    'nohup.out',
    'logs/laravel.log',
  ]),
  logs(['storage/logs/laravel.log', 'storage/logs/lumen.log'], { stacks: ['laravel'], inFolders: true }),
  logs(['var/log/prod.log', 'var/log/dev.log', 'var/logs/prod.log', 'app/logs/prod.log', 'app/logs/dev.log'], {
    stacks: ['symfony'],
  }),
  logs(['wp-content/debug.log', 'wp-content/uploads/debug.log'], { stacks: ['wordpress'], inFolders: true }),
  logs(['var/log/system.log', 'var/log/exception.log', 'var/log/debug.log'], { stacks: ['magento'] }),
  logs(['administrator/logs/error.php', 'logs/joomla_update.php', 'administrator/logs/joomla_update.php'], {
    stacks: ['joomla'],
  }),
  logs(['log/production.log', 'log/development.log'], { stacks: ['rails', 'ruby'] }),
  logs(['django.log', 'logs/django.log', 'debug/django.log'], { stacks: ['django', 'python'] }),
  logs(['npm-debug.log', 'yarn-error.log', 'logs/combined.log', 'combined.log'], { stacks: ['node', 'vite'] }),
  logs(['catalina.out', 'logs/catalina.out', 'logs/spring.log', 'spring.log'], { stacks: ['java', 'tomcat'] }),
  logs(['App_Data/log.txt', 'Logs/log.txt', 'logs/log.txt'], { stacks: ['dotnet', 'iis'] }),
];
