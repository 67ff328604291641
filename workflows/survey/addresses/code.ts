import { tokenizer } from 'acorn';
import { type ClientCallReader, type ClientCalls, callTokens, clientCallReader } from './client-calls.ts';
import { moduleListReader } from './module-lists.ts';
import { commentReader } from './prose.ts';
import { type RouteTableReader, routeTableReader } from './route-tables.ts';
import { type CodeToken, wholeTexts } from './whole-texts.ts';

/** Addresses that code holds. */
type CodeAddresses = {
  /** As they are. */
  urls: string[];
  /** Put together from parts. */
  guesses: string[];
  /** The same with a sample of ours where a value goes in. */
  made: string[];
  /** From tables of routes, from the root on. */
  routes: string[];
  /** The same with a sample of ours where a value goes in. */
  madeRoutes: string[];
  /** Modules that it imports, as they are written: they are relative to the file that it stands in. */
  modules: string[];
  client: ClientCalls;
  /** Addresses of the client's calls, which are none where it puts a base before them. */
  called: Pick<CodeAddresses, 'urls' | 'guesses' | 'made'>;
};

/** What is longer is read to here: bundles have megabytes, most of it libraries. */
const maxLength = 2 * 1024 * 1024;
const maxVariables = 5_000;
/** Stands where code puts a value into an address. */
const sample = '1';
const hole = '\uE000';

