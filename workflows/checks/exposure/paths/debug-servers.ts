import { debug } from './debug.ts';
import { type ExposedPath, grave, mild, pageOf, slight, takeover } from './entry.ts';

/** Pages for developers of servers and runtimes: ASP.NET, Go, Node.js and its bundlers, Java, CGI. */
export const serverDebugPages: readonly ExposedPath[] = [
  debug(
    ['elmah.axd', 'elmah', 'admin/elmah.axd'],
    [
      pageOf(
        'the error log ELMAH, with requests of other visitors',
        ['(?i)<title>Error log for ', '(?i)Powered by <a[^>]{1,80}>ELMAH'],
        grave,
      ),
    ],
    ['dotnet', 'iis'],
  ),
  debug(
    ['glimpse.axd', 'mini-profiler-resources/results-index', 'profiler/results-index'],
    [pageOf('a profiler of ASP.NET', ['(?i)<title>(?:Glimpse|List of profiling sessions|MiniProfiler)'])],
    ['dotnet', 'iis'],
  ),
  debug(
    ['debug/pprof/', 'debug/pprof'],
    [
      pageOf('the profiler of Go, with memory and command line', [
        '<title>/debug/pprof/</title>',
        'goroutine\\?debug=',
      ]),
    ],
    ['go'],
  ),
  debug(
    ['json/list', 'json'],
    [
      pageOf(
        'the inspector of Node.js or Chromium, through which visitors run code',
        ['"webSocketDebuggerUrl"\\s*:\\s*"ws://', '"devtoolsFrontendUrl'],
        takeover,
      ),
    ],
    ['node'],
  ),
  debug(
    ['@vite/client'],
    [pageOf('the development server Vite', ['createHotContext|import\\.meta\\.hot', '/@?vite/|vite-error-overlay'])],
    ['vite', 'node'],
  ),
  debug(
    // A build has "_buildManifest.js" as well.
    ['_next/static/development/_devPagesManifest.json'],
    [pageOf('the development server of Next.js', ['^\\{"pages":\\s*\\[["\\]]'], slight)],
    ['node'],
  ),
  debug(
    ['sockjs-node/info', 'webpack-dev-server'],
    [
      pageOf(
        'the development server of webpack',
        ['"websocket"\\s*:\\s*true,\\s*"origins"\\s*:\\s*\\["\\*:\\*"\\]|<title>webpack-dev-server</title>'],
        slight,
      ),
    ],
    ['node', 'vite'],
  ),
  debug(
    ['__nuxt_devtools__/client/'],
    [pageOf('the developer tools of Nuxt', ['<title>Nuxt DevTools</title>'])],
    ['node', 'vite'],
  ),
  debug(
    ['h2-console/', 'h2-console', 'h2/', 'console/login.jsp'],
    [pageOf('the console of the database H2', ['<title>H2 Console</title>', 'login\\.jsp|jsessionid'], mild)],
    ['java', 'tomcat'],
  ),
  debug(
    ['druid/index.html', 'druid/weburi.html'],
    [pageOf('the monitor of the connection pool Druid', ['<title>Druid (?:Stat Index|Web URI Stat)</title>'])],
    ['java'],
  ),
  debug(
    ['struts/webconsole.html'],
    [pageOf('the OGNL console of Struts', ['<title>OGNL Console</title>'], takeover)],
    ['java', 'tomcat'],
  ),
  debug(
    ['cgi-bin/printenv', 'cgi-bin/printenv.pl', 'cgi-bin/test-cgi', 'cgi-bin/env.cgi'],
    [
      pageOf('the environment of the server', [
        '(?m)^(?:DOCUMENT_ROOT|SERVER_SOFTWARE)\\s*=',
        '(?m)^(?:GATEWAY_INTERFACE|SERVER_PROTOCOL)\\s*=',
      ]),
    ],
    ['apache'],
  ),
  debug(
    ['tracy/', 'kint/', 'xhprof_html/', 'xhprof/', 'webgrind/'],
    [pageOf('a profiler of PHP', ['(?i)<title>(?:XHProf: Hierarchical Profiler Report|webgrind|XHGui)'])],
    ['php'],
  ),
];
