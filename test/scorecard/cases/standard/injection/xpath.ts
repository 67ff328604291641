import { DOMParser } from '@xmldom/xmldom';
import xpath from 'xpath';
import type { ScoreCase } from '../../../case.ts';
import { colleagues, colleaguesPage } from '../../../sites/people-list.ts';
import { startValuePage } from '../../../sites/value-page.ts';

type Found = { getElementsByTagName(name: string): { textContent: string }[] };
/** The types of the package leave out what binds variables. */
const { parse } = xpath as unknown as {
  parse(expression: string): { select(options: { node: unknown; variables: Record<string, string> }): Found[] };
};

const text = colleagues.map(
  ({ name, office, age }) => `<person age="${age}"><name>${name}</name><office>${office}</office></person>`,
);
const document = new DOMParser().parseFromString(`<people>${text.join('')}</people>`, 'text/xml');

const select = (expression: string, variables: Record<string, string> = {}): string => {
  const textOf = (node: Found, name: string) => node.getElementsByTagName(name)[0]?.textContent ?? '';
  const found = parse(expression).select({ node: document, variables });
  return colleaguesPage(found.map((node) => ({ name: textOf(node, 'name'), office: textOf(node, 'office') })));
};

const caseOf = (name: string, link: string, vulnerable: (value: string) => string, patched: string): ScoreCase => ({
  name,
  start: (variant) =>
    startValuePage({
      link,
      make: (value) => (variant === 'vulnerable' ? select(vulnerable(value)) : select(patched, { value })),
    }),
});

export const cases: ScoreCase[] = [
  caseOf('name in single quotes', '/who?name=ada', (name) => `//person[name='${name}']`, '//person[name=$value]'),
  caseOf(
    'part of a name in double quotes, as an argument',
    '/search?for=ad',
    (part) => `//person[contains(name, "${part}")]`,
    '//person[contains(name, $value)]',
  ),
  caseOf('age as a number', '/who?age=36', (age) => `//person[@age=${age}]`, '//person[@age=number($value)]'),
];
