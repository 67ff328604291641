import { likeliest, type OmissionReporter } from '../inputs/at-most.ts';
import { matchesIn } from './script-matches.ts';

/** Names that a script asks the query or the fragment for, by the habits of libraries and of old code. */
const patterns = [
  /\.(?:get|getAll|has)\(\s*["'`](\w[\w.[\]-]{0,39})["'`]/g,
  /(?:param|query|qs|hash|url)\w{0,30}\(\s*["'`](\w[\w.[\]-]{0,39})["'`]/gi,
  // "?name=" or "#name=" in a text, and "[?&]name=" or "(?:^|&)name=" in a pattern
  /[?&#](?:\]|\)){0,2}([a-z][\w-]{0,30})=/gi,
  // a pattern that begins with the name: `/^#?tab=([^&]*)/`
  /\/\^?(?:\\?#\??|\\\?)?([a-z][\w-]{0,30})=[([]/gi,
  // `location.hash.indexOf("name=")`
  /(?:indexOf|split|includes|search|match|startsWith|lastIndexOf)\(\s*["'`]([a-z][\w-]{0,30})=["'`]/gi,
  /\b(?:query|params|searchParams|qs|args|options)\??\.([a-z_]\w{0,30})\b(?!\s*\()/gi,
  /\b(?:query|params|qs|args|hash|options)\[\s*["'`]([\w.-]{1,40})["'`]\s*\]/gi,
];
/** `const { name, next = "/" } = …` beside something that reads the address. */
const destructured = /\{([\w\s,:='"/]{1,200})\}\s*=[^;{}]{0,80}(?:searchParams|location|query|params|parse)/gi;
const readsAddress = /\blocation\b|URLSearchParams|searchParams|\bdocument\.URL\b/;

const maxNames = 30;
/** What stands this near to a use of the address most often belongs to it; bundles hold much else. */
const nearby = 300;

/** Names of parameters that scripts may look for, the likeliest first. */
export function namesIn(context: OmissionReporter, scripts: readonly string[]): string[] {
  const found = scripts.flatMap((script) =>
    namesWithPlaces(context, script).map(({ name, at }) => ({ name, rank: rankOf(script, at) })),
  );
  const names = new Set(found.toSorted((a, b) => a.rank - b.rank).map(({ name }) => name));
  return likeliest(context, [...names], maxNames, 'names of parameters');
}

type NamePlace = { name: string; at: number };

function namesWithPlaces(context: OmissionReporter, script: string): NamePlace[] {
  const plain = patterns.flatMap((pattern) =>
    matchesIn(context, script, pattern).map(({ 1: name = '', index }) => ({ name, at: index })),
  );
  const members = matchesIn(context, script, destructured).flatMap(({ 1: list = '', index }) =>
    list.split(',').flatMap((part) => {
      const name = /^\s*([a-z_$][\w$]{0,30})/i.exec(part)?.[1];
      return name === undefined ? [] : [{ name, at: index }];
    }),
  );
  return [...plain, ...members, ...keptIn(context, script)].filter(({ name }) => name !== '');
}

/** What a loop over the pieces of a query puts its values into by their names. */
const filledMap = /\b([a-z_$][\w$]{0,30})\[[^[\]=]{1,40}(?:\[\d\])?\]\s*=\s*(?:decodeURIComponent|unescape)\(/gi;

const keptIn = (context: OmissionReporter, script: string): NamePlace[] =>
  matchesIn(context, script, filledMap).flatMap(({ 1: map = '', index }) =>
    [map, ...keptElsewhere(context, script, { map, index })].flatMap((name) =>
      matchesIn(context, script, memberOf(name)).map(({ 1: member = '' }) => ({ name: member, at: index })),
    ),
  );

/** What the function that fills a map is called for. */
function keptElsewhere(
  context: OmissionReporter,
  script: string,
  { map, index }: { map: string; index: number },
): string[] {
  if (!new RegExp(`^[^]{0,200}?\\breturn\\s+${map.replaceAll('$', '\\$')}\\b`).test(script.slice(index))) return [];
  const before = script.slice(Math.max(0, index - nearby), index);
  const [, named, assigned] = [...before.matchAll(functionNames)].at(-1) ?? [];
  const maker = (named ?? assigned)?.replaceAll('$', '\\$');
  if (maker === undefined) return [];
  const calls = new RegExp(`\\b([a-z_$][\\w$]{0,30})\\s*=\\s*${maker}\\(`, 'gi');
  return matchesIn(context, script, calls).map(({ 1: name = '' }) => name);
}

const functionNames =
  /\bfunction\s+([a-z_$][\w$]{0,30})\s*\(|\b([a-z_$][\w$]{0,30})\s*=\s*(?:function\b|\([\w$,\s]{0,60}\)\s*=>|[\w$]{1,30}\s*=>)/gi;

const memberOf = (name: string): RegExp =>
  new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}\\??\\.([a-z_]\\w{0,30})`, 'gi');

const rankOf = (script: string, at: number): number =>
  readsAddress.test(script.slice(Math.max(0, at - nearby), at + nearby)) ? 0 : 1;

const maxMembers = 8;
/** The name that JSON is kept under when it was read from something else than a text of the script's own. */
const parsedAs = /\b([a-z_$][\w$]{0,30})\s*=\s*JSON\s*\.\s*parse\(/gi;
const parsedMember = /JSON\s*\.\s*parse\((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,200}\)\s*\??\.\s*([a-z_]\w{0,30})/gi;
const parsedMembers = /\{([\w\s,:='"]{1,200})\}\s*=\s*JSON\s*\.\s*parse\(/gi;

/** Members that scripts read of JSON which they take out of their address. */
export function membersIn(context: OmissionReporter, scripts: readonly string[]): string[] {
  const parsing = scripts.filter((script) => /\bJSON\s*\.\s*parse\b/.test(script));
  const found = parsing.flatMap((script) => membersOf(context, script));
  return likeliest(context, [...new Set(found)], maxMembers, 'members of JSON');
}

function membersOf(context: OmissionReporter, script: string): string[] {
  const isNear = ({ index }: RegExpExecArray) => rankOf(script, index) === 0;
  const near = (pattern: RegExp) => matchesIn(context, script, pattern).filter(isNear);
  const kept = near(parsedAs).flatMap(({ 1: name = '' }) =>
    matchesIn(context, script, memberOf(name)).map(({ 1: member = '' }) => member),
  );
  const taken = near(parsedMembers).flatMap(({ 1: list = '' }) =>
    list.split(',').flatMap((part) => /[a-z_]\w{0,30}/i.exec(part)?.[0] ?? []),
  );
  return [...kept, ...taken, ...near(parsedMember).map(({ 1: member = '' }) => member)];
}

/** Names of parameters near to an \`import()\` of something that is no text, and "hash" where the fragment is. */
export function importNamesIn(context: OmissionReporter, scripts: readonly string[]): string[] {
  return scripts.flatMap((script) =>
    matchesIn(context, script, /\bimport\s*\(\s*(?!["'`)\s])/g).flatMap(({ index }) => {
      const around = script.slice(Math.max(0, index - nearby), index + nearby);
      if (!readsAddress.test(around)) return [];
      return [...namesIn(context, [around]), ...(/\bhash\b/.test(around) ? ['hash'] : [])];
    }),
  );
}
