import { defineCheck } from '../contract.ts';
import { type Exposed, exposedText, findExposed, proveExposed } from './exposed-file.ts';

/** How servers or containers of the site are set up is served. Source: WSTG-CONF-04, CWE-538. */
export const containerFile = defineCheck<Exposed>({
  id: 'exposure.container-file',
  title: 'Exposed container or infrastructure file',
  cwe: 538,
  owasp: 'A02:2025',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N',
  depth: 'standard',
  risk: 'safe',
  cost: 5,

  detect: (context) =>
    findExposed(context, 'container-file', { route: '/{container-file}', exceptLinked: true, maxPaths: 3 }),
  confirm: (_context, candidate) => proveExposed(candidate),
  gives: exposedText,

  explain: {
    description:
      'The web server gives out the recipe of a container, a machine or a cluster (Docker, Compose, Kubernetes, Ansible, Terraform, cloud-init).',
    impact:
      'It names images with their versions, internal hosts and ports, volumes and variables. Passwords of databases stand in such files often: then whoever reaches the database can use them.',
    sends:
      'GET requests for the known paths of container and infrastructure files, and for random names beside those that answer.',
    proves:
      'The answer has the structure of a known container or infrastructure file; a random name beside it is not answered so. An attacker reads images, hosts and variables, secrets among them where the finding says so.',
    remedy:
      'Change the secrets that stand in it. Deploy what is served and nothing else; in a Dockerfile copy the built folder alone (`COPY --from=build /app/dist /usr/share/nginx/html`), with a `.dockerignore`. Give secrets to containers as such (`secrets:` of Compose, Kubernetes Secrets from a vault), not as text.',
    references: [
      'CWE-538: https://cwe.mitre.org/data/definitions/538.html',
      'WSTG-CONF-04: https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
      'Docker, secrets in Compose: https://docs.docker.com/compose/how-tos/use-secrets/',
    ],
  },
});
