import type { CheckContext } from '../contract.ts';
import { likeliest, type OmissionReporter } from '../inputs/at-most.ts';
import { type Entrance, entering } from './entrances.ts';
import { clicksOfMessages, type Message, pageThatPosts } from './posted-messages.ts';
import { matchesIn } from './script-matches.ts';
import type { TracedVisit } from './traced-visit.ts';

/** Script that listens to what other windows post. */
export const readsMessages = (script: string): boolean =>
  /addEventListener\(\s*["'`]message["'`]|\bonmessage\s*=|\bon\(\s*["'`]message["'`]/.test(script);

const maxMembers = 10;
const maxKinds = 4;

/** A member that distinguishes the kinds of messages, and the kinds that a script knows. */
const kindNames = 'type|action|event|kind|cmd|command|method|op|name|msg|message|topic|channel';
const compares = '\\s*[=!]={1,2}\\s*';
const known = '["\'`]([\\w:./-]{1,40})["\'`]';
const kindOf = new RegExp(`\\b(${kindNames})(?:["'\`]\\])?${compares}${known}`, 'g');
const kindBefore = new RegExp(`${known}${compares}[\\w$.?]{1,40}?\\.(${kindNames})\\b`, 'g');
const caseOf = /\bcase\s+["'`]([\w:./-]{1,40})["'`]\s*:/g;
const switched = /\bswitch\s*\(\s*[\w.?]{0,60}\b(type|action|event|kind|cmd|command|method|op|name|topic|channel)\s*\)/;

type Context = Pick<CheckContext, 'nonce' | 'leave'>;

/** Where a listener compares a part of the origin of a message, and the texts and patterns there. */
const nearby = 80;
const comparesPart = /\b(?:indexOf|includes|startsWith|endsWith|search|match|test)\b/;
const writtenParts = /(["'`/])((?:(?!\1)[^\s\\]|\\.){3,80})\1/g;
const maxOrigins = 3;

/** Origins that anybody may have, with such a part at their begin or their end: "https://shop.example.‹nonce›.invalid". */
function likeOrigins(context: Context, pageUrl: string, scripts: readonly string[]): string[] {
  const uses = scripts
    .flatMap((script) => matchesIn(context, script, /\.origin\b/g).map(({ index }) => statementAt(script, index)))
    .filter((text) => comparesPart.test(text));
  if (uses.length === 0) return [];
  const { protocol, hostname } = new URL(pageUrl);
  const written = uses.flatMap((use) => [...use.matchAll(writtenParts)].flatMap(([, , text = '']) => namePart(text)));
  const made = [...new Set([hostname, ...written])].flatMap((part) => [`${part}.‹nonce›.invalid`, `‹nonce›${part}`]);
  const valid = made.filter((host) => URL.canParse(`${protocol}//${host.replaceAll('‹nonce›', 'n')}`));
  const { likely = [], somebodys = [] } = Object.groupBy(valid, (host) =>
    host.endsWith('.invalid') || host.endsWith(`.${hostname}`) ? 'likely' : 'somebodys',
  );
  if (somebodys.length > 0) {
    const text = `origins of messages that end in a name which somebody may have were left out: ${somebodys.length}`;
    context.leave({ code: 'guessed', count: somebodys.length, text });
  }
  return likeliest(context, likely, maxOrigins, 'origins of messages').map((host) => `${protocol}//${host}`);
}

/** What belongs together around a place in a script. */
const statementAt = (script: string, index: number): string => {
  const before =
    script
      .slice(Math.max(0, index - nearby), index)
      .split(/[;{}\n]/)
      .at(-1) ?? '';
  return before + (script.slice(index, index + nearby).split(/[;{}\n]/)[0] ?? '');
};

/** The name of a host in a text or a pattern, without what is around it there. */
const namePart = (text: string): string[] =>
  /[a-z\d][\w-]*(?:\.[\w-]+)*/i.exec(text.replace(/^\W*(?:https?\W*:?)?/i, '').replaceAll('\\', ''))?.slice(0, 1) ?? [];

/** A visit in which a page of another site posts what the listeners may take: texts, objects, and objects as JSON. */
export function messageVisits(context: Context, pageUrl: string, reading: readonly string[]): TracedVisit[] {
  const { nonce } = context;
  const listening = reading.filter(readsMessages);
  if (listening.length === 0) return [];
  const members = membersIn(context, listening);
  const kinds: Record<string, string>[] = kindsIn(context, listening);
  const isJson = listening.some((script) => /JSON\s*\.\s*parse/.test(script));
  const words = new Map<string, Entrance & { in: 'message' }>();
  const messages: unknown[] = [];
  const add = (message: Message, word: string) => words.set(word, { in: 'message', pageUrl, message });
  const text = nonce();
  add({}, text);
  messages.push(text);
  for (const kind of kinds.length > 0 ? kinds : [{}]) {
    const free = members.filter((member) => !(member in kind));
    const filler = Object.fromEntries(free.map((member) => [member, 'x']));
    for (const isText of isJson ? [true, false] : [false]) {
      const own = free.map((member) => [member, nonce()] as const);
      for (const [member, word] of own)
        add({ ...(isText ? { isText: true as const } : {}), member, others: { ...filler, ...kind } }, word);
      const data = { ...kind, ...Object.fromEntries(own) };
      if (own.length > 0) messages.push(isText ? JSON.stringify(data) : data);
    }
  }
  const visitFrom = (origin?: string): TracedVisit => {
    const own = [...words].map(([word, entrance]): [string, Entrance] => [
      word,
      { ...entrance, ...(origin && { origin }) },
    ]);
    const { url } = entering({ in: 'message', pageUrl, message: {}, ...(origin && { origin }) }, '');
    return {
      url: url.replaceAll('‹nonce›', nonce()),
      page: pageThatPosts(pageUrl, messages),
      clicks: clicksOfMessages,
      words: new Map(own),
      ...(origin && { isLastResort: true }),
    };
  };
  return [visitFrom(), ...likeOrigins(context, pageUrl, listening).map(visitFrom)];
}

/** Names that stand behind `data.`, or that are destructured from it. */
function membersIn(context: OmissionReporter, scripts: readonly string[]): string[] {
  const namesOf = (script: string, pattern: RegExp) => firstNames(context, script, pattern);
  const found = scripts.flatMap((script) => [
    ...namesOf(script, /\b(?:data|detail|msg|message|payload|parsed|d|m)\??\.([a-z_]\w{0,30})\b(?!\s*\()/gi),
    ...namesOf(script, /\{([\w\s,:='"]{1,200})\}\s*=\s*[^;{}]{0,60}\bdata\b/gi).flatMap((list) =>
      list.split(',').flatMap((part) => /[a-z_]\w{0,30}/i.exec(part)?.[0] ?? []),
    ),
    ...kept(script, namesOf),
  ]);
  const names = [...new Set(found)].filter((name) => name !== 'data');
  return likeliest(context, names, maxMembers, 'members of messages');
}

/** `const given = event.data` or `= JSON.parse(event.data)`, and then `given.member`. */
const kept = (script: string, namesOf: (script: string, pattern: RegExp) => string[]): string[] =>
  namesOf(
    script,
    /\b([a-z_$][\w$]{0,30})\s*=\s*(?:typeof\s+)?(?:JSON\s*\.\s*parse\(\s*)?[\w$.]{1,30}\.data\b/gi,
  ).flatMap((name) =>
    namesOf(script, new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}\\??\\.([a-z_]\\w{0,30})`, 'gi')),
  );

const firstNames = (context: OmissionReporter, script: string, pattern: RegExp): string[] =>
  matchesIn(context, script, pattern).map(([, name = '']) => name);

function kindsIn(context: OmissionReporter, scripts: readonly string[]): Record<string, string>[] {
  const found = scripts.flatMap((script) => {
    const compared = [
      ...matchesIn(context, script, kindOf).map(([, name = '', kind = '']) => ({ [name]: kind })),
      ...matchesIn(context, script, kindBefore).map(([, kind = '', name = '']) => ({ [name]: kind })),
    ];
    const name = switched.exec(script)?.[1];
    if (name === undefined) return compared;
    return [...compared, ...firstNames(context, script, caseOf).map((kind) => ({ [name]: kind }))];
  });
  const kinds = new Map(found.map((kind) => [JSON.stringify(kind), kind]));
  return likeliest(context, [...kinds.values()], maxKinds, 'kinds of messages');
}
