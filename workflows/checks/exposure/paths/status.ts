import { claim } from '../../../model/experiment.ts';
import { type ExposedPath, jsonOf, mild, notPage, pageOf, slight, textOf } from './entry.ts';

const status = 'server-status';
const metrics = 'metrics-endpoint';

/** What servers report of their own work. */
export const statusPaths: readonly ExposedPath[] = [
  {
    check: status,
    paths: ['server-status', 'server-status/', 'status'],
    stacks: ['apache'],
    readings: [
      pageOf(
        'the status of Apache httpd with the requests of visitors',
        ['<title>Apache Status</title>', 'Server uptime:'],
        mild,
      ),
    ],
  },
  {
    check: status,
    paths: ['server-info'],
    stacks: ['apache'],
    readings: [pageOf('all settings of Apache httpd', ['<title>Server Information</title>', 'Server Settings'], mild)],
  },
  {
    check: status,
    paths: ['nginx_status', 'nginx-status', 'basic_status', 'stub_status', 'status/nginx'],
    stacks: ['nginx'],
    readings: [
      textOf('the counters of nginx', ['^Active connections: \\d+ \\nserver accepts handled requests\\n'], slight),
    ],
  },
  {
    check: status,
    paths: ['status?full', 'fpm-status?full', 'php-fpm-status?full', 'fpm_status?full', 'php_status?full'],
    stacks: ['php', 'nginx'],
    readings: [
      textOf(
        'the status of PHP-FPM with the requests of visitors',
        ['^pool:\\s+\\S+\\nprocess manager:\\s+(?:dynamic|static|ondemand)\\n'],
        mild,
      ),
    ],
  },
  {
    check: status,
    paths: ['haproxy?stats', 'haproxy-status', 'haproxy/stats', 'stats', 'admin?stats'],
    readings: [
      pageOf(
        'the statistics of HAProxy with all servers behind it',
        ['<title>Statistics Report for HAProxy', 'HAProxy version '],
        mild,
      ),
    ],
  },
  {
    check: status,
    paths: ['opcache.php', 'opcache-gui.php', 'ocp.php', 'opcache/index.php', 'apc.php', 'apcu.php', 'memcache.php'],
    stacks: ['php'],
    readings: [
      pageOf(
        'the cache of PHP with the paths of its files',
        ['(?i)<title>[^<]{0,60}(?:OPcache|opcode cache|APCu? INFO|Memcached? INFO)'],
        mild,
      ),
    ],
  },
  {
    check: status,
    paths: [
      'munin/',
      'awstats/awstats.pl',
      'cgi-bin/awstats.pl',
      'webalizer/',
      'usage/',
      'stats/',
      'phpsysinfo/',
      'linfo/',
    ],
    readings: [
      pageOf(
        'statistics on the server or its visitors',
        ['(?i)<title>(?:Munin ::|Statistics for [^<]{1,200}\\(\\d{4}|Usage Statistics for |phpSysInfo|Linfo)'],
        mild,
      ),
    ],
  },
  {
    check: metrics,
    paths: [
      'metrics',
      'prometheus',
      'actuator/prometheus',
      'manage/prometheus',
      'api/metrics',
      '-/metrics',
      '_metrics',
      'stats/prometheus',
      'admin/metrics',
      'monitoring/metrics',
    ],
    // Source: Prometheus, exposition formats; OpenMetrics 1.0.
    readings: [
      textOf('measurements in the format of Prometheus', [
        '(?m)^# TYPE [a-zA-Z_:][\\w:]* (?:counter|gauge|histogram|summary|untyped|unknown)\\s*$',
        '(?m)^[a-zA-Z_:][\\w:]*(?:\\{|[ ][-+\\d.NI])',
      ]),
    ],
  },
  {
    check: metrics,
    paths: ['debug/vars'],
    stacks: ['go'],
    readings: [
      {
        holds: 'variables of a Go program, its command line among them',
        claims: [claim('body:json:/memstats/Alloc', 'present'), claim('body:json:/cmdline', 'present'), notPage],
        cvss: mild,
      },
    ],
  },
  {
    check: metrics,
    paths: ['api/v1/info', 'netdata/api/v1/info'],
    readings: [pageOf('the description of the machine by Netdata', ['"mirrored_hosts"\\s*:', '"os_name"\\s*:'], mild)],
  },
  {
    check: metrics,
    paths: ['metrics/json', 'monitoring', 'codahale/metrics', 'healthcheck/metrics'],
    stacks: ['java'],
    readings: [
      jsonOf('measurements of a Java program', { '/gauges': '"jvm\\.[\\w.-]{1,80}":\\{"value":-?\\d' }, mild),
      pageOf(
        'measurements of a Java program by JavaMelody',
        ['<title>[^<]{0,60}Monitoring JavaMelody', 'resource=monitoring\\.(?:css|js)'],
        mild,
      ),
    ],
  },
];
