import { type ExposedPath, fileOf, grave, inBody, mild, notPage, type Reading, slight, textOf } from './entry.ts';

const left = (
  paths: readonly string[],
  readings: readonly Reading[],
  more: Partial<ExposedPath> = {},
): ExposedPath => ({ check: 'editor-leftover', paths, readings, ...more });

/** What editors, shells and file managers leave behind. */
export const leftovers: readonly ExposedPath[] = [
  left(['.DS_Store'], [fileOf('the list of names that the Finder of macOS keeps of a folder', 'body:ds-store', '.')], {
    inFolders: true,
  }),
  left(
    ['.idea/workspace.xml', '.idea/modules.xml', '.idea/misc.xml', '.idea/vcs.xml'],
    [textOf('the project of an IDE', ['<project version="\\d"', '<component name="\\w'])],
  ),
  left(
    ['.idea/dataSources.xml', '.idea/dataSources.local.xml', '.idea/webServers.xml', '.idea/deployment.xml'],
    [
      textOf(
        'servers and databases of the developers',
        ['<project version="\\d"', '(?:<jdbc-url>|<jdbc-driver>|<fileTransfer |<serverdata>)'],
        mild,
      ),
    ],
  ),
  left(
    ['.vscode/settings.json', '.vscode/launch.json', '.vscode/tasks.json'],
    [
      textOf('settings of an editor', [
        '^\\s*(?://[^\\n]*\\n\\s*)*\\{',
        '"(?:editor|files|configurations|tasks|php|python|typescript|eslint|search|git|workbench|launch)[\\w.]*"\\s*:',
      ]),
    ],
  ),
  left(
    ['nbproject/project.properties', 'nbproject/private/private.properties', 'nbproject/project.xml'],
    [
      textOf('the project of NetBeans', [
        '(?m)^(?:include\\.path|php\\.version|source\\.encoding|src\\.dir|copy\\.src\\.target)|<project xmlns="http://www\\.netbeans',
      ]),
    ],
  ),
  left(
    ['.project', '.classpath', '.buildpath'],
    [textOf('the project of Eclipse', ['<(?:projectDescription|classpath|buildpath)>'])],
  ),
  left(
    ['.settings/org.eclipse.core.resources.prefs', '.sublime-project', 'project.sublime-project'],
    [textOf('the project of an editor', ['eclipse\\.preferences\\.version=|"folders"\\s*:\\s*\\['])],
  ),
  left(
    ['.bash_history', '.zsh_history', '.sh_history', '.ash_history', '.fish_history'],
    [
      textOf(
        'commands of an administrator, with a password in them',
        [
          '(?m)^(?:: \\d+:\\d+;)?(?:sudo |cd |ls|git |vim? |nano |ssh |mysql |docker |apt)',
          '(?m)(?:mysql\\b[^\\n]{0,80} -p\\S|--password[= ]\\S|sshpass -p|PGPASSWORD=|curl [^\\n]{0,80} -u \\w+:)',
        ],
        grave,
      ),
      textOf(
        'commands of an administrator',
        [
          '(?m)^(?:: \\d+:\\d+;)?(?:sudo |cd |ls(?: |$)|git |vim? |nano |ssh |mysql |docker |apt)',
          '(?m)^(?:: \\d+:\\d+;)?(?:cd|ls|exit|rm|cp|mv|mkdir|chmod|chown|cat|tail|systemctl|service)\\b',
        ],
        mild,
      ),
    ],
  ),
  left(
    ['.mysql_history', '.psql_history', '.sqlite_history', '.rediscli_history'],
    [
      textOf(
        'commands to a database',
        [
          '(?mi)^(?:_HiStOrY_V2_|(?:select|show|use|insert|update|create|drop|alter|\\\\d\\w?|keys|get)(?:\\s|\\\\040))',
        ],
        mild,
      ),
    ],
  ),
  left(
    ['.python_history', '.node_repl_history', '.viminfo', '.lesshst', '.wget-hsts'],
    [
      textOf('what a program remembers of an administrator', [
        '^# This viminfo file was generated|^# HSTS 1\\.0 Known Hosts|^\\.less-history-file:|(?m)^(?:import|from) \\w+',
      ]),
    ],
  ),
  left(
    ['.bashrc', '.profile', '.bash_profile', '.zshrc'],
    [
      textOf(
        'the settings of a shell',
        ['(?m)^\\s*(?:export PATH=|alias \\w+=|PS1=|# ~/\\.)', '(?m)^\\s*(?:if \\[|export |alias |source |\\. )'],
        mild,
      ),
    ],
  ),
  left(
    ['.ssh/known_hosts', '.ssh/authorized_keys', '.ssh/config', 'known_hosts', 'authorized_keys'],
    [
      textOf(
        'hosts or keys of SSH',
        [
          '(?m)^(?:\\S+ )?(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\\w+) AAAA|(?m)^Host \\S[^\\n]*\\n\\s+(?:HostName|User|IdentityFile)',
        ],
        mild,
      ),
    ],
  ),
  left(
    ['Thumbs.db', 'ehthumbs.db'],
    [fileOf('the pictures that Windows keeps of a folder', 'body:hex', '^d0cf11e0a1b11ae1', slight)],
  ),
  left(['desktop.ini'], [textOf('the settings of a folder of Windows', ['(?i)^\\s*\\[\\.ShellClassInfo\\]'])]),
  left(
    ['.index.php.swp', '.config.php.swp', '.wp-config.php.swp', '.env.swp', '.settings.py.swp'],
    [fileOf('the text of a file as the editor Vim keeps it', 'body:hex', '^623056494d20', grave)],
  ),
  left(
    [
      '.editorconfig',
      '.prettierrc',
      '.eslintrc.json',
      '.babelrc',
      '.stylelintrc',
      '.php_cs',
      '.rubocop.yml',
      '.flake8',
      '.pylintrc',
    ],
    [
      {
        holds: 'rules for the source',
        claims: [
          inBody(
            '^(?:\\s*#[^\\n]*\\n)*\\s*root\\s*=\\s*true|"(?:presets|extends|rules|semi|singleQuote|plugins)"\\s*:|^(?:AllCops|\\[flake8\\]|\\[MASTER\\])',
          ),
          notPage,
        ],
      },
    ],
  ),
  left(
    ['_notes/dwsync.xml', 'dwsync.xml', '.ftpquota', '.ftp-deploy-sync-state.json'],
    [textOf('what an upload program keeps', ['<dwsync>|"generatedTime"\\s*:|^\\d+ \\d{4,}\\s*$'])],
  ),
];
