import { type ExposedPath, mild, pageOf, takeover } from './entry.ts';

const installer = (
  paths: readonly string[],
  holds: string,
  patterns: readonly string[],
  stacks?: ExposedPath['stacks'],
  cvss = takeover,
): ExposedPath => ({
  check: 'installer',
  paths,
  inFolders: true,
  readings: [pageOf(holds, patterns, cvss)],
  ...(stacks ? { stacks } : {}),
});

/** Set-up pages that would still take a database and an administrator. They are looked at, and nothing is sent to them. */
export const installers: readonly ExposedPath[] = [
  installer(
    ['wp-admin/install.php', 'wp-admin/setup-config.php'],
    'the set-up of WordPress',
    [
      '(?i)<title>WordPress[^<]{1,40}(?:Installation|Setup Configuration File)',
      'name="(?:weblog_title|language|dbname)"|setup-config\\.php\\?step=',
    ],
    ['wordpress', 'php'],
  ),
  installer(
    ['core/install.php', 'install.php'],
    'the set-up of Drupal',
    ['(?i)<title>(?:Choose language|Select an installation profile|Set up database)[^<]{0,20}\\| Drupal'],
    ['drupal', 'php'],
  ),
  installer(
    ['installation/index.php', 'installation/'],
    'the set-up of Joomla',
    ['(?i)<title>Joomla!?[^<]{0,20}Installer|Joomla! Web Installer', 'jform\\[(?:site_name|language|admin_email)\\]'],
    ['joomla', 'php'],
  ),
  installer(
    ['setup/', 'setup/index.php'],
    'the set-up of Magento',
    ['(?i)<title>[^<]{0,20}(?:Magento (?:Installation|Setup)|Setup Tool)', 'ng-app="magentoSetup"|magento-setup'],
    ['magento', 'php'],
  ),
  installer(
    ['install/', 'install/index.php'],
    'the set-up of a PHP application',
    [
      '(?i)<title>[^<]{0,60}(?:PrestaShop[^<]{0,20}Installation|OpenCart[^<]{0,20}(?:Installation|License)|phpBB[^<]{0,20}Install|Moodle[^<]{0,20}Install|Installation - MediaWiki)',
      '(?i)<form\\b',
    ],
    ['php'],
  ),
  installer(
    // "mw-config/index.php" shows the same first page once the wiki is set up, and asks for a key of its settings then.
    ['index.php?title=Special:Version'],
    'a MediaWiki that is not set up',
    ['(?i)<title>MediaWiki\\b', 'LocalSettings\\.php not found', 'mw-config/index\\.php'],
    ['php'],
  ),
  installer(
    ['index.php/install', 'nextcloud/', 'owncloud/'],
    'the set-up of Nextcloud',
    ['(?i)<title>[^<]{0,20}(?:Nextcloud|ownCloud)', 'name="(?:adminlogin|adminpass)"'],
    ['php'],
  ),
  installer(
    ['index.php?module=Installation', 'matomo/index.php?module=Installation'],
    'the set-up of Matomo',
    ['(?i)<title>(?:Matomo|Piwik)[^<]{0,30}Installation'],
    ['php'],
  ),
  installer(
    ['setup.php', 'phpmyadmin/setup/', 'phpmyadmin/setup/index.php'],
    'the set-up script of phpMyAdmin',
    ['<title>phpMyAdmin (?:setup)?</title>|phpMyAdmin setup', '(?i)<form\\b'],
    ['php'],
    mild,
  ),
  installer(
    ['ghost/setup/'],
    'the set-up of Ghost',
    ['(?i)<title>[^<]{0,40}Ghost', 'setup/one|Create your account'],
    ['node'],
  ),
  installer(
    ['install', 'gitea/install', 'user/install'],
    'the set-up of Gitea',
    ['(?i)<title>Installation - {1,2}Gitea|<title>Initial Configuration[^<]{0,20}(?:Gitea|Forgejo)', 'name="db_type"'],
    ['go'],
  ),
  installer(
    ['setup/setupadministrator', 'secure/SetupMode!default.jspa', 'setup/setuplicense.action'],
    'the set-up of a product of Atlassian',
    ['(?i)<title>(?:JIRA|Jira|Confluence)[^<]{0,40}(?:setup|Set up)', '(?i)<form\\b'],
    ['java'],
  ),
  installer(
    ['installer', 'installer/'],
    'the set-up of a Laravel application',
    ['(?i)<title>[^<]{0,80}Laravel Installer'],
    ['laravel', 'php'],
  ),
];
