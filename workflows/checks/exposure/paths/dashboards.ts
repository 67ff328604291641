import { claim } from '../../../model/experiment.ts';
import { type ExposedPath, grave, inBody, mild, pageOf, type Reading, takeover } from './entry.ts';

const open = (paths: readonly string[], readings: readonly Reading[], stacks?: ExposedPath['stacks']): ExposedPath => ({
  check: 'service-dashboard',
  paths,
  readings,
  ...(stacks ? { stacks } : {}),
});

/** JSON in which these members stand: pointers with a pattern each. */
const jsonOf = (holds: string, members: Readonly<Record<string, string>>, cvss?: string): Reading => ({
  holds,
  claims: [
    inBody('^\\s*[\\[{]'),
    ...Object.entries(members).map(([at, pattern]) => claim(`body:json:${at}`, 'matches', pattern)),
  ],
  ...(cvss === undefined ? {} : { cvss }),
});

/** Services behind a site that answer without a login: databases, queues, build and cluster managers. */
export const dashboards: readonly ExposedPath[] = [
  open(
    ['script', 'jenkins/script', 'ci/script'],
    [pageOf('the script console of Jenkins', ['(?i)<title>[^<]{0,80}Script Console', '(?i)groovy'], takeover)],
  ),
  open(
    ['api/json', 'jenkins/api/json'],
    [jsonOf('the jobs of Jenkins', { '/_class': 'hudson\\.model\\.Hudson', '/jobs': '^\\[' }, mild)],
  ),
  open(
    ['_cat/indices?format=json', 'elasticsearch/_cat/indices?format=json', 'es/_cat/indices?format=json'],
    [jsonOf('the indices of Elasticsearch or OpenSearch', { '/0/index': '.', '/0/docs.count': '\\d' }, grave)],
  ),
  open(
    ['_cluster/health', 'elasticsearch/_cluster/health'],
    [jsonOf('a cluster of Elasticsearch or OpenSearch', { '/cluster_name': '.', '/number_of_nodes': '^\\d' })],
  ),
  open(
    ['app/kibana', 'kibana/app/kibana', 'app/home'],
    [pageOf('Kibana without a login', ['<kbn-injected-metadata', '(?i)<title>(?:Kibana|Elastic)</title>'], grave)],
  ),
  open(
    ['_all_dbs', 'couchdb/_all_dbs'],
    [pageOf('the databases of CouchDB', ['^\\s*\\["(?:_replicator|_users|_global_changes)"'], grave)],
  ),
  open(
    ['solr/admin/info/system?wt=json'],
    [jsonOf('Solr without a login', { '/solr_home': '.', '/lucene': 'solr-spec-version' }, grave)],
    ['java'],
  ),
  open(
    ['v1/agent/self', 'consul/v1/agent/self'],
    [jsonOf('the cluster of Consul', { '/Config/Datacenter': '.', '/Member/Addr': '.' }, grave)],
  ),
  open(
    ['v2/keys/', 'etcd/v2/keys/'],
    [jsonOf('the keys of etcd', { '/action': '^"get"$', '/node/dir': '^true$' }, grave)],
  ),
  open(
    ['containers/json', 'docker/containers/json'],
    [
      jsonOf(
        'the containers of Docker, through whose API visitors run code',
        { '/0/Id': '^"[0-9a-f]{64}"$', '/0/ImageID': 'sha256:' },
        takeover,
      ),
    ],
  ),
  open(['v2/_catalog'], [jsonOf('the images of a container registry', { '/repositories': '^\\["' }, grave)]),
  open(
    ['api/v1/namespaces', 'k8s/api/v1/namespaces'],
    [jsonOf('the namespaces of Kubernetes', { '/kind': '^"NamespaceList"$', '/items': '^\\[' }, takeover)],
  ),
  open(
    ['pods', 'runningpods/'],
    [jsonOf('the pods of a Kubernetes node', { '/kind': '^"PodList"$', '/items': '^\\[' }, takeover)],
  ),
  open(
    ['api/v1/status/config', 'prometheus/api/v1/status/config'],
    [jsonOf('the settings of Prometheus', { '/status': '^"success"$', '/data/yaml': 'scrape_configs' }, mild)],
  ),
  open(
    ['api/v2/status', 'alertmanager/api/v2/status'],
    [jsonOf('the settings of Alertmanager', { '/versionInfo/version': '.', '/config/original': '.' }, mild)],
  ),
  open(
    ['api/rawdata', 'traefik/api/rawdata'],
    [jsonOf('all routes of Traefik', { '/routers': '^\\{', '/services': '^\\{' }, mild)],
    ['go'],
  ),
  open(
    ['eureka/apps', 'eureka/apps/'],
    [
      pageOf(
        'all services that are registered with Eureka',
        ['<applications>|"applications"\\s*:', 'apps__hashcode'],
        mild,
      ),
    ],
    ['java'],
  ),
  open(
    ['jolokia/version', 'jolokia', 'api/jolokia/version', 'actuator/jolokia'],
    [jsonOf('the management of a Java program by Jolokia', { '/value/agent': '.', '/value/protocol': '.' }, grave)],
    ['java', 'tomcat'],
  ),
  open(
    ['jmx-console/', 'web-console/', 'jmx-console/HtmlAdaptor'],
    [
      pageOf(
        'the console of JBoss',
        ['(?i)<title>(?:JBoss JMX Management Console|JBoss Management Console)'],
        takeover,
      ),
    ],
    ['java'],
  ),
  open(
    ['api/contents', 'jupyter/api/contents'],
    [jsonOf('Jupyter, in which visitors run code', { '/type': '^"directory"$', '/content': '^\\[' }, takeover)],
    ['python'],
  ),
  open(
    ['flower/', 'flower/dashboard', 'flower'],
    [pageOf('Flower with the tasks of Celery', ['<title>(?:Celery )?Flower</title>', '(?i)workers'], grave)],
    ['python'],
  ),
  open(
    ['rq/', 'rq', 'django-rq/'],
    [pageOf('the queues of RQ', ['(?i)<title>(?:RQ dashboard|Django RQ)'], mild)],
    ['python'],
  ),
  open(
    ['admin/queues', 'queues', 'bull-board', 'admin/queues/', 'arena'],
    [pageOf('the queues of Bull', ['(?i)<title>(?:Bull Dashboard|bull-board|Bull Arena|Arena)'], grave)],
    ['node'],
  ),
  open(
    ['sidekiq', 'admin/sidekiq', 'resque', 'admin/jobs'],
    [
      pageOf(
        'the jobs of a Ruby application',
        ['(?i)<title>(?:\\[[^\\]]{1,30}\\] )?(?:Sidekiq|Resque|Mission control - Jobs)'],
        grave,
      ),
    ],
    ['ruby', 'rails'],
  ),
  open(
    ['hangfire', 'hangfire/jobs/enqueued'],
    [pageOf('the jobs of Hangfire', ['(?i)<title>[^<]{0,60}Hangfire Dashboard'], grave)],
    ['dotnet', 'iis'],
  ),
  open(
    ['api/v2/messages?limit=1', 'mailhog/api/v2/messages?limit=1'],
    [jsonOf('mails that MailHog caught', { '/total': '^\\d', '/items': '^\\[', '/count': '^\\d' }, grave)],
  ),
  open(
    ['api/v1/messages?limit=1', 'mailpit/api/v1/messages?limit=1'],
    [jsonOf('mails that Mailpit caught', { '/messages_count': '^\\d', '/messages': '^\\[' }, grave)],
  ),
  open(
    ['query?q=SHOW+DATABASES', 'influxdb/query?q=SHOW+DATABASES'],
    [jsonOf('the databases of InfluxDB', { '/results/0/series/0/name': '^"databases"$' }, grave)],
  ),
  open(
    ['mongo-express/', 'mongo-express', 'db/admin/'],
    [pageOf('the databases of MongoDB', ['(?i)<title>(?:Home - )?Mongo Express'], takeover)],
    ['node'],
  ),
  open(
    ['redis-commander/', 'redis/', 'redisinsight/'],
    [pageOf('the data of Redis', ['(?i)<title>(?:Redis Commander|Redis Insight)'], takeover)],
  ),
  open(
    ['admin/', 'activemq/admin/'],
    [pageOf('the console of ActiveMQ', ['(?i)<title>[^<]{0,40}ActiveMQ Console'], grave)],
    ['java'],
  ),
  open(
    ['cluster', 'cluster/apps', 'ws/v1/cluster/info'],
    [pageOf('the cluster manager of Hadoop', ['(?i)<title>All Applications|"clusterInfo"\\s*:\\s*\\{'], takeover)],
    ['java'],
  ),
  open(
    ['spark/', 'jobs/'],
    [pageOf('the cluster of Spark', ['<title>(?:Spark Master at spark://|[^<]{1,80} - Spark Jobs</title>)'], takeover)],
    ['java'],
  ),
];
