import type { SettingFormat } from '../../../proof/files/settings.ts';
import { type ExposedPath, mild, type Reading, secretsOf, settingsOf, textOf } from './entry.ts';

const file = (
  paths: readonly string[],
  readings: readonly Reading[],
  more: Partial<ExposedPath> = {},
): ExposedPath => ({ check: 'container-file', paths, readings, ...more });

const yaml = (
  paths: readonly string[],
  holds: string,
  names: readonly string[],
  format: SettingFormat = 'yaml',
): ExposedPath => file(paths, settingsOf(holds, format, names));

/** How containers, machines and clusters are set up. */
export const containers: readonly ExposedPath[] = [
  file(
    ['Dockerfile', 'docker/Dockerfile', 'Dockerfile.prod', 'Containerfile'],
    [
      textOf('the recipe of a container image', [
        '(?mi)^FROM\\s+[\\w./:@{}$-]+',
        '(?m)^(?:RUN|COPY|CMD|ENTRYPOINT|WORKDIR|EXPOSE)\\s',
      ]),
    ],
    { inFolders: true },
  ),
  yaml(
    [
      'docker-compose.yml',
      'docker-compose.yaml',
      'compose.yml',
      'compose.yaml',
      'docker-compose.prod.yml',
      'docker-compose.override.yml',
    ],
    'the containers of the site',
    ['services\\.[\\w.-]+\\.(?:image|build(?:\\..+)?)'],
  ),
  yaml(
    [
      'deployment.yaml',
      'k8s/deployment.yaml',
      'kubernetes/deployment.yml',
      'k8s.yml',
      'k8s/secret.yaml',
      'secrets.yaml',
      'manifests/deployment.yaml',
    ],
    'objects of Kubernetes',
    ['apiVersion', 'kind', 'metadata\\.name'],
  ),
  yaml(['values.yaml', 'helm/values.yaml', 'chart/values.yaml', 'Chart.yaml'], 'a Helm chart', [
    '(?:image\\.repository|replicaCount|appVersion)',
  ]),
  file(['Vagrantfile'], [textOf('the recipe of a virtual machine', ['Vagrant\\.configure\\(', '\\.vm\\.box\\b'])]),
  yaml(
    ['ansible/hosts', 'inventory', 'hosts.ini', 'inventory.ini', 'ansible/inventory'],
    'servers that Ansible sets up',
    ['[\\w:-]+\\.[\\w.-]+ ?ansible_\\w+|[\\w:-]+\\.ansible_\\w+'],
    'ini',
  ),
  yaml(['playbook.yml', 'ansible/playbook.yml', 'site.yml'], 'what Ansible does on servers', [
    'hosts',
    '(?:tasks|roles|become)\\b.*',
  ]),
  file(
    ['main.tf', 'terraform/main.tf', 'variables.tf', 'Pulumi.yaml'],
    [
      textOf('the description of servers for Terraform', [
        '(?m)^(?:resource|provider|variable|module|terraform)\\s*(?:"[^"\\n]+"\\s*){0,2}\\{',
      ]),
    ],
  ),
  yaml(['app.yaml', 'fly.toml', 'render.yaml', 'Procfile.yml', 'captain-definition'], 'how a platform runs the site', [
    '(?:runtime|env_variables\\..+|handlers\\..+|services\\..+)',
    '(?:runtime|services\\..+)',
  ]),
  yaml(
    ['.ebextensions/env.config', 'Dockerrun.aws.json', 'samconfig.toml', 'template.yaml', 'cloudformation.yml'],
    'how AWS runs the site',
    ['(?:option_settings|AWSTemplateFormatVersion|AWSEBDockerrunVersion|Resources)\\b.*'],
  ),
  file(
    ['latest/meta-data/iam/security-credentials/', 'meta-data/', 'user-data', 'cloud-config.yml', 'cloud-init.yaml'],
    [
      ...secretsOf('the set-up of a cloud machine', 'yaml', [
        '(?:users|write_files|runcmd|packages|ssh_authorized_keys)\\b.*',
      ]),
      textOf(
        'the set-up of a cloud machine',
        ['^#cloud-config\\s', '(?m)^(?:users|write_files|runcmd|packages):'],
        mild,
      ),
    ],
  ),
];
