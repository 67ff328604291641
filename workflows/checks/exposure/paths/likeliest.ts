/**
 * Paths that are asked for on any site, whatever it shows: what is met most often where nobody meant to show it, one or a few
 * of each kind. The others are asked for where the site shows what they go with, or where an answer to one of these gives a
 * reason (see `guesses.ts`). Paths as they stand in the entries.
 */
export const likeliestPaths: ReadonlySet<string> = new Set([
  // version-control-folder
  ...[
    '.hg/store/00manifest.i',
    'CVS/Entries',
    '.fslckout',
    '.bzr/repository/pack-names',
    '.bzr/branch-format',
    '.gitmodules',
  ],
  // settings-file
  ...['config.json', 'config.yml', 'config.ini', '.htaccess', 'web.config', 'appsettings.json'],
  ...['wp-config.txt'],
  // private-key
  ...['id_rsa', '.ssh/id_rsa', '.ssh/id_ed25519', 'server.key', 'private.pem', 'key.pem', '{name}.p12'],
  // credentials-file
  ...['.htpasswd', '.aws/credentials', '.git-credentials', '.git/config', '.npmrc', '.docker/config.json'],
  ...['.kube/config', 'terraform.tfstate', 'credentials.json', 'sftp-config.json', '.vscode/sftp.json'],
  // database-dump
  ...['backup.sql', 'dump.sql', '{name}.sql', 'database.sql', 'dump.sql.gz'],
  ...['database.sqlite', 'database.db', 'data.db'],
  // log-file
  ...['error_log', 'error.log', 'access.log', 'debug.log', 'app.log', 'logs/error.log', 'storage/logs/laravel.log'],
  // server-status, metrics-endpoint
  ...['server-status', 'nginx_status', 'metrics', 'actuator/prometheus', 'debug/vars'],
  // debug-page
  ...['console', '_profiler/', 'debug/pprof/', 'json/list', 'h2-console/'],
  // service-dashboard
  ...['script', '_cat/indices?format=json', '_all_dbs', 'v1/agent/self', 'containers/json', 'v2/_catalog'],
  ...['api/v1/namespaces', 'pods', 'api/v1/status/config', 'api/contents', 'api/v2/messages?limit=1'],
  ...['api/v1/messages?limit=1', 'ws/v1/cluster/info'],
  ...['settings', 'api/notebook', 'nifi-api/flow/process-groups/root', 'config', 'api/version', 'api/v1/dags?limit=1'],
  ...['wd/hub/status', 'instances', 'druid/indexer/v1/workers', 'collections', 'v1/schema', 'indexes?limit=1'],
  ...['api/2.0/mlflow/experiments/search?max_results=1', 'api/v1/info', 'api/v1.3/machine'],
  // admin-panel
  ...['phpmyadmin/', 'pgadmin4/', 'jenkins/login', 'grafana/login'],
  // installer
  ...['install', 'wp-admin/install.php?step=1'],
  // ci-file, container-file
  ...['.gitlab-ci.yml', '.github/workflows/main.yml', '.github/workflows/deploy.yml', 'Jenkinsfile'],
  ...['Dockerfile', 'docker-compose.yml', 'deployment.yaml', 'main.tf'],
  // editor-leftover
  ...['.DS_Store', '.idea/workspace.xml', '.vscode/settings.json', '.bash_history'],
  // dependency-manifest
  ...['package.json', 'composer.json'],
  // program-source
  ...['server.js', 'app.py'],
  // api-document
  ...['postman_collection.json', 'application.wadl', 'graphiql'],
]);
