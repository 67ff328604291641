import { shellWord } from '../shell.ts';

/** Tags on lines of their own, so that it does not matter on which lines a page has them. */
const tags = String.raw`tr '\n<' ' \n'`;

/** Functions for a shell that read a field of a form out of a page, in whatever order and quotes its attributes stand, or a cookie out of a head. */
const functions = {
  /** A token: a word. */
  hidden_field: String.raw`${tags} | sed -nE "/ name=[\"']?$1[\"' >]/s/.* value=[\"']?([^\"' >]*).*/\1/p" | head -n 1`,
  /** Words of a person, with the references that are usual in them. */
  form_field: [
    String.raw`${tags} | sed -nE "/ name=[\"']?$1[\"' >]/{/ value=/!d;s/.* value=(\"([^\"]*)\"|'([^']*)'|([^\"' >]*)).*/\2\3\4/;`,
    String.raw`s/&(#0*39|#x27|apos);/'/g;s/&(#0*34|#x22|quot);/\"/g;s/&(#0*60|lt);/</g;s/&(#0*62|gt);/>/g;s/&(#0*38|amp);/\&/g;p;q;}"`,
  ].join(''),
  /** The last line of a name counts. */
  cookie_value: String.raw`tr -d '\r' | sed -nE "s/^[Ss]et-[Cc]ookie: *$1=([^;]*).*/\1/p" | tail -n 1`,
};

export const hiddenFieldFilter = (name: string): string => `hidden_field ${shellWord(escaped(name))}`;
export const cookieFilter = (name: string): string => `cookie_value ${shellWord(escaped(name))}`;
export const formFieldFilter = (name: string): string => `form_field ${shellWord(escaped(name))}`;

/** The definitions of those functions that these lines use. */
export const functionsFor = (lines: readonly string[]): string[] =>
  Object.entries(functions)
    .filter(([name]) => lines.some((line) => line.includes(`| ${name} `)))
    .map(([name, body]) => `${name}() { ${body}; }`);

/** A filter that reads a text member out of JSON by its name. */
export const memberFilter = (name: string): string =>
  `sed -nE ${shellWord(`s/.*"${escaped(name)}" *: *"([^"]*)".*/\\1/p`)} | head -n 1`;

const escaped = (name: string): string => name.replace(/[\\.^$*+?(){|[/]/g, '\\$&');
