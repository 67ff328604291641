import { type ExposedPath, grave, jsonOf, mild, notLogin, pageOf, type Reading, takeover } from './entry.ts';

const open = (paths: readonly string[], readings: readonly Reading[], stacks?: ExposedPath['stacks']): ExposedPath => ({
  check: 'service-dashboard',
  paths,
  readings,
  ...(stacks ? { stacks } : {}),
});

/** A page of a service, by patterns of its own structure, that is shown without a login. */
const openPage = (holds: string, patterns: readonly string[], cvss?: string): Reading => {
  const reading = pageOf(holds, patterns, cvss);
  return { ...reading, claims: [...reading.claims, notLogin] };
};

/** Services behind a site that answer without a login: databases, queues, build and cluster managers. */
export const dashboards: readonly ExposedPath[] = [
  open(
    ['script', 'jenkins/script', 'ci/script'],
    [openPage('the script console of Jenkins', ['(?i)<title>[^<]{0,80}Script Console', '(?i)groovy'], takeover)],
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
    [openPage('Kibana without a login', ['<kbn-injected-metadata', '(?i)<title>(?:Kibana|Elastic)</title>'], grave)],
  ),
  open(
    ['_all_dbs', 'couchdb/_all_dbs'],
    [openPage('the databases of CouchDB', ['^\\s*\\["(?:_replicator|_users|_global_changes)"'], grave)],
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
      // A proxy that only lets reads through answers the same.
      jsonOf(
        'the containers of Docker; whether its API also starts some was not tried',
        { '/0/Id': '^"[0-9a-f]{64}"$', '/0/ImageID': 'sha256:' },
        mild,
      ),
    ],
  ),
  open(['v2/_catalog'], [jsonOf('the images of a container registry', { '/repositories': '^\\["' }, grave)]),
  open(
    ['api/v1/namespaces', 'k8s/api/v1/namespaces'],
    [
      jsonOf(
        'the namespaces of Kubernetes; what else visitors may do there was not tried',
        { '/kind': '^"NamespaceList"$', '/items/0/metadata/name': '.' },
        mild,
      ),
    ],
  ),
  open(
    ['pods', 'runningpods/'],
    [
      jsonOf(
        'the pods of a Kubernetes node, with secrets in their environment',
        {
          '/kind': '^"PodList"$',
          '/items': '"name":"[A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY|PRIVATE_KEY)","value":"[^"]',
        },
        grave,
      ),
      jsonOf(
        'the pods of a Kubernetes node; whether visitors also run commands in them was not tried',
        { '/kind': '^"PodList"$', '/items/0/spec/containers': '^\\[\\{' },
        mild,
      ),
    ],
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
      openPage(
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
      openPage(
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
    [openPage('Flower with the tasks of Celery', ['<title>(?:Celery )?Flower</title>', '(?i)workers'], grave)],
    ['python'],
  ),
  open(
    ['rq/', 'rq', 'django-rq/'],
    [openPage('the queues of RQ', ['(?i)<title>(?:RQ dashboard|Django RQ)'], mild)],
    ['python'],
  ),
  open(
    ['admin/queues/api/queues', 'queues/api/queues', 'bull-board/api/queues', 'ui/api/queues'],
    [
      jsonOf(
        'the queues of Bull, with their jobs',
        { '/queues/0/name': '^"', '/queues/0/counts': '"(?:waiting|active|completed)":\\d' },
        grave,
      ),
    ],
    ['node'],
  ),
  open(
    ['arena', 'admin/arena'],
    [openPage('the queues of Bull in Arena', ['<title>Arena</title>', '>Queue Navigation Tree<'], grave)],
    ['node'],
  ),
  open(
    ['sidekiq', 'admin/sidekiq', 'resque', 'admin/jobs'],
    [
      openPage(
        'the jobs of a Ruby application',
        [
          '(?i)<title>(?:\\[[^\\]]{1,30}\\] )?(?:Sidekiq|Resque|Mission control - Jobs)',
          '(?i)href=["\'][^"\']{0,200}/(?:busy|queues|retries|overview|failed|workers|jobs)\\b',
        ],
        grave,
      ),
    ],
    ['ruby', 'rails'],
  ),
  open(
    ['hangfire', 'hangfire/jobs/enqueued'],
    [openPage('the jobs of Hangfire', ['(?i)<title>[^<]{0,60}Hangfire Dashboard'], grave)],
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
    [openPage('the databases of MongoDB', ['(?i)<title>(?:Home - )?Mongo Express'], takeover)],
    ['node'],
  ),
  open(
    ['redis-commander/', 'redis/', 'redisinsight/'],
    [openPage('the data of Redis', ['(?i)<title>(?:Redis Commander|Redis Insight)'], takeover)],
  ),
  open(
    ['admin/', 'activemq/admin/'],
    [openPage('the console of ActiveMQ', ['(?i)<title>[^<]{0,40}ActiveMQ Console'], grave)],
    ['java'],
  ),
  open(
    ['ws/v1/cluster/info', 'cluster/apps', 'cluster'],
    [
      jsonOf(
        'the cluster manager of Hadoop; whether visitors also start programs was not tried',
        { '/clusterInfo/state': '^"', '/clusterInfo/hadoopVersion': '^"\\d' },
        mild,
      ),
      openPage(
        'the cluster manager of Hadoop, for a user without a login; whether they also start programs was not tried',
        ['<title>\\s*All Applications', 'Logged in as: dr\\.who', 'href="/cluster/(?:nodes|apps)'],
        mild,
      ),
    ],
    ['java'],
  ),
  open(
    ['spark/', 'jobs/'],
    [
      openPage(
        'the cluster of Spark',
        ['<title>(?:Spark Master at spark://|[^<]{1,80} - Spark Jobs</title>)'],
        takeover,
      ),
    ],
    ['java'],
  ),
];
