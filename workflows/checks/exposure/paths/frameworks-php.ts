import { type ExposedPath, settingsOf, slight } from './entry.ts';

const check = 'settings-file';

/** Settings of frameworks and content systems in PHP, at their own places and under names that are not run. */
export const phpFrameworks: readonly ExposedPath[] = [
  {
    check,
    paths: ['wp-config.txt', 'wp-config.php.txt', 'wp-config.inc', 'wp-config.php_bak', 'wp-config-backup.txt'],
    stacks: ['wordpress', 'php'],
    inFolders: true,
    readings: settingsOf('the settings of WordPress', 'code', ['DB_NAME', 'DB_HOST']),
  },
  {
    check,
    paths: ['configuration.txt', 'configuration.php.txt', 'configuration.php-dist.bak'],
    stacks: ['joomla'],
    readings: settingsOf('the settings of Joomla', 'code', ['dbtype', 'dbprefix']),
  },
  {
    check,
    paths: [
      'sites/default/settings.php.bak',
      'sites/default/settings.php.old',
      'sites/default/settings.php~',
      'sites/default/settings.php.txt',
      'sites/default/settings.local.php.bak',
    ],
    stacks: ['drupal'],
    readings: settingsOf('the settings of Drupal', 'code', ['(?:.*\\.)?(?:driver|database|hash_salt)']),
  },
  {
    check,
    paths: ['app/etc/local.xml', 'app/etc/local.xml.bak', 'app/etc/config.xml'],
    stacks: ['magento'],
    readings: settingsOf('the settings of Magento', 'xml', ['config\\.global\\.resources\\..*']),
  },
  {
    check,
    paths: ['app/etc/env.php.bak', 'app/etc/env.php.old', 'app/etc/env.php~'],
    stacks: ['magento'],
    readings: settingsOf('the settings of Magento', 'code', ['(?:frontName|dbname)']),
  },
  {
    check,
    paths: ['app/config/parameters.yml', 'config/parameters.yml', 'app/config/parameters.yml.bak', 'parameters.yml'],
    stacks: ['symfony'],
    readings: settingsOf('the parameters of a Symfony application', 'yaml', ['parameters\\.[\\w.]+']),
  },
  {
    check,
    paths: [
      'config/packages/security.yaml',
      'config/services.yaml',
      'app/config/config.yml',
      'app/config/security.yml',
    ],
    stacks: ['symfony'],
    readings: settingsOf('settings of a Symfony application', 'yaml', [
      '(?:security\\.(?:firewalls|providers)|services\\._defaults|framework)\\.[\\w.]+',
    ]),
  },
  {
    check,
    paths: ['phinx.yml'],
    stacks: ['php'],
    readings: settingsOf('settings of database migrations', 'yaml', ['environments\\.\\w+\\.(?:host|adapter)']),
  },
  {
    check,
    paths: [
      'typo3conf/LocalConfiguration.php.bak',
      'typo3conf/localconf.php.bak',
      'LocalSettings.php.bak',
      'LocalSettings.php~',
    ],
    stacks: ['php'],
    readings: settingsOf('the settings of a content system', 'code', [
      '(?:.*\\.)?(?:wgDBname|wgDBserver|dbname|installToolPassword|typo_db)',
    ]),
  },
  {
    check,
    paths: ['phpunit.xml', 'phpunit.xml.dist'],
    stacks: ['laravel', 'symfony', 'php'],
    readings: settingsOf('settings of tests', 'xml', ['phpunit\\.testsuites\\..*'], { without: slight }),
  },
];
