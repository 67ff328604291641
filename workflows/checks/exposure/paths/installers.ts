import { claim } from '../../../model/experiment.ts';
import { type ExposedPath, inBody, jsonOf, mild, pageOf, type Reading, takeover } from './entry.ts';

type InstallerForm = {
  /** Of the page, which names the product. */
  title: string;
  /** Names of fields for its database or administrator. */
  fields: string;
  /** Names of fields of a step before, which the product no longer shows once it is set up. */
  before?: string;
};

/** Says of itself that it does nothing any more. */
const notOver = claim(
  'body:masked',
  'not-matches',
  '(?i)already (?:been )?(?:installed|set[ -]?up|configured|completed?)|(?:install(?:er|ation)?|set-?up)(?: script)? (?:is|has been) (?:already )?(?:locked|disabled|completed?|finished)',
  'It does not say that it is complete.',
);

/** A control with one of these names, in a form. */
const field = (names: string) =>
  inBody(
    `(?is)<form\\b.*?<(?:input|select|textarea)\\b[^>]{0,400}\\b(?:name|ng-model)\\s*=\\s*["']?(?:${names})["'\\s/>]`,
  );

function formReadings(holds: string, { title, fields, before }: InstallerForm): Reading[] {
  const claims = [inBody(`(?i)<title>[^<]{0,80}?(?:${title})`), notOver];
  const first =
    before === undefined
      ? []
      : [{ holds: `the first step of ${holds}`, claims: [...claims, field(before)], cvss: mild }];
  return [
    {
      holds: `${holds}, which asks for its database or administrator`,
      claims: [...claims, field(fields)],
      cvss: takeover,
    },
    ...first,
  ];
}

const installer = (
  paths: readonly string[],
  readings: readonly Reading[],
  stacks: NonNullable<ExposedPath['stacks']>,
): ExposedPath => ({ check: 'installer', paths, inFolders: true, readings, stacks });

const drupalReadings: readonly Reading[] = [
  ...formReadings('the set-up of Drupal', {
    title:
      '(?:Choose language|Select an installation profile|Database configuration|Set up database|Configure site)[^<]{0,20}\\| Drupal',
    fields: 'driver|account\\[name\\]|(?:mysql|pgsql|sqlite)\\[[^"\']{1,60}',
    before: 'langcode|profile',
  }),
  ...formReadings('the set-up of Moodle', {
    title: 'Installation[^<]{0,20}Moodle|Moodle[^<]{0,20}Install',
    fields: 'dbtype|dbhost|dataroot',
    before: 'lang',
  }),
];

/**
 * Set-up pages that would still take a database or an administrator: the form for these is shown. They are looked at, and
 * nothing is sent to them. Where only a step before that form is shown, it is a mild case.
 */
