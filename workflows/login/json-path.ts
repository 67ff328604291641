import type { Json } from '../../kit/json.ts';

/** @param path dotted, for instance "data.token"; items of lists by their number */
export function atPath(json: Json | undefined, path: string): Json | undefined {
  let value = json;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as { [name: string]: Json })[name];
  }
  return value;
}

/** The object with a member at a dotted path; members on the way are made. */
export function withPath(json: Json, path: string, value: Json): { [name: string]: Json } {
  const object = typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};
  const [name = '', ...rest] = path.split('.');
  return { ...object, [name]: rest.length === 0 ? value : withPath(object[name] ?? null, rest.join('.'), value) };
}

/** What interfaces call the token of a session, the most usual first. */
const tokenNames =
  /^(?:(?:access|auth|id|session|bearer|api|user|login)[_-]?(?:token|jwt)|token|jwt|bearer|key|session(?:[_-]?id)?)$/i;
/** What a mutation of GraphQL that lets somebody in gives as its one value, by its dotted path. */
export const calledLogin =
  /^data\.\w*(?:log_?in|sign_?(?:in|up)|regist(?:er|ration)|authenticate|create_?session)\w*$/i;
const tokenShape = /^[\x21-\x7e]{8,8192}$/;
const jwtShape = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const maxValues = 2_000;

/** The token in the answer to a login: a text with the name of one, else a JWT; of several the least deep. */
export function findToken(json: Json | undefined): { path: string; value: string } | undefined {
  let byShape: { path: string; value: string } | undefined;
  const work: { path: string[]; value: Json | undefined }[] = [{ path: [], value: json }];
  for (let index = 0; index < work.length && index < maxValues; index += 1) {
    const { path, value } = work[index] ?? { path: [], value: undefined };
    if (typeof value === 'string' && tokenShape.test(value)) {
      const found = { path: path.join('.'), value };
      if (tokenNames.test(path.at(-1) ?? '') && !/refresh|csrf|xsrf/i.test(found.path)) return found;
      const isToken = calledLogin.test(found.path) || (jwtShape.test(value) && !/refresh/i.test(found.path));
      if (isToken) byShape ??= found;
    } else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value).slice(0, maxValues - work.length))
        work.push({ path: [...path, name], value: member });
  }
  return byShape;
}
