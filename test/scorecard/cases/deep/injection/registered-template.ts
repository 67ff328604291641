import ejs from 'ejs';
import nunjucks from 'nunjucks';
import type { ScoreCase } from '../../../case.ts';
import { startNotebook } from '../../../sites/notebook.ts';

const pages = new nunjucks.Environment(null, { autoescape: true });

export const cases: ScoreCase[] = [
  {
    name: 'the city of an account in a template of Nunjucks',
    start: (variant) =>
      startNotebook({
        name: 'bound',
        byCity: true,
        heading: (city) =>
          pages.renderString(`<h1>Notes from ${variant === 'vulnerable' ? city : '{{ city }}'}</h1>`, { city }),
      }),
  },
  {
    name: 'the name of an account in a template of Nunjucks, behind an overview',
    start: (variant) =>
      startNotebook({
        name: 'bound',
        hasOverview: true,
        heading: (name) => pages.renderString(`<h1>${variant === 'vulnerable' ? name : '{{ name }}'}</h1>`, { name }),
      }),
  },
  {
    name: 'the name of an account in a template of EJS',
    start: (variant) =>
      startNotebook({
        name: 'bound',
        heading: (name) => ejs.render(`<h1>Notes of ${variant === 'vulnerable' ? name : '<%= name %>'}</h1>`, { name }),
      }),
  },
];
