import type { Json } from '../../kit/json.ts';
import { parseJson } from '../model/json.ts';
import { sendsOf } from './sends.ts';
import type { LoginSession } from './session.ts';

/** Where script puts the token that a login is answered with: a header, or a cookie that it sets itself. */
export type ScriptedToken = { name: string; prefix: string; path?: string };

const maxValues = 2_000;

/** Where the session of a login by browser sends what the answer to the login has, and where in the answer that stands. */
export function scriptedTokens({
  jar,
  headers,
  answer,
}: Pick<LoginSession, 'jar' | 'headers' | 'answer'>): ScriptedToken[] {
  const paths = answer ? textPaths(parseJson(answer.text)) : new Map<string, string>();
  const sent = sendsOf({ jar, headers }).headers.map((header, index) => {
    const path = paths.get(headers[index]?.[1].slice(header.prefix.length) ?? '');
    return { ...header, ...(path !== undefined && { path }) };
  });
  const cookies = jar.all().flatMap(({ name, value }) => {
    const path = paths.get(value);
    return path === undefined ? [] : [{ name: 'Cookie', prefix: `${name}=`, path }];
  });
  return [...sent, ...cookies];
}

/** Dotted paths of the texts of a document, by what they say. */
function textPaths(document: Json | undefined): Map<string, string> {
  const paths = new Map<string, string>();
  const work: { path: string; value: Json | undefined }[] = [{ path: '', value: document }];
  for (let index = 0; index < work.length && index < maxValues; index += 1) {
    const { path, value } = work[index] ?? { path: '', value: undefined };
    if (typeof value === 'string' && path !== '' && !paths.has(value)) paths.set(value, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value).slice(0, maxValues - work.length))
        work.push({ path: path === '' ? name : `${path}.${name}`, value: member });
  }
  return paths;
}
