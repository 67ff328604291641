import type { ScoreCase } from '../../../case.ts';
import { bound } from '../../../sites/login-judges.ts';
import { type LoginSite, startLogin } from '../../../sites/login-sites.ts';

const caseOf = (name: string, site: Omit<LoginSite, 'judge'>, account: string, password: string): ScoreCase => ({
  name,
  start: (variant) =>
    startLogin({
      ...site,
      judge: (fields, request) =>
        variant === 'vulnerable' && fields.name === account && fields.password === password
          ? account
          : bound(fields, request),
    }),
});

export const cases: ScoreCase[] = [
  caseOf('administration of a shop', { title: 'Harbour administration' }, 'admin', 'admin'),
  caseOf('broker with its first account', { title: 'RabbitMQ Management' }, 'guest', 'guest'),
  caseOf('console that greets', { title: 'Control panel', style: 'page' }, 'admin', 'password'),
];
