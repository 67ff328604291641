import type { SettingFormat } from '../../../proof/files/settings.ts';
import { type ExposedPath, harmless, inBody, notPage, type Reading, settingsOf, textOf } from './entry.ts';

const file = (
  check: string,
  paths: readonly string[],
  readings: readonly Reading[],
  more: Partial<ExposedPath> = {},
): ExposedPath => ({ check, paths, readings, ...more });

const yaml = (
  check: string,
  paths: readonly string[],
  holds: string,
  names: readonly string[],
  format: SettingFormat = 'yaml',
): ExposedPath => file(check, paths, settingsOf(holds, format, names));

/** How a site is built, tested and put onto servers. */
export const buildFiles: readonly ExposedPath[] = [
  yaml('ci-file', ['.gitlab-ci.yml', '.gitlab-ci.yaml'], 'the build of GitLab', [
    '[\\w .:-]+\\.(?:script|stage|image)',
  ]),
  yaml(
    'ci-file',
    [
      '.github/workflows/main.yml',
      '.github/workflows/deploy.yml',
      '.github/workflows/ci.yml',
      '.github/workflows/build.yml',
      '.github/workflows/test.yml',
    ],
    'a workflow of GitHub',
    ['jobs\\.[\\w-]+\\.runs-on'],
  ),
  yaml('ci-file', ['.travis.yml'], 'the build of Travis', ['(?:language|script|before_install|install)']),
  yaml('ci-file', ['.circleci/config.yml', 'circle.yml'], 'the build of CircleCI', [
    '(?:jobs|workflows|machine|dependencies)\\..+',
  ]),
  yaml('ci-file', ['bitbucket-pipelines.yml'], 'the build of Bitbucket', ['pipelines\\..+']),
  yaml('ci-file', ['azure-pipelines.yml'], 'the build of Azure', ['(?:steps|stages|jobs)\\..+']),
  yaml('ci-file', ['.drone.yml', '.woodpecker.yml'], 'the build of Drone', ['(?:steps|pipeline)\\..+']),
  yaml(
    'ci-file',
    ['appveyor.yml', 'buildspec.yml', 'cloudbuild.yaml', '.semaphore/semaphore.yml', 'codefresh.yml', 'wercker.yml'],
    'a build',
    [
      '(?:build_script|environment|phases|steps|blocks|image|build)\\b.*',
      '(?:version|image|phases|steps|blocks|build|deploy|name)\\b.*',
    ],
  ),
  file(
    'ci-file',
    ['Jenkinsfile', 'jenkins/Jenkinsfile'],
    [
      textOf('the build of Jenkins', [
        '(?m)^\\s*(?:pipeline|node(?:\\([^)\\n]{0,60}\\))?)\\s*\\{',
        '(?m)^\\s*(?:stage|agent|steps)\\b',
      ]),
    ],
  ),
  file(
    'ci-file',
    [
      'deploy.sh',
      'build.sh',
      'deploy/deploy.sh',
      'scripts/deploy.sh',
      'deploy.php.bak',
      'Capfile',
      'config/deploy.rb',
      'fabfile.py',
    ],
    [
      textOf('a script that puts the site onto its server', [
        '^#!\\S{0,30}(?:sh|bash|python3?)\\b|(?m)^(?:require|set|from fabric|import)\\b',
        '(?m)^\\s*(?:rsync|scp|ssh|git pull|docker|kubectl|set :(?:application|deploy_to)|from fabric|composer install|npm (?:ci|install|run))\\b',
      ]),
    ],
  ),
  {
    check: 'ci-file',
    paths: [
      'Makefile',
      'Gruntfile.js',
      'gulpfile.js',
      'webpack.config.js',
      'vite.config.js',
      'vite.config.ts',
      'next.config.js',
      'sonar-project.properties',
      'tsconfig.json',
    ],
    stacks: ['node'],
    readings: [
      {
        holds: 'how the site is built',
        claims: [
          inBody(
            '(?m)^(?:[\\w.-]+:(?: [\\w .-]+)?$|module\\.exports\\b|export default\\b|sonar\\.projectKey=)|"compilerOptions"\\s*:',
          ),
          inBody('(?m)^\\t\\S|\\brequire\\(|^import |grunt\\.initConfig|gulp\\.task|sonar\\.|"target"|"module"'),
          notPage,
        ],
        cvss: harmless,
      },
    ],
  },
];
