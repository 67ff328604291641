import { runInNewContext } from 'node:vm';
import type { ScoreCase } from '../../../case.ts';
import { accounts, inDocuments, text } from '../../../sites/login-judges.ts';
import { type Judge, startLogin } from '../../../sites/login-sites.ts';

const demanding: Judge = (fields, request) =>
  inDocuments({ name: text(fields.name), password: text(fields.password) }, request);
const inScript: Judge = ({ name, password }) =>
  accounts.find((account) =>
    runInNewContext(`this.name === '${text(name)}' && this.password === '${text(password)}'`, { ...account }),
  )?.name;

export const cases: ScoreCase[] = [
  {
    name: 'form whose fields become operators',
    start: (variant) => startLogin({ judge: variant === 'patched' ? demanding : inDocuments }),
  },
  {
    name: 'JSON that is a query as it is',
    start: (variant) => startLogin({ style: 'token', judge: variant === 'patched' ? demanding : inDocuments }),
  },
  {
    name: 'condition in JavaScript',
    start: (variant) => startLogin({ judge: variant === 'patched' ? demanding : inScript }),
  },
];
