import { claim } from '../../../model/experiment.ts';
import { type ExposedPath, grave, jsonOf, mild, type Reading, takeover } from './entry.ts';

const product = (paths: readonly string[], ...readings: readonly Reading[]): ExposedPath => ({
  check: 'service-dashboard',
  paths,
  readings,
});

/** Visitors may be a user of their own, who may only look. */
const unlessSomebody = (reading: Reading): Reading => ({
  ...reading,
  claims: [...reading.claims, claim('body:masked', 'not-matches', '"user"\\s*:\\s*\\{', 'It names no user.')],
});

/**
 * Products that are known by the structure of one answer of their interface, which those with a login refuse. Only reading
 * requests are made; what an open one lets visitors do beyond that is taken from its documentation, or named as not tried.
 */
export const products: readonly ExposedPath[] = [
  // Editors that run what is written in them.
  product(
    ['settings', 'node-red/settings', 'red/settings'],
    unlessSomebody(
      jsonOf(
        'the editor of Node-RED without a login, in which visitors run code',
        { '/httpNodeRoot': '^"/', '/context/default': '^"', '/editorTheme': '^\\{' },
        takeover,
      ),
    ),
  ),
  product(
    ['api/notebook', 'zeppelin/api/notebook'],
    jsonOf(
      'the notebooks of Zeppelin for visitors, in which code is run',
      { '/status': '^"OK"$', '/body/0/id': '^"2[0-9A-Z]{8}"$' },
      takeover,
    ),
  ),
  product(
    ['nifi-api/flow/process-groups/root'],
    jsonOf(
      'the flows of NiFi for visitors, whose processors run programs',
      { '/processGroupFlow/id': '.', '/permissions/canWrite': '^true$' },
      takeover,
    ),
  ),
  // Managers of jobs.
  product(
    ['config', 'flink/config', 'v1/config'],
    jsonOf(
      'the cluster of Flink, which takes programs from visitors',
      { '/flink-version': '^"\\d', '/features/web-submit': '^true$' },
      takeover,
    ),
    jsonOf('the cluster of Flink', { '/flink-version': '^"\\d', '/flink-revision': '.' }, mild),
  ),
  product(
    ['api/version', 'ray/api/version'],
    jsonOf(
      'the dashboard of Ray; whether visitors also start jobs was not tried',
      { '/ray_version': '^"\\d', '/ray_commit': '^"' },
      mild,
    ),
  ),
  product(
    ['api/v1/dags?limit=1', 'airflow/api/v1/dags?limit=1'],
    jsonOf(
      'the workflows of Airflow for visitors; whether they also start some was not tried',
      { '/dags/0/dag_id': '^"', '/dags/0/fileloc': '^"', '/total_entries': '^\\d' },
      grave,
    ),
  ),
  product(
    ['wd/hub/status', 'selenium/wd/hub/status'],
    jsonOf(
      'a Selenium Grid, whose browsers visitors steer from inside the network',
      { '/value/message': '(?i)selenium grid', '/value/nodes': '^\\[' },
      grave,
    ),
  ),
  // Administration of applications.
  product(
    ['instances', 'admin/instances', 'spring-boot-admin/instances'],
    jsonOf(
      'the applications of Spring Boot Admin, with the addresses of their lifecycle',
      { '/0/registration/managementUrl': '^"http', '/0/statusInfo/status': '^"' },
      grave,
    ),
  ),
  product(
    ['druid/indexer/v1/workers'],
    jsonOf('the workers of Druid, which take tasks', { '/0/worker/host': '^"', '/0/worker/capacity': '^\\d' }, grave),
  ),
  // Databases of texts and vectors.
  product(
    ['collections', 'qdrant/collections'],
    jsonOf(
      'the collections of Qdrant',
      { '/result/collections/0/name': '^"', '/status': '^"ok"$', '/time': '^\\d' },
      grave,
    ),
  ),
  product(
    ['v1/schema', 'weaviate/v1/schema'],
    jsonOf('the classes of Weaviate', { '/classes/0/class': '^"', '/classes/0/vectorIndexType': '^"' }, grave),
  ),
  product(
    ['indexes?limit=1', 'meilisearch/indexes?limit=1'],
    jsonOf(
      'the indexes of Meilisearch without a key',
      { '/results/0/uid': '^"', '/results/0/primaryKey': '^(?:"|null)', '/limit': '^1$', '/total': '^\\d' },
      grave,
    ),
  ),
  product(
    ['api/2.0/mlflow/experiments/search?max_results=1'],
    jsonOf(
      'the experiments of MLflow',
      { '/experiments/0/experiment_id': '^"', '/experiments/0/artifact_location': '^"' },
      grave,
    ),
  ),
  // Machines.
  product(
    ['api/v1/info', 'netdata/api/v1/info'],
    jsonOf(
      'what Netdata measures of the machine',
      { '/mirrored_hosts': '^\\[', '/os_name': '^"', '/collectors': '^\\[' },
      mild,
    ),
  ),
  product(
    ['api/v1.3/machine', 'cadvisor/api/v1.3/machine'],
    jsonOf('the machine by cAdvisor', { '/num_cores': '^\\d', '/machine_id': '^"', '/memory_capacity': '^\\d' }, mild),
  ),
];
