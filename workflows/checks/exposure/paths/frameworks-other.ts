import { type ExposedPath, mild, settingsOf } from './entry.ts';

const check = 'settings-file';

/** Settings of frameworks in Ruby, Java, .NET and JavaScript, at their own places. */
export const otherFrameworks: readonly ExposedPath[] = [
  {
    check,
    paths: ['config/database.yml', 'database.yml', 'config/database.yml.bak'],
    stacks: ['rails', 'ruby'],
    readings: settingsOf('the database settings of a Rails application', 'yaml', ['\\w+\\.(?:adapter|database)']),
  },
  {
    check,
    paths: ['config/secrets.yml', 'config/initializers/secret_token.rb'],
    stacks: ['rails', 'ruby'],
    readings: settingsOf('the secrets of a Rails application', 'yaml', ['\\w+\\.secret_key_base']),
  },
  {
    check,
    paths: ['application.yml', 'application-prod.yml', 'config/application.yml', 'WEB-INF/classes/application.yml'],
    stacks: ['java', 'tomcat'],
    readings: settingsOf('the settings of a Spring application', 'yaml', ['(?:spring|server|management)\\.[\\w.-]+']),
  },
  {
    check,
    paths: [
      'application.properties',
      'application-prod.properties',
      'WEB-INF/classes/application.properties',
      'WEB-INF/classes/jdbc.properties',
      'jdbc.properties',
      'db.properties',
      'config.properties',
    ],
    stacks: ['java', 'tomcat'],
    readings: settingsOf('the settings of a Java application', 'ini', [
      '(?:spring\\.[\\w.-]+|server\\.port|jdbc\\.[\\w.-]+|db\\.[\\w.-]+|hibernate\\.[\\w.-]+)',
    ]),
  },
  {
    check,
    paths: ['WEB-INF/web.xml', 'WEB-INF/applicationContext.xml'],
    stacks: ['java', 'tomcat'],
    inFolders: true,
    readings: settingsOf('the description of a Java web application', 'xml', ['(?:web-app|beans)\\..*'], {
      without: mild,
    }),
  },
  {
    check,
    paths: [
      'web.config',
      'Web.config.bak',
      'web.config.txt',
      'web.config.old',
      'app.config',
      'connectionStrings.config',
    ],
    stacks: ['dotnet', 'iis'],
    inFolders: true,
    readings: settingsOf('settings of ASP.NET', 'xml', [
      '(?:configuration\\.(?:appSettings|connectionStrings|system\\.web|system\\.webServer|runtime)\\b.*|connectionStrings\\..*)',
    ]),
  },
  {
    check,
    paths: [
      'appsettings.json',
      'appsettings.Production.json',
      'appsettings.Development.json',
      'appsettings.Staging.json',
    ],
    stacks: ['dotnet', 'iis'],
    readings: settingsOf('settings of ASP.NET Core', 'json', [
      '(?:ConnectionStrings|Logging|Serilog|Kestrel|AllowedHosts|Jwt)(?:\\..+)?',
    ]),
  },
  {
    check,
    paths: ['App_Data/Web.config', 'bin/App.config'],
    stacks: ['dotnet'],
    readings: settingsOf('settings of ASP.NET', 'xml', ['configuration\\..*']),
  },
  {
    check,
    paths: ['config/config.json', 'ormconfig.json'],
    stacks: ['node'],
    readings: settingsOf('the database settings of a Node.js application', 'json', [
      '(?:\\w+\\.)?(?:dialect|type)',
      '(?:\\w+\\.)?(?:database|host)',
    ]),
  },
  {
    check,
    paths: ['knexfile.js', 'ecosystem.config.js', 'config.js.bak', 'database.js.bak'],
    stacks: ['node'],
    readings: settingsOf('settings of a Node.js application', 'code', ['(?:client|script|exec_mode|host)']),
  },
];
