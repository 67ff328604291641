import { claim, type WritePlan } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import { parseJson } from '../../model/json.ts';
import { pointerTo } from '../../model/json-pointer.ts';
import type { InputSurface } from '../../model/surface.ts';
import { looksSecret } from '../../proof/redact.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { openInput } from '../inputs/open-input.ts';
import type { PageOpening } from '../inputs/opening.ts';
import { contextOf } from './plant.ts';
import { read } from './stored-reads.ts';
import type { StoringForm } from './storing-form.ts';

/** Things that are changed and put back. */
const maxReplaced = 4;
const maxBodyLength = 8_000;

type JsonObject = Record<string, unknown>;

/**
 * Requests by which scripts replace a thing (PUT, PATCH) that the same address shows: what was there is put back by the same request.
 * Each once, as the first visitor whom that address shows it: a page that everybody is given may send it for whoever has an account.
 * @throws ProbeError
 */
export async function replacingForms(context: CheckContext, users: readonly Identity[]): Promise<StoringForm[]> {
  const requests = new Map<string, { identity: string; inputs: InputSurface[] }[]>();
  for (const identity of ['', ...users.map(({ name }) => name)]) {
    const surface = identity === '' ? context.surface : context.surfaces[identity];
    const replacing = (surface?.heldInputs ?? []).filter(isReplacing);
    for (const [place, inputs] of Map.groupBy(replacing, ({ method, route }) => `${method} ${route}`))
      requests.set(place, [...(requests.get(place) ?? []), { identity, inputs }]);
  }
  const chosen = likeliest(context, [...requests.values()], maxReplaced, 'requests that replace something');
  const forms: StoringForm[] = [];
  for (const senders of chosen)
    for (const { identity, inputs } of senders) {
      const form = await replacingForm(context, identity, inputs);
      if (form) forms.push(form);
      if (form) break;
    }
  return forms;
}

const isReplacing = ({ mayBePutBack, in: place, json, sample }: InputSurface): boolean =>
  mayBePutBack === true && place === 'body' && json !== undefined && !/^-?\d+(?:\.\d+)?$/.test(sample);

/** Undefined where the address does not show all that the request replaces. */
async function replacingForm(
  context: CheckContext,
  identity: string,
  inputs: readonly InputSurface[],
): Promise<StoringForm | undefined> {
  const [first] = inputs;
  const sent = first?.json && objectIn(first.json.body);
  if (!first || !sent) return undefined;
  const { method, url, page } = first;
  const answer = await read(context, identity, url);
  const shown = answer?.status === 200 ? objectIn(answer.text) : undefined;
  if (!shown || !Object.keys(sent).every((name) => Object.hasOwn(shown, name))) return undefined;
  const before = Object.fromEntries(Object.keys(sent).map((name) => [name, shown[name]]));
  const body = JSON.stringify(before);
  // It stays in the ledger of writes until it is put back.
  if (body.length > maxBodyLength || looksSecret(body)) return undefined;
  const texts = inputs.filter(({ parameter }) => typeof before[parameter] === 'string');
  if (texts.length === 0) return undefined;
  const headers = [
    ['Content-Type', 'application/json'],
    ['Origin', new URL(url).origin],
  ] as const;
  // A header of a token, where the page's script sends one along.
  const { opening } = await openInput(contextOf(context, identity), first);
  const own = opening?.headers ?? [];
  const verify: WritePlan['verify'] = {
    ...{ url, identity },
    expect: [
      claim('status', 'equals', '200'),
      ...Object.entries(before).map(([name, value]) =>
        claim(`body:json:${pointerTo(name)}`, 'equals', JSON.stringify(value)),
      ),
    ],
  };
  return {
    identity,
    pageUrl: page?.url ?? url,
    addresses: {},
    inputs: texts.map((input) => ({
      ...input,
      sample: String(before[input.parameter]),
      json: { body, pointer: pointerTo(input.parameter) },
    })),
    plan: {
      undo: { method, url, body, headers: [...headers, ...own], ...(opening && { fresh: freshOf(opening) }) },
      verify,
    },
  };
}

const freshOf = ({ url, captures }: PageOpening) => ({ url, capture: captures });

function objectIn(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
