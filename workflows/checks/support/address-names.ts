/** Names that a script asks the query or the fragment for, by the habits of libraries and of old code. */
const patterns = [
  /\.(?:get|getAll|has)\(\s*["'`](\w[\w.[\]-]{0,39})["'`]/g,
  /(?:param|query|qs|hash|url)\w*\(\s*["'`](\w[\w.[\]-]{0,39})["'`]/gi,
  // "?name=" in a text, and "[?&]name=" or "(?:^|&)name=" in a pattern
  /[?&](?:\]|\)){0,2}([a-z][\w-]{0,30})=/gi,
  /\b(?:query|params|searchParams|qs|args|options)\??\.([a-z_]\w{0,30})\b(?!\s*\()/gi,
  /\b(?:query|params|qs|args|hash|options)\[\s*["'`]([\w.-]{1,40})["'`]\s*\]/gi,
];
/** `const { name, next = "/" } = …` beside something that reads the address. */
const destructured = /\{([\w\s,:='"/]{1,200})\}\s*=[^;{}]{0,80}(?:searchParams|location|query|params|parse)/gi;
const readsAddress = /\blocation\b|URLSearchParams|searchParams|\bdocument\.URL\b/;

const maxNames = 30;
const maxMatches = 200;
/** What stands this near to a use of the address most often belongs to it; bundles hold much else. */
const nearby = 300;

/** Names of parameters that scripts may look for, the likeliest first. */
export function namesIn(scripts: readonly string[]): string[] {
  const found = scripts.flatMap((script) =>
    matchesIn(script).map(({ name, at }) => ({ name, rank: rankOf(script, at) })),
  );
  return [...new Set(found.toSorted((a, b) => a.rank - b.rank).map(({ name }) => name))].slice(0, maxNames);
}

function matchesIn(script: string): { name: string; at: number }[] {
  const plain = patterns.flatMap((pattern) =>
    [...script.matchAll(pattern)].slice(0, maxMatches).flatMap(({ 1: name = '', index }) => ({ name, at: index })),
  );
  const members = [...script.matchAll(destructured)].slice(0, maxMatches).flatMap(({ 1: list = '', index }) =>
    list.split(',').flatMap((part) => {
      const name = /^\s*([a-z_$][\w$]{0,30})/i.exec(part)?.[1];
      return name === undefined ? [] : [{ name, at: index }];
    }),
  );
  return [...plain, ...members].filter(({ name }) => name !== '');
}

const rankOf = (script: string, at: number): number =>
  readsAddress.test(script.slice(Math.max(0, at - nearby), at + nearby)) ? 0 : 1;
