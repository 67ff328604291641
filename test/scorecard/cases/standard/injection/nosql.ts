import { runInNewContext } from 'node:vm';
import { Query } from 'mingo';
import type { ScoreCase } from '../../../case.ts';
import { type Colleague, colleagues, colleaguesPage } from '../../../sites/people-list.ts';
import { startValuePage } from '../../../sites/value-page.ts';

const find = (condition: Record<string, unknown>): string =>
  colleaguesPage(new Query(condition).find<Colleague>([...colleagues]).all());

const operators: ScoreCase = {
  name: 'search whose value goes into the query as it was parsed',
  start: (variant) =>
    startValuePage({
      link: '/who?name=ada',
      make: (name, { query }) => find({ name: variant === 'vulnerable' ? query.name : name }),
    }),
};

const alsoOf: ScoreCase = {
  name: 'search for an office with a fixed condition beside it, which hides errors',
  start: (variant) =>
    startValuePage({
      link: '/office?of=north',
      make: (office, { query }) => {
        try {
          return find({ age: { $gt: '30' }, office: variant === 'vulnerable' ? query.of : { $eq: office } });
        } catch {
          return colleaguesPage([]);
        }
      },
    }),
};

const script: ScoreCase = {
  name: 'condition in JavaScript, as that of $where',
  start: (variant) =>
    startValuePage({
      link: '/who?name=ada',
      make: (name) => {
        const text = variant === 'vulnerable' ? `"${name}"` : JSON.stringify(name);
        return colleaguesPage(colleagues.filter((each) => runInNewContext(`this.name == ${text}`, { ...each })));
      },
    }),
};

const notFound: ScoreCase = {
  name: 'the same where the only value that the site uses finds nobody',
  start: (variant) =>
    startValuePage({
      link: '/reach?mail=somebody',
      make: (mail) => {
        const text = variant === 'vulnerable' ? `'${mail}'` : JSON.stringify(mail);
        return colleaguesPage(colleagues.filter((each) => runInNewContext(`this.mail === ${text}`, { ...each })));
      },
    }),
};

export const cases: ScoreCase[] = [operators, alsoOf, script, notFound];