/** Text that can only be an address. */
const certain = /^(?:https?:\/\/[\w.-]+(?::\d+)?(?:\/|$)|\/[\w~]|\.{1,2}\/[\w~])[^\s<>"'`|\\^]*$/;
/** Text that is one where it has a known ending or a query. */
const likely =
  /^[\w~-]+(?:\/[\w.~{}:\uE000-]+)*(?:\.(?:php\d?|html?|aspx?|ashx|jspx?|do|action|cgi|pl|cfm|json|xml|svc)(?:\?.*)?|\?[\w[\]]+=.*)$/;
const api = /^(?:api|rest|v\d|graphql|rpc|services?|ajax)\/[\w./{}:\uE000-]+$/i;
const relativeModule = /^\.{1,2}\/[\w~@.][^\s<>"'`|\\^]{0,500}$/;
const notAnAddress =
  /^(?:text|image|application|audio|video|font|multipart|model)\/[\w.+*-]+$|^\/\/|^\/[*?^(]|[*+^$]\/[gimsuy]*$|\s/;

/**
 * Reads the texts of code: alone, put together with "+", kept in a variable before, as templates, and in comments. It reads tokens, not
 * a tree, so code of any depth takes linear time, and code that is cut is read as far as it goes.
 */
export function addressesInCode(code: string): CodeAddresses {
  const plain = { urls: new Set<string>(), guesses: new Set<string>(), made: new Set<string>() };
  const called = { urls: new Set<string>(), guesses: new Set<string>(), made: new Set<string>() };
  const { urls, guesses, made } = plain;
  const note = (text: string, into: typeof plain) => {
    for (const address of addressesInside(text)) note(address, into);
    if (text.length < 2 || text.length > 2_048 || notAnAddress.test(text)) return;
    const [isCertain, isLikely] = [certain.test(text), likely.test(text) || api.test(text)];
    if (!isCertain && !isLikely) return;
    const filled = filledIn(text);
    if (isCertain && filled === text) into.urls.add(text);
    else (filled === text ? into.guesses : into.made).add(filled);
  };
  const tables = routeTableReader();
  const modules = new Set<string>();
  const inComment = commentReader();
  const client = clientCallReader(hole);
  for (const text of textsOf(code.slice(0, maxLength), tables, client)) {
    if (text.kind === 'module' && relativeModule.test(text.text)) modules.add(text.text);
    else if (text.kind !== 'comment') note(text.text, text.kind === 'call' ? called : plain);
    else for (const found of inComment(text.text)) guesses.add(found);
  }
  return {
    urls: [...urls],
    guesses: [...guesses].filter((text) => !urls.has(text)),
    made: [...made],
    modules: [...modules],
    ...routesOf(tables.routes()),
    client: client.found(),
    called: { urls: [...called.urls], guesses: [...called.guesses], made: [...called.made] },
  };
}

/** Texts may be parts of pages, or data: `'<a href="/orders">'`, `"{\\"href\\":\\"/orders\\"}"`. */
function addressesInside(text: string): string[] {
  const holders = [...(text.includes('<') ? [inMarkup] : []), ...(text.includes('":"') ? [inData] : [])];
  const found = holders.flatMap((holder) => [...text.matchAll(holder)].map(([, address = '']) => address));
  // What is put together from values is read where these are known.
  return found.filter((address) => !address.includes(hole));
}

const inMarkup = /\s(?:href|src|action|data-(?:url|href|src))\s*=\s*["']?(\/[\w~\uE000][^\s"'<>\\]{0,500})/gi;
const inData = /"(?:href|url|uri|src|to|path|pathname|link)":"(\/[\w~][^\s"\\]{0,500})"/g;

function routesOf(routes: readonly string[]): Pick<CodeAddresses, 'routes' | 'madeRoutes'> {
  const isPlain = (route: string) => filledIn(route) === route;
  return { routes: routes.filter(isPlain), madeRoutes: routes.filter((route) => !isPlain(route)).map(filledIn) };
}

/** An address with a sample of ours where a value goes in; the same where none does. */
export const filledIn = (text: string): string =>
  text
    .replaceAll(hole, sample)
    // Groups of routes are no part of the address; what stands in brackets is a value. Source: routing of Next.js and SvelteKit.
    .replace(/\/\([\w-]+\)(?=\/|$)/g, '')
    .replace(/\/\[{1,2}(?:\.{3})?\w+(?:=\w+)?\]{1,2}(?=\/|$)/g, `/${sample}`)
    .replace(/:\w+\??|\{\w+\}|\$\{[^}]*\}|<\w+(?::\w+)?>/g, (part) => (/^:\d/.test(part) ? part : sample));

type CodeText = { kind: 'value' | 'call' | 'comment' | 'module'; text: string };

function textsOf(code: string, tables: RouteTableReader, client: ClientCallReader): CodeText[] {
  const texts: CodeText[] = [];
  const loaded = moduleListReader();
  const variables = new Map<string, string>();
  const tokens = tokenizer(code, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    allowHashBang: true,
    onComment: (_block, text) => texts.push({ kind: 'comment', text }),
  });
  /** What is being put together; undefined when the last token ended it. */
  let chain: string | undefined;
  /** The last tokens, and those before what is being put together. */
  const tokensBefore: CodeToken[] = [];
  let began: CodeToken[] = [];
  let current: CodeToken | undefined;
  let [joins, assigned, last]: [boolean, string | undefined, string | undefined] = [false, undefined, undefined];
  let depth = 0;
  /** Brackets that are open behind a name that is a part: what stands in them belongs to its value. */
  let inside = 0;
  let before = '';
  /** What comes next is the name of a module. Source: ECMAScript §16.2.2, §13.3.10. */
  let [importing, isImported] = [false, false];
  const kindOf = (text: string) => (client.read(text, began) ? 'call' : 'value');
  const end = () => {
    if (chain !== undefined && chain !== hole) {
      texts.push({ kind: kindOf(chain), text: chain });
      if (assigned !== undefined && variables.size < maxVariables) variables.set(assigned, chain);
    }
    chain = undefined;
    joins = false;
    assigned = undefined;
  };
  const join = (part: string) => {
    if (chain !== undefined && !joins) end();
    if (chain === undefined) began = [...tokensBefore];
    chain = (chain ?? '') + part;
    joins = false;
  };
  try {
    for (const token of wholeTexts(tokens)) {
      const { label, value } = token;
      tables.read(label, value);
      if (loaded.read(label, value)) continue;
      if (current) tokensBefore.push(current);
      if (tokensBefore.length > callTokens) tokensBefore.shift();
      current = token;
      const previous = before;
      before = label;
      importing = label === 'import' || (label === 'name' && value === 'from') || (importing && label === '(');
      if (label === 'string' && isImported && chain === undefined) {
        texts.push({ kind: 'module', text: String(value) });
        isImported = false;
        continue;
      }
      isImported = importing;
      if (inside > 0) {
        if (label === 'string') texts.push({ kind: 'value', text: String(value) });
        inside += /^(?:[([{]|\$\{)$/.test(label) ? 1 : /^[)\]}]$/.test(label) ? -1 : 0;
        continue;
      }
      if (label === 'string') {
        // What stands before a value is an address, too: "/orders/".
        if (joins && chain !== undefined) texts.push({ kind: kindOf(chain), text: chain });
        join(String(value));
      } else if (label === 'template') {
        if (depth > 0) chain = (chain ?? '') + String(value ?? '');
      } else if (label === '`') {
        if (depth === 0) {
          if (chain !== undefined && !joins) end();
          if (chain === undefined) began = [...tokensBefore];
          chain ??= '';
          depth = 1;
        } else depth = 0;
      } else if (depth > 0) {
        if (label === '${') chain = (chain ?? '') + hole;
      } else if (label === '+/-' && value === '+') joins = chain !== undefined || last !== undefined;
      else if (label === 'name' && chain?.endsWith(hole) && /^\??\.$/.test(previous)) continue;
      else if (label === 'name') {
        const known = variables.get(String(value));
        if (joins && chain !== undefined) join(known ?? hole);
        else {
          end();
          if (known !== undefined) [chain, began] = [known, [...tokensBefore]];
          last = String(value);
          continue;
        }
      } else if (label === '=' || label === ':') {
        end();
        assigned = label === '=' ? last : undefined;
      } else if (
        chain !== undefined &&
        /^[([]$/.test(label) &&
        (joins || (chain.endsWith(hole) && /^(?:name|[)\]])$/.test(previous)))
      ) {
        if (joins) chain += hole;
        joins = false;
        inside = 1;
      } else if (joins && chain !== undefined && label === 'num') join(hole);
      else if (!(chain?.endsWith(hole) && /^\??\.$/.test(label))) end();
      last = undefined;
    }
  } catch {
    // Code that is cut, or none.
  }
  end();
  return texts;
}