export const installers: readonly ExposedPath[] = [
  installer(
    ['wp-admin/install.php?step=1', 'wp-admin/setup-config.php?step=1'],
    formReadings('the set-up of WordPress', {
      title: 'WordPress[^<]{1,40}(?:Installation|Setup Configuration File)',
      fields: 'weblog_title|admin_email|dbname|dbhost',
    }),
    ['wordpress', 'php'],
  ),
  installer(['core/install.php'], drupalReadings, ['drupal', 'php']),
  // That of other programs makes their data anew as soon as it is opened.
  installer(['install.php'], drupalReadings, ['drupal']),
  installer(
    ['installation/index.php', 'installation/'],
    formReadings('the set-up of Joomla', {
      title: 'Joomla!?[^<]{0,20}Installer',
      fields: 'jform\\[(?:admin_email|admin_user|db_host|db_type)\\]',
      before: 'jform\\[(?:site_name|language)\\]',
    }),
    ['joomla', 'php'],
  ),
  installer(
    // Once it is set up, these lead to a login; "setup/" answers as before.
    ['setup/index.php/create-admin-account', 'setup/index.php/add-database'],
    [
      {
        holds: 'the set-up of Magento, which asks for its database or administrator',
        claims: [
          inBody('(?i)<form\\b[^>]{0,200}\\bname="(?:account|database)"'),
          field('admin\\.(?:username|password)|db\\.(?:host|name|password)'),
          notOver,
        ],
        cvss: takeover,
      },
    ],
    ['magento', 'php'],
  ),
  installer(
    ['install/', 'install/index.php?route=install/step_3', 'install/index.php'],
    formReadings('the set-up of a PHP application', {
      title: 'PrestaShop[^<]{0,20}Installation|OpenCart[^<]{0,20}(?:Installation|License)|phpBB[^<]{0,20}Install',
      fields: 'db_hostname|db_host|dbhost|dbServer|admin_name|admin_email|adminEmail',
    }),
    ['php'],
  ),
  installer(
    // "mw-config/index.php" shows the same first page once the wiki is set up, and asks for a key of its settings then.
    ['index.php?title=Special:Version'],
    [
      pageOf(
        'a MediaWiki that is not set up',
        ['(?i)<title>MediaWiki\\b', 'LocalSettings\\.php not found', 'href="[^"]{0,200}mw-config/index\\.php'],
        takeover,
      ),
    ],
    ['php'],
  ),
  installer(
    ['index.php/install', 'nextcloud/', 'owncloud/'],
    formReadings('the set-up of Nextcloud', { title: 'Nextcloud|ownCloud', fields: 'adminlogin|adminpass' }),
    ['php'],
  ),
  installer(
    [
      'index.php?module=Installation&action=databaseSetup',
      'matomo/index.php?module=Installation&action=databaseSetup',
      'index.php?module=Installation',
    ],
    formReadings('the set-up of Matomo', {
      title: '(?:Matomo|Piwik)[^<]{0,30}Installation',
      fields: 'tables_prefix|dbname',
    }),
    ['php'],
  ),
  installer(
    // The `setup.php` of other programs makes their data anew as soon as it is opened.
    ['phpmyadmin/setup/', 'phpmyadmin/setup/index.php', 'pma/setup/'],
    [
      pageOf(
        'the set-up script of phpMyAdmin',
        ['<title>phpMyAdmin (?:setup)?</title>|phpMyAdmin setup', '(?i)<form\\b', 'page=servers|value="servers"'],
        mild,
      ),
    ],
    ['php'],
  ),
  installer(
    // Its page is made by script, and the same before and after.
    ['ghost/api/admin/authentication/setup/', 'ghost/api/v3/admin/authentication/setup/'],
    [jsonOf('the set-up of Ghost, which has no administrator yet', { '/setup/0/status': '^false$' }, takeover)],
    ['node'],
  ),
  installer(
    ['install', 'gitea/install', 'user/install'],
    formReadings('the set-up of Gitea', {
      title: 'Installation -  ?Gitea|Initial Configuration[^<]{0,20}(?:Gitea|Forgejo)',
      fields: 'db_type|admin_name',
    }),
    ['go'],
  ),
  installer(
    [
      'setup/setupadministrator.action',
      'secure/SetupAdminAccount!default.jspa',
      'secure/SetupMode!default.jspa',
      'setup/setuplicense.action',
    ],
    formReadings('the set-up of a product of Atlassian', {
      title: 'JIRA[^<]{0,40}set ?up|Confluence[^<]{0,40}set ?up|set ?up[^<]{0,40}(?:JIRA|Confluence)',
      fields: 'fullname|dbConfigInfo\\.\\w{1,40}|databaseOption|jdbcHostname',
      before: 'confLicenseString|setupLicenseKey|setupOption',
    }),
    ['java'],
  ),
  installer(
    // Once it is set up, this is answered by 404. The form for the database comes two pages later.
    ['install', 'installer'],
    [
      pageOf(
        'the first step of the set-up of a Laravel application',
        ['(?i)<title>[^<]{0,80}Laravel Installer', 'href="[^"]{0,200}/install(?:er)?/requirements"'],
        mild,
      ),
    ],
    ['laravel', 'php'],
  ),
];
