import { createRequire } from 'node:module';
import ejs from 'ejs';
import handlebars from 'handlebars';
import { Liquid } from 'liquidjs';
import nunjucks from 'nunjucks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownTemplates } from '../../../../workflows/checks/injection/template-forms.ts';
import { fill, newTrialValues } from '../../../../workflows/proof/template.ts';

const test = suite('expressions of template languages');
const require = createRequire(import.meta.url);

/** These come without types. */
const dot = require('dot') as { template(text: string): (values: object) => string };
const mustache = require('mustache') as { render(text: string, values: object): string };
const pug = require('pug') as { render(text: string): string };
const velocity = require('velocityjs') as { render(text: string, values: object): string };
const liquid = new Liquid();

const engines: Record<string, (text: string) => string> = {
  Nunjucks: (text) => nunjucks.renderString(text, {}),
  EJS: (text) => ejs.render(text),
  Handlebars: (text) => handlebars.compile(text)({}),
  Mustache: (text) => mustache.render(text, {}),
  Liquid: (text) => String(liquid.parseAndRenderSync(text)),
  Velocity: (text) => velocity.render(text, {}),
  Pug: (text) => pug.render(`p ${text}`),
  doT: (text) => dot.template(text)({}),
};

/** Words of one trial follow each other without a sign between them. */
const word = () => `w${Math.random().toString(36).slice(2, 10)}`;

for (const [name, render] of Object.entries(engines))
  test(`${name} evaluates each that is said to be of it, and not without its signs`, () => {
    const own = ownTemplates.filter(({ detail }) => detail.includes(name));
    assert.ok(own.length > 0);
    for (const { value, result, inert } of own) {
      const values = newTrialValues(word);
      assert.ok(render(fill(value, values)).includes(fill(result, values)), value);
      assert.not(render(fill(inert, values)).includes(fill(result, values)), inert);
    }
  });

test.run();
