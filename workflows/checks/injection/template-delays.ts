import type { Delaying } from './delays.ts';

/** Loops in loops, so that no list of many numbers is made. */
const inner = 1_000;

/** @property times of the usual turns that take a second */
type LoopingLanguage = { name: string; word: string; times: number; loop(word: string, turns: string): string };

const languages: readonly LoopingLanguage[] = [
  {
    name: 'Jinja2, Twig, Nunjucks and Pebble',
    word: 'range',
    times: 6,
    loop: (range, turns) =>
      `{% for a in ${range}(0,${turns}) %}{% for b in ${range}(0,${inner}) %}{% endfor %}{% endfor %}`,
  },
  {
    name: 'FreeMarker',
    word: 'list',
    times: 20,
    loop: (list, turns) => `<#${list} 0..<(${turns}) as a><#${list} 0..<${inner} as b></#${list}></#${list}>`,
  },
  {
    name: 'Velocity',
    word: 'foreach',
    times: 2,
    loop: (foreach, turns) =>
      `#set($zq=${turns})#if($zq>0)#${foreach}($a in [1..$zq])#${foreach}($b in [1..${inner}])#end#end#end`,
  },
];

const turnsFor = (seconds: string, turns: number): string => `${Math.ceil(turns / inner)}*${seconds}`;

/** Templates that loop for as long as the value says, of which nothing is shown. */
export const delayingTemplates: readonly Delaying[] = languages.map((language) => pacedAt(language, inner));

function pacedAt(language: LoopingLanguage, turns: number): Delaying {
  const { name, word, times, loop } = language;
  return {
    where: `a template of ${name}`,
    value: (seconds) => loop(word, turnsFor(seconds, times * turns)),
    broken: (seconds) => loop(`${word}q`, turnsFor(seconds, times * turns)),
    paced: (next) => pacedAt(language, next),
    tolerance: 0.5,
  };
}

/** All of them in one text, since each of the languages takes the others for text. @param turns of each loop */
export const loopingTemplates = (turns: number): string =>
  languages.map(({ word, times, loop }) => loop(word, turnsFor('1', times * turns))).join('');
