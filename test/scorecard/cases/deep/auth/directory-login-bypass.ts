import type { ScoreCase } from '../../../case.ts';
import { accounts, bound, inXml, text } from '../../../sites/login-judges.ts';
import { type Judge, startLogin } from '../../../sites/login-sites.ts';

/** A filter that takes asterisks, as directories compare texts. */
const byFilter: Judge = ({ name, password }) => {
  const fits = (pattern: string, value: string) =>
    new RegExp(
      `^${pattern
        .split('*')
        .map((part) => part.replace(/[^\w]/g, '\\$&'))
        .join('.*')}$`,
    ).test(value);
  const found = accounts.find((each) => fits(text(name), each.name) && fits(text(password), each.password));
  return found?.name;
};

export const cases: ScoreCase[] = [
  {
    name: 'form that is looked up in XML',
    start: (variant) => startLogin({ judge: variant === 'patched' ? bound : inXml }),
  },
  {
    name: 'page that greets whom it finds in XML',
    start: (variant) => startLogin({ style: 'page', judge: variant === 'patched' ? bound : inXml }),
  },
  {
    name: 'form whose values are patterns of a directory',
    start: (variant) => startLogin({ judge: variant === 'patched' ? bound : byFilter }),
  },
];
