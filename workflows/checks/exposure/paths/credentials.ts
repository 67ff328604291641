import { type ExposedPath, grave, inBody, mild, notPage, secretsOf, settingsOf, textOf } from './entry.ts';

const check = 'credentials-file';

/** Files in which programs keep passwords and tokens. Patterns end before the secret, so that none is kept. */
export const credentials: readonly ExposedPath[] = [
  {
    check,
    paths: ['.htpasswd', '.htpasswds', 'htpasswd', '.htusers', 'admin/.htpasswd', 'users.htpasswd'],
    stacks: ['apache', 'nginx', 'php'],
    inFolders: true,
    // Source: Apache httpd manual, "Password Formats"; crypt(5).
    readings: [
      textOf('names and password hashes', [
        '(?m)^[\\w.@+-]{1,64}:(?:\\$apr1\\$|\\$2[aby]\\$\\d\\d\\$|\\$[156y]\\$|\\{S?SHA\\})',
      ]),
    ],
  },
  {
    check,
    paths: ['.netrc', '_netrc'],
    readings: [
      textOf('logins of other hosts', ['(?m)^\\s*machine\\s+[\\w.-]+', '(?m)\\blogin\\s+\\S', '(?m)\\bpassword\\s']),
    ],
  },
  {
    check,
    paths: ['.pgpass'],
    readings: [textOf('passwords of PostgreSQL', ['(?m)^[\\w.*-]+:(?:\\d{2,5}|\\*):[\\w*-]+:[\\w*-]+:'])],
  },
  { check, paths: ['.aws/credentials'], readings: secretsOf('keys of AWS', 'ini', ['[\\w -]+\\.aws_access_key_id']) },
  {
    check,
    paths: ['.s3cfg', '.boto'],
    readings: secretsOf('keys of a storage service', 'ini', [
      '\\w+\\.(?:access_key|gs_access_key_id|aws_access_key_id)',
    ]),
  },
  {
    check,
    paths: ['.git-credentials'],
    readings: [textOf('logins of Git servers', ['(?m)^https?://[\\w.%+-]{1,80}:'])],
  },
  {
    check,
    // Open although the rest of the repository is not, or beside it: a remote may have its login in its address.
    paths: ['.git/config'],
    readings: [
      textOf('a login of a Git server', [
        '(?m)^\\s*\\[remote "',
        '(?m)^\\s*(?:push)?url\\s*=\\s*https?://[^\\s/@]{1,200}@[\\w.-]',
      ]),
    ],
  },
  {
    check,
    paths: ['.npmrc', '.yarnrc.yml'],
    stacks: ['node', 'vite'],
    readings: [
      textOf('a token of a package registry', [
        '(?m)^\\s*(?://[\\w./:-]+:)?(?:_authToken|_auth|_password|npmAuthToken)\\s*[=:]\\s*["\']?[^\\s$"\']',
      ]),
    ],
  },
  {
    check,
    paths: ['.pypirc'],
    stacks: ['python'],
    readings: secretsOf('logins of a package index', 'ini', ['[\\w-]+\\.password']),
  },
  {
    check,
    paths: ['.gem/credentials'],
    stacks: ['ruby'],
    readings: [textOf('a key of RubyGems', ['(?m)^:rubygems_api_key:'])],
  },
  {
    check,
    paths: ['auth.json', '.composer/auth.json'],
    stacks: ['php', 'laravel', 'symfony', 'magento'],
    readings: settingsOf('logins of Composer', 'json', ['(?:github-oauth|http-basic|gitlab-token|bearer)\\..+'], {
      without: grave,
    }),
  },
  {
    check,
    paths: ['.docker/config.json', '.dockercfg'],
    readings: settingsOf('logins of container registries', 'json', ['(?:auths\\.)?.+\\.auth'], { without: grave }),
  },
  {
    check,
    paths: ['.kube/config', 'kubeconfig', 'kubeconfig.yaml'],
    readings: settingsOf('a login of Kubernetes', 'yaml', ['clusters\\.cluster\\.server', 'users\\.user\\.[\\w-]+'], {
      without: grave,
    }),
  },
  {
    check,
    paths: ['terraform.tfstate', 'terraform.tfstate.backup', '.terraform/terraform.tfstate'],
    readings: settingsOf('the state of Terraform', 'json', ['terraform_version', '(?:resources|modules)\\..+'], {
      without: mild,
    }),
  },
  {
    check,
    paths: ['terraform.tfvars', 'terraform.auto.tfvars'],
    readings: secretsOf('variables of Terraform', 'ini', ['\\w+']),
  },
  {
    check,
    paths: [
      'service-account.json',
      'serviceAccountKey.json',
      'credentials.json',
      'google-credentials.json',
      'firebase-adminsdk.json',
      'gcp-key.json',
    ],
    readings: [
      {
        holds: 'a key of a service account of Google Cloud',
        claims: [
          inBody('"type"\\s*:\\s*"service_account"'),
          inBody('"private_key"\\s*:\\s*"-----BEGIN PRIVATE KEY-----\\\\n'),
          notPage,
        ],
      },
    ],
  },
  {
    check,
    paths: [
      'sftp-config.json',
      '.vscode/sftp.json',
      'sftp.json',
      '.ftpconfig',
      '.remote-sync.json',
      'deployment-config.json',
      'ftpsync.settings',
    ],
    inFolders: true,
    readings: settingsOf('the upload settings of an editor', 'json', ['(?:\\w+\\.)?(?:host|hostname)'], {
      without: mild,
    }),
  },
  {
    check,
    paths: ['filezilla.xml', 'sitemanager.xml', 'recentservers.xml', 'FileZilla.xml'],
    readings: [textOf('logins of FileZilla', ['<FileZilla3?\\b', '<Host>', '<Pass[ >]'])],
  },
  {
    check,
    paths: ['WS_FTP.INI', 'WS_FTP.ini', 'ws_ftp.ini'],
    readings: [textOf('logins of WS_FTP', ['(?mi)^HOST=', '(?mi)^PWD='])],
  },
  {
    check,
    paths: ['conf/tomcat-users.xml', 'tomcat-users.xml'],
    stacks: ['tomcat', 'java'],
    readings: secretsOf('users of Tomcat', 'xml', ['tomcat-users\\.user.*']),
  },

  {
    check,
    paths: ['.mysql_history', '.psql_history'],
    readings: [
      textOf('commands that set passwords in a database', [
        "(?i)\\b(?:IDENTIFIED(?:\\\\040|\\s)+BY|PASSWORD(?:\\\\040|\\s)*['(])",
      ]),
    ],
  },
];
