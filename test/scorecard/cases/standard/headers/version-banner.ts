import { headerCases, pairOf } from '../../../sites/header-sites.ts';

export const cases = headerCases([
  pairOf('Server', 'Apache/2.4.52 (Ubuntu)', 'Apache'),
  {
    vulnerable: { headers: { 'X-Powered-By': 'PHP/8.1.2-1ubuntu2.14', Server: 'nginx' } },
    patched: { headers: { Server: 'nginx' } },
  },
  {
    vulnerable: { headers: { 'X-AspNet-Version': '4.0.30319', Server: 'Microsoft-IIS/10.0' } },
    patched: { headers: { Server: 'ECS (dcb/7F83)', 'X-Api-Version': '2.14.0' } },
  },
]);
