import type { Json } from '../../../kit/json.ts';
import { withPath } from '../../login/json-path.ts';
import { parseJson } from '../../model/json.ts';
import type { LoginRecipe, LoginStep, StepField } from '../../model/login-recipe.ts';
import type { Names } from './names.ts';
import { hiddenFieldFilter, memberFilter } from './page-filters.ts';
import { type Reach, type RequestText, requestCommand } from './request-words.ts';
import { type CommandText, type Reference, variableName } from './text.ts';

type LoginWriting = {
  /** Name of the identity. */
  identity: string;
  names: Names;
  reach(url: string): Reach;
  /** Words that keep and send the cookies of this session; none when it has no cookies. */
  jarWords: readonly string[];
};

/**
 * Lines that log in, and the token that the last answer gives, when the session is one.
 * @property shown the same, showing the answer to the credentials and going no further
 */
type LoginLines = { lines: string[]; shown?: string[]; token?: Reference };

type CredentialReferences = Record<'username' | 'password' | 'code', Reference>;

/** The requests of a login as lines for a shell. What is secret is in variables that the reader sets. */
export function loginLines(recipe: LoginRecipe, tools: LoginWriting): LoginLines {
  const { identity, names } = tools;
  const given = (word: string): Reference => ({ variable: variableName(word, identity) });
  const hasCode = recipe.steps.some(({ fields }) => fields.some(({ holds }) => holds === 'code'));
  const credentials = {
    username: given('USERNAME'),
    password: given('PASSWORD'),
    code: hasCode ? given('CODE') : { variable: '' },
  };
  const lines: string[] = [];
  let answer: string | undefined;
  for (const [index, step] of recipe.steps.entries()) {
    const hidden = readHidden(step, answer, tools);
    lines.push(...hidden.lines);
    // The address of a page after the first is of this one login.
    const referer = index === 0 ? step.pageUrl : step.pageUrl?.replace(/[?#].*$/s, '');
    const request = requestOf(step, referer, { credentials, hidden: hidden.fields });
    const isLast = index === recipe.steps.length - 1;
    if (isLast && recipe.tokenPath !== undefined) {
      const token = { variable: names('TOKEN', identity) };
      lines.push(
        `${token.variable}=$(${send(request, 'body', tools)} | ${memberFilter(recipe.tokenPath.split('.').at(-1) ?? '')})`,
      );
      return { lines, token };
    }
    const isRead = recipe.steps[index + 1]?.fields.some(({ holds }) => holds === 'hidden') ?? false;
    answer = isRead ? names('ANSWER') : undefined;
    const command = send(request, isRead ? 'body' : 'drop', tools);
    if (isLast) return { lines: [...lines, command], shown: [...lines, send(request, 'show', tools)] };
    lines.push(answer === undefined ? command : `${answer}=$(${command})`);
  }
  return { lines };
}

const send = (request: RequestText, output: 'body' | 'drop' | 'show', { reach, jarWords }: LoginWriting): string =>
  requestCommand(request, { output, ...reach(String(request.url[0])), session: jarWords, follow: output !== 'show' });

/** Hidden fields are new with each page, so they are read from it. */
function readHidden({ pageUrl, fields }: LoginStep, answer: string | undefined, tools: LoginWriting) {
  const hidden = fields.filter(({ holds }) => holds === 'hidden').map(({ name }) => name);
  const variables = new Map(hidden.map((name) => [name, tools.names(name)]));
  const page: RequestText = { method: 'GET', url: [pageUrl ?? ''], headers: [] };
  const [only, ...others] = hidden;
  if (only === undefined) return { lines: [], fields: variables };
  const load = answer === undefined ? send(page, 'body', tools) : `printf '%s\\n' "\${${answer}}"`;
  if (others.length === 0) {
    return { lines: [`${variables.get(only)}=$(${load} | ${hiddenFieldFilter(only)})`], fields: variables };
  }
  const whole = tools.names('PAGE');
  const read = `printf '%s\\n' "\${${whole}}"`;
  const reads = hidden.map((name) => `${variables.get(name)}=$(${read} | ${hiddenFieldFilter(name)})`);
  return { lines: [`${whole}=$(${load})`, ...reads], fields: variables };
}

type Filling = { credentials: CredentialReferences; hidden: ReadonlyMap<string, string> };

function requestOf(
  { url, method, encoding, fields, body }: LoginStep,
  referer: string | undefined,
  filling: Filling,
): RequestText {
  const headers: [string, CommandText][] = [['Origin', [new URL(referer ?? url).origin]]];
  if (referer !== undefined) headers.push(['Referer', [referer]]);
  if (encoding === 'json')
    return {
      method,
      url: [url],
      headers: [...headers, contentType('application/json')],
      body: jsonOf(fields, filling, body),
    };
  if (encoding === 'multipart') return { method, url: [url], headers, parts: textsOf(fields, filling) };
  const query = textsOf(fields, filling).flatMap(([name, value], index): CommandText => {
    const encoded = value.map((part) =>
      typeof part === 'string' ? encodeURIComponent(part) : { ...part, as: 'encoded' as const },
    );
    return [`${index === 0 ? '' : '&'}${encodeURIComponent(name)}=`, ...encoded];
  });
  if (method === 'GET') return { method, url: [url.replace(/[?#].*$/s, ''), '?', ...query], headers };
  return { method, url: [url], headers: [...headers, contentType('application/x-www-form-urlencoded')], body: query };
}

const contentType = (value: string): [string, CommandText] => ['Content-Type', [value]];

const textsOf = (fields: readonly StepField[], filling: Filling): [string, CommandText][] =>
  fields.map((field) => [field.name, textOf(field, filling)]);

function textOf(field: StepField, { credentials, hidden }: Filling): CommandText {
  if (field.holds === 'fixed') return field.value === '' ? [] : [field.value];
  return [field.holds === 'hidden' ? { variable: hidden.get(field.name) ?? '' } : credentials[field.holds]];
}

/** Names are dotted paths of members. */
function jsonOf(fields: readonly StepField[], filling: Filling, body = '{}'): CommandText {
  const object = fields.reduce<Json>(
    (rest, { name }, index) => withPath(rest, name, `‹${index}›`),
    parseJson(body) ?? {},
  );
  return JSON.stringify(object)
    .split(/‹(\d+)›/)
    .flatMap((piece, position): CommandText => {
      if (position % 2 === 0) return [piece];
      const field = fields[Number(piece)];
      const value = field ? textOf(field, filling) : [];
      return value.map((part) =>
        typeof part === 'string' ? JSON.stringify(part).slice(1, -1) : { ...part, as: 'json' as const },
      );
    });
}
