import { claim } from '../../../model/experiment.ts';
import { type ExposedPath, pageOf, type Reading } from './entry.ts';

const panel = (
  paths: readonly string[],
  holds: string,
  patterns: readonly string[],
  stacks?: ExposedPath['stacks'],
): ExposedPath => ({
  check: 'admin-panel',
  paths,
  readings: [pageOf(holds, patterns)],
  ...(stacks ? { stacks } : {}),
});

const realm = (holds: string, pattern: string): Reading => ({
  holds,
  status: 401,
  claims: [claim('header:www-authenticate', 'matches', pattern)],
});

/** Where those who run a server or its data log in. Logins of content systems are for their authors, and not among them. */
export const adminPanels: readonly ExposedPath[] = [
  panel(
    ['phpmyadmin/', 'phpMyAdmin/', 'pma/', 'myadmin/', 'mysql/', 'dbadmin/', 'admin/phpmyadmin/'],
    'the login of phpMyAdmin',
    ['<title>(?:[^<]{0,80} )?phpMyAdmin', 'pma_(?:username|password)'],
    ['php'],
  ),
  panel(
    ['adminer.php', 'adminer/', 'adminer', '_adminer.php', 'db.php', 'adminer-4.8.1.php'],
    'the login of Adminer',
    ['<title>[^<]{0,80}Adminer</title>', 'auth\\[(?:driver|username)\\]'],
    ['php'],
  ),
  panel(['phppgadmin/', 'pgadmin/', 'pgadmin4/', 'pgadmin4/login'], 'the login of an administration of PostgreSQL', [
    '(?i)<title>(?:phpPgAdmin|pgAdmin 4)',
  ]),
  panel(
    ['phpliteadmin.php', 'sqlite/phpliteadmin.php', 'sqlitemanager/'],
    'an administration of SQLite',
    ['(?i)<title>(?:phpLiteAdmin|SQLiteManager)'],
    ['php'],
  ),
  panel(['webmin/', 'session_login.cgi'], 'the login of Webmin', ['(?i)<title>(?:Login to Webmin|Webmin)']),
  panel(['plesk/', 'cpanel', 'whm', 'login_up.php'], 'the login of a control panel of the server', [
    '(?i)<title>(?:cPanel Login|WHM Login|Plesk (?:Obsidian|Onyx)[^<]{0,40})</title>',
  ]),
  panel(['jenkins/login', 'jenkins/', 'ci/'], 'the login of Jenkins', [
    '<title>(?:Sign in - )?[^<]{0,20}Jenkins',
    'j_spring_security_check|j_username',
  ]),
  panel(['grafana/login', 'grafana/'], 'the login of Grafana', ['<title>Grafana</title>', 'grafanaBootData']),
  panel(['portainer/', 'rancher/'], 'the login of a container manager', ['<title>(?:Portainer|Rancher)</title>']),
  panel(['rabbitmq/', 'rabbitmq'], 'the login of RabbitMQ', ['<title>RabbitMQ Management</title>']),
  panel(['solr/'], 'the administration of Solr', ['<title>Solr Admin</title>'], ['java']),
  panel(['kibana/login', 'kibana/'], 'the login of Kibana', ['<title>Elastic</title>', 'kbn-injected-metadata']),
  panel(['minio/', 'minio/login'], 'the login of MinIO', ['<title>MinIO (?:Browser|Console)</title>']),
  panel(
    ['airflow/login/', 'airflow/'],
    'the login of Airflow',
    ['<title>[^<]{0,30}Airflow</title>', 'name="(?:username|csrf_token)"'],
    ['python'],
  ),
  panel(
    ['admin/login/', 'django-admin/'],
    'the administration of a Django application',
    // The title is in the language of the site.
    ['(?i)<title>[^<]{0,80}\\| Django site admin</title>|/admin/css/(?:base|login)\\.', 'csrfmiddlewaretoken'],
    ['django', 'python'],
  ),
  panel(['admin/master/console/', 'auth/admin/master/console/'], 'the administration of Keycloak', [
    '<title>Keycloak Administration (?:Console|UI)</title>',
  ]),
  panel(
    ['weblogic/', 'console/login/LoginForm.jsp'],
    'the console of WebLogic',
    ['<title>Oracle WebLogic Server Administration Console'],
    ['java'],
  ),
  panel(
    ['axis2/axis2-admin/', 'axis2-admin/login'],
    'the administration of Axis2',
    ['(?i)<title>(?:Axis2 ::|Login to Axis2)'],
    ['java', 'tomcat'],
  ),
  {
    check: 'admin-panel',
    paths: ['manager/html', 'host-manager/html', 'manager/status'],
    stacks: ['tomcat', 'java'],
    readings: [realm('the manager of Tomcat', '(?i)realm="?Tomcat (?:Manager|Host Manager)')],
  },
  {
    check: 'admin-panel',
    paths: ['nagios/', 'icinga/', 'cgi-bin/nagios3/'],
    readings: [realm('the login of a monitoring', '(?i)realm="?(?:Nagios|Icinga)')],
  },
  panel(
    ['zabbix/', 'zabbix/index.php', 'cacti/', 'observium/', 'librenms/'],
    'the login of a monitoring',
    ['(?i)<title>(?:[^<]{0,40}Zabbix|Login to Cacti|Observium|LibreNMS)'],
    ['php'],
  ),
];
