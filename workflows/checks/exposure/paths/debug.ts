import { claim } from '../../../model/experiment.ts';
import { type ExposedPath, grave, inBody, mild, pageOf, type Reading, slight, takeover } from './entry.ts';

export const debug = (
  paths: readonly string[],
  readings: readonly Reading[],
  stacks?: ExposedPath['stacks'],
): ExposedPath => ({
  check: 'debug-page',
  paths,
  readings,
  ...(stacks ? { stacks } : {}),
});

/** Pages that frameworks have for developers. None of them is more than looked at. */
export const debugPages: readonly ExposedPath[] = [
  debug(
    ['console', 'debug/console'],
    [
      pageOf(
        'the console of Werkzeug, in which visitors run code without a PIN',
        ['<title>Console // Werkzeug Debugger</title>', 'EVALEX_TRUSTED = true'],
        takeover,
      ),
      pageOf('the console of Werkzeug, in which visitors run code when they know its PIN', [
        '<title>Console // Werkzeug Debugger</title>',
        'EVALEX = true',
      ]),
    ],
    ['python'],
  ),
  debug(
    ['_ignition/health-check'],
    [
      {
        // Versions with the repair of CVE-2021-3129 (2.5.2 and later) answer the same.
        holds:
          'the error page Ignition of Laravel, which runs solutions; versions before 2.5.2 let visitors run code so',
        claims: [claim('body:json:/can_execute_commands', 'equals', 'true')],
        cvss: mild,
      },
      {
        holds: 'the error page Ignition of Laravel',
        claims: [claim('body:json:/can_execute_commands', 'equals', 'false')],
        cvss: slight,
      },
    ],
    ['laravel', 'php'],
  ),
  debug(
    ['telescope', 'telescope/requests'],
    [
      pageOf(
        'Telescope of Laravel, with requests of other visitors',
        ['<title>Telescope', 'window\\.Telescope = \\{'],
        grave,
      ),
    ],
    ['laravel'],
  ),
  debug(
    ['horizon', 'horizon/dashboard'],
    [pageOf('Horizon of Laravel, with its jobs', ['<title>Horizon', 'window\\.Horizon = \\{'])],
    ['laravel'],
  ),
  debug(
    ['_debugbar/assets/javascript', '_debugbar/open'],
    [pageOf('the debug bar of PHP', ['(?:window\\.)?PhpDebugBar(?:\\.| =)'])],
    ['laravel', 'php'],
  ),
  debug(
    ['__clockwork/latest', 'clockwork/latest', '__clockwork/app', 'clockwork/app'],
    [
      {
        holds: 'a request of another visitor, as Clockwork keeps it',
        claims: [
          inBody('"controller"\\s*:'),
          claim('body:json:/headers', 'present'),
          claim('body:json:/uri', 'present'),
        ],
        cvss: grave,
      },
      pageOf('the debugger Clockwork', ['<title>Clockwork</title>']),
    ],
    ['laravel', 'php'],
  ),
  debug(
    [
      '_profiler/',
      '_profiler',
      'app_dev.php/_profiler/',
      'index_dev.php/_profiler/',
      '_profiler/empty/search/results?limit=10',
    ],
    [
      pageOf(
        'the profiler of Symfony, with requests of other visitors',
        ['(?i)<title>[^<]{0,80}Symfony Profiler', '_profiler'],
        grave,
      ),
    ],
    ['symfony', 'php'],
  ),
  debug(
    ['debug/default/view', 'index.php?r=debug/default/view', 'debug/default/index'],
    [
      pageOf(
        'the debugger of Yii, with requests of other visitors',
        ['<title>(?:Yii Debugger|Available Debug Data)'],
        grave,
      ),
    ],
    ['php'],
  ),
  debug(
    ['gii', 'index.php?r=gii'],
    [pageOf('the code generator of Yii', ['<title>Welcome to Gii</title>'], takeover)],
    ['php'],
  ),
  debug(
    ['silk/', '__debug__/', 'silk/requests/'],
    [pageOf('requests of other visitors, as Silk keeps them', ['(?i)<title>[^<]{0,40}Silky?\\b', '/silk/'], grave)],
    ['django'],
  ),
  debug(
    ['rails/info/properties', 'rails/info'],
    [pageOf('the versions of a Rails application', ['(?i)>Rails version<', '(?i)>Ruby version<'])],
    ['rails', 'ruby'],
  ),
  debug(
    ['rails/info/routes'],
    [pageOf('all routes of a Rails application', ['(?i)<th[^>]{0,60}>\\s*Helper', '(?i)<th[^>]{0,60}>\\s*HTTP Verb'])],
    ['rails', 'ruby'],
  ),
  debug(
    ['rails/mailers', 'letter_opener'],
    [pageOf('mails of a Rails application', ['(?i)<title>(?:Mailer Previews|LetterOpenerWeb)'])],
    ['rails', 'ruby'],
  ),
  debug(
    ['trace.axd', 'Trace.axd'],
    [
      pageOf(
        'the trace of ASP.NET, with requests of other visitors',
        ['(?i)<h1>Application Trace</h1>', '(?i)Trace\\.axd\\?id='],
        grave,
      ),
    ],
    ['dotnet', 'iis'],
  ),
];
