import type { HttpAction } from '../../model/experiment.ts';
import { parseJson } from '../../model/json.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';

/** An option that an engine for templates of Node takes from the values of a page, and what shows that it did. Templates. */
export type EngineOption = {
  /** Members, by the way to each. */
  members: readonly [way: readonly [string, ...string[]], value: string][];
  /** The same without its effect. */
  inert: EngineOption['members'];
  /** Pattern of what the answer has. */
  result: string;
  seen: string;
  detail: string;
  cvss?: string;
};

const ofView = (name: string): [string, ...string[]] => ['settings', 'view options', name];
const printed = 'return "‹nonce›"+‹int1›*‹int2›+"‹nonce2›";';

/** EJS compiles what it escapes values with into each template for browsers. Source: its options `client` and `escapeFunction`. */
const ejs: EngineOption = {
  members: [
    [ofView('client'), '1'],
    [ofView('escapeFunction'), `1;${printed}`],
  ],
  inert: [
    [ofView('client'), '1'],
    [ofView('escapeFunction'), `1;//${printed}`],
  ],
  result: '‹nonce›‹product:int1:int2›‹nonce2›',
  seen: 'The product of the two numbers, which stands nowhere in the request.',
  detail: 'EJS takes its options from the values of the page, and compiles code in one of them into the template.',
};

const manifest = String.raw`(?s)^\s*\{.*"(?:devDependencies|dependencies|scripts)"\s*:\s*\{`;

/** Handlebars' engines for Express read the layout that the values name, relative to a folder of views. */
const layoutAt = (folders: string): EngineOption => ({
  members: [[['layout'], `./${folders}package.json`]],
  inert: [[['layout'], `./${folders}package‹nonce›.json`]],
  result: manifest,
  seen: "The application's own package.json, which is no page.",
  detail: 'The engine for templates takes the file of the layout from the values of the page, and reads any other one.',
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
});

export const engineOptions: readonly EngineOption[] = [ejs, layoutAt('../'), layoutAt('../../')];

/** The request of an input as it is, with further members among the values that the page is made of. */
export function withMembers(input: OpenedInput, members: EngineOption['members']): HttpAction {
  const action = inputAction(input, input.sample);
  if (input.json) return { ...action, body: JSON.stringify(membersIn(parseJson(action.body ?? ''), members)) };
  const pairs = members.map(([[first, ...others], value]) => ({
    name: first + others.map((name) => `[${name}]`).join(''),
    value,
  }));
  const last = pairs.pop();
  if (!last) return action;
  const others = [...input.others, { name: input.parameter, value: input.sample }, ...pairs];
  return inputAction({ ...input, others, parameter: last.name }, last.value);
}

function membersIn(root: unknown, members: EngineOption['members']): unknown {
  const document = { ...Object(root) } as Record<string, unknown>;
  for (const [way, value] of members) {
    const names = [...way];
    const last = names.pop() ?? '';
    let holder = document;
    for (const name of names) {
      const next = { ...Object(holder[name]) } as Record<string, unknown>;
      holder[name] = next;
      holder = next;
    }
    holder[last] = value;
  }
  return document;
}
