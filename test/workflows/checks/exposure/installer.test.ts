import { installer } from '../../../../workflows/checks/exposure/installer.check.ts';
import { installerSamples } from '../../../fixtures/exposed/debug.ts';
import { page, siteOf } from '../../../fixtures/exposed/decoys.ts';
import { exposedSuite } from './exposed-suite.ts';

const php = { 'x-powered-by': 'PHP/8.3' };
const java = { 'set-cookie': 'JSESSIONID=1' };
const search = '<form action="/search"><input name="q"></form>';

exposedSuite(installer, installerSamples, {
  clean: {
    'serves the set-up of a Magento that is set up': siteOf(
      { '/setup/': page('Setup Tool', '<div ng-app="magentoSetup"><main ui-view id="main"></main></div>') },
      php,
    ),
    'has a page on the set-up of Jira': siteOf(
      { '/setup/setupadministrator': page('Jira: how to set up your board', search) },
      java,
    ),
    'says that Confluence is set up already': siteOf(
      {
        '/setup/setuplicense.action': page(
          'Confluence setup',
          '<p>Confluence has already been set up.</p><form><input name="fullName"></form>',
        ),
      },
      java,
    ),
    'offers courses on the Laravel Installer': siteOf(
      { '/installer': page('Learn the Laravel Installer', search) },
      { 'set-cookie': 'laravel_session=x; Path=/' },
    ),
    'keeps a locked installer': siteOf(
      {
        '/install/': page(
          'OpenCart - Installation',
          '<p>The installer is locked.</p><form><input name="db_hostname"></form>',
        ),
      },
      php,
    ),
    'says that WordPress is installed already': siteOf(
      {
        '/wp-admin/install.php': page(
          'WordPress &rsaquo; Installation',
          '<h1>Already Installed</h1><form><select name="language"></select></form>',
        ),
      },
      php,
    ),
    'has a page of Drupal on languages': siteOf({ '/core/install.php': page('Choose language | Drupal', search) }, php),
  },
}).run();
