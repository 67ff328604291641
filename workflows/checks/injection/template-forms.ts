import { inBase64 } from '../../proof/template.ts';

/** A value that a language would evaluate, and what is seen of it then. */
export type ExpressionForm = {
  value: string;
  result: string;
  /** The same without what makes an expression of it. */
  inert: string;
  /** What it says of the language, in a sentence. */
  detail: string;
  /** Where it shows less than that code may be run. */
  cvss?: string;
};

/** @property seen what its result shows, in a sentence */
export type TemplateForm = ExpressionForm & { seen: string };

const between = (text: string): string => `‹nonce›${text}‹nonce2›`;
const product = '‹int›*‹int2›';
const computed = between('‹product:int:int2›');

/**
 * How languages for templates write an expression, the commonest first, and some of those that do. Forms that calculate between
 * single braces on purpose are many, so that Smarty and Latte are known by their conditions.
 */
const expressions: readonly [expression: string, languages: string][] = [
  [`{{${product}}}`, 'Jinja2, Twig, Nunjucks, Pebble'],
  [`\${${product}}`, 'Mako, Thymeleaf, JSP and Spring expressions'],
  [`<%=${product}%>`, 'ERB, EJS'],
  [`#{${product}}`, 'Pug, Slim, JSF'],
  // FreeMarker puts separators into numbers unless they are for a computer.
  [`\${(${product})?c}`, 'FreeMarker'],
  [`@(${product})`, 'Razor'],
  [`{{=${product}}}`, 'doT'],
  [`[[\${${product}}]]`, 'Thymeleaf'],
  [`#set($x=${product})\${x}`, 'Velocity'],
  [`*{${product}}`, 'Spring expressions'],
  // Where a dollar or "<%=" is refused: a block that writes.
  [`<%context.write(str(${product}))%>`, 'Mako'],
  [`<% _erbout<<(${product}).to_s%>`, 'ERB'],
  [`<% __append(${product})%>`, 'EJS'],
];

/** The first branch is never taken: what only takes signs out leaves both. */
const [never, always] = ['‹nonce3›', '‹nonce4›'];
/** Conditions, for languages that do not calculate. */
const conditions: readonly [condition: string, languages: string][] = [
  [`{% if false %}${never}{% else %}${always}{% endif %}`, 'Django, Liquid, Jinja2, Twig'],
  [`{{#if ‹nonce5›}}${never}{{else}}${always}{{/if}}`, 'Handlebars'],
  [`{{if false}}${never}{{else}}${always}{{end}}`, 'Go'],
  [`{{#‹nonce5›}}${never}{{/‹nonce5›}}{{^‹nonce5›}}${always}{{/‹nonce5›}}`, 'Mustache, Handlebars'],
  [`<#if false>${never}<#else>${always}</#if>`, 'FreeMarker'],
  [`{if false}${never}{else}${always}{/if}`, 'Smarty, Latte'],
  [`#if(false)${never}#{else}${always}#{end}`, 'Velocity'],
  [`{% if False %}${never}{% else %}${always}{% end %}`, 'Tornado'],
];

const calculates = (value: string, languages: string): TemplateForm => ({
  value,
  result: computed,
  inert: between(product),
  seen: 'The product stands where the expression was.',
  detail: `Expressions are written as in ${languages}.`,
});

const decides = ([condition, languages]: (typeof conditions)[number]): TemplateForm => ({
  value: between(condition),
  result: between(always),
  inert: between(condition.replace(/[^\w‹› ]+/g, ' ')),
  seen: 'The branch that is taken stands where the condition was, and the other does not.',
  detail: `Conditions are written as in ${languages}.`,
});

/** Members of objects, or files, are read by it, settings and keys among them, and nothing is called. */
const readingVector = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N';

const decoder = `base64Decoder:${inBase64('‹nonce3›')}`;
/** Lookups by name, which calculate nothing. Source: Apache Commons Text, StringLookupFactory; CVE-2022-42889. */
const lookups: TemplateForm = {
  value: `‹nonce›\${${decoder}}`,
  result: '‹nonce›‹nonce3›',
  inert: `‹nonce›${decoder}`,
  seen: 'The text that was in base64 stands where the lookup was.',
  detail:
    'Placeholders are looked up by Apache Commons Text (`StringSubstitutor.createInterpolator`) or Commons Configuration, which read files and settings, and before versions 1.10 and 2.8 run scripts and ask other hosts.',
  cvss: readingVector,
};

/** Values that are templates of their own. */
export const ownTemplates: readonly TemplateForm[] = [
  ...expressions.map(([expression, languages]) => calculates(between(expression), languages)),
  ...conditions.map(decides),
  lookups,
];

const calculatingIn = (...begins: string[]): TemplateForm[] =>
  expressions
    .filter(([expression]) => begins.some((begin) => expression.startsWith(`${begin}‹int›`)))
    .map(([expression, languages]) => calculates(between(expression), languages));

const calculatingFor = (language: string): TemplateForm[] =>
  expressions
    .filter(([, languages]) => languages === language)
    .map(([expression, languages]) => calculates(between(expression), languages));

const decidingIn = (begin: string): TemplateForm[] =>
  conditions.filter(([condition]) => condition.startsWith(begin)).map(decides);

/** In a comment of Jinja2, Django and Twig, which otherwise would refuse what another language reads. */
const commented = ({ value, inert, ...form }: TemplateForm): TemplateForm => ({
  ...form,
  value: `{# ${value} #}`,
  inert: ` ${inert} `,
});

/** What most languages take one expression of, and the rest for text, in one text. */
export const faultless: readonly TemplateForm[] = calculatingIn('{{', '${', '#{', '<%=');

/** Expressions that may stand in one text: a language of one group takes the rest of the group for text. */
export const togetherInText: readonly { forms: readonly TemplateForm[]; instead?: readonly TemplateForm[] }[] = [
  { forms: calculatingIn('{{', '${', '#{') },
  {
    forms: [...calculatingIn('<%=', '@(', '[[${'), ...decidingIn('{if')],
    // Something reads double braces, and calculates nothing between them; or a dollar, with separators in its numbers.
    instead: [
      ...decidingIn('{{#‹nonce5›').map(commented),
      ...calculatingFor('FreeMarker'),
      ...decidingIn('{% if false'),
    ],
  },
  // Of conditions those that refuse each other's would be two texts; filters refuse double braces, which these do without.
  { forms: decidingIn('{% if false'), instead: [...decidingIn('{{if').map(commented), ...decidingIn('#if')] },
];

const quotes = ['"', "'"] as const;

/** A template's text in which the value stands within an expression, or a tag: that is ended first, and begun again behind. */
export const withinTexts: readonly TemplateForm[] = [
  ...(
    [
      ['}}', '{{', `{{${product}}}`, 'Jinja2, Twig, Nunjucks'],
      ['}', '${', `\${${product}}`, 'Mako, FreeMarker and Spring expressions'],
      ['%>', '<%=', `<%=${product}%>`, 'ERB, EJS'],
    ] as const
  ).flatMap(([end, begin, expression, languages]) =>
    quotes.map((quote) => calculates(between(`${quote}${end}${expression}${begin}${quote}`), languages)),
  ),
  // What stands in a tag is not shown, so that all of it follows.
  ...['{% endif %}{% if ', '{% set x = '].flatMap((rest) =>
    quotes.map((quote) =>
      calculates(`‹nonce5›${quote} %}${between(`{{${product}}}`)}${rest}${quote}`, 'Jinja2, Twig, Nunjucks'),
    ),
  ),
];

/** Languages whose lines are statements; what follows in the template may be indented below the last line. */
export const lineTemplates: readonly TemplateForm[] = [
  {
    ...calculates(`= "‹nonce›"+${product}+"‹nonce2›"\np`, 'Pug, of a line'),
    inert: `"‹nonce›"+${product}+"‹nonce2›"\np`,
  },
  {
    ...decides(['', 'Mako, of lines']),
    value: `% if False:\n${never}\n% else:\n${always}\n% endif\n‹nonce2›`,
    result: `${always}\n‹nonce2›`,
    inert: `${never}\n${always}\nendif\n‹nonce2›`,
  },
];

/** What files and hosts end in is as short as some members are. */
const ending = /\.(?!(?:name|last|nick|mail|role|city|id)$)\w{2,4}$/i;

/** "user.name" */
export const isMemberName = (sample: string): boolean =>
  /^[a-z_]\w{0,40}(?:\.[a-z_]\w{0,40}){1,4}$/i.test(sample) && !ending.test(sample);

/** A value that is a name within an expression. @param sample one that the site uses */
export const asName = (sample: string): TemplateForm[] =>
  (
    [
      ['}}', `{{${product}}}`, 'Jinja2, Twig, Nunjucks'],
      [' %}', `{{${product}}}`, 'Jinja2, Twig, Nunjucks'],
      ['}', `\${${product}}`, 'Mako, FreeMarker and Spring expressions'],
      ['%>', `<%=${product}%>`, 'ERB, EJS'],
    ] as const
  ).map(([end, expression, languages]) => ({
    ...calculates(`${sample}${end}${between(expression)}`, languages),
    inert: `${sample}${between(product)}`,
  }));

/**
 * Format strings of Python, which reach the members of what they are given: the type of every type is called "type".
 * @param sample whose own placeholders name what that is
 */
export const inFormat = (sample: string): TemplateForm[] => readingMembers([...namesOfPlaceholders(sample), '0']);

/** The same for a text whose own placeholders say that it is such a string. */
export const inOwnFormat = (sample: string): TemplateForm[] => readingMembers(namesOfPlaceholders(sample));

const namesOfPlaceholders = (sample: string): string[] =>
  [...sample.matchAll(/(?<!\{)\{([a-z_]\w{0,40})(?:[.[:!][^{}]{0,80})?\}(?!\})/gi)]
    .map(([, name = '']) => name)
    .slice(0, 3);

function readingMembers(names: readonly string[]): TemplateForm[] {
  return [...new Set(names)].map((name) => ({
    value: between(`{${name}.__class__.__class__.__name__}`),
    result: between('type'),
    inert: between(`${name}.__class__.__class__.__name__`),
    seen: 'The name of the type stands where the placeholder was.',
    detail: 'It is a format string of Python (`str.format`) that reads the members of what it is given.',
    cvss: readingVector,
  }));
}
