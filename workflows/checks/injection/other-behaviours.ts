import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import { reflectionsOf } from '../dom/reflection.ts';
import { canaryAt } from '../inputs/canary.ts';
import { inParallel } from '../inputs/parallel.ts';
import { areNumberedPrograms, asProgram } from './numbered-pages.ts';

type BehaviourContext = Pick<CheckContext, 'allowance' | 'http' | 'nonce' | 'runId' | 'visitor'> & { surface: object };

/** What script, queries and templates are written with, and what filters look for. */
const probes = [`>"'\`(\\/\${<`, `<script>alert(1)</script> <img src=x onerror=x> javascript: ../ or select -- `];
const width = 4;
const maxPlaces = 4;

/** By the surface, which all checks of an activity share. The cache of answers forgets large ones, as files are. */
const known = new WeakMap<object, Map<string, Promise<string | undefined>>>();

/**
 * These inputs, and those of their like addresses that behave otherwise: pages whose addresses differ in numbers alone are mostly made
 * by the same code, as those of products, and seldom by code of their own, as numbered exercises. Each address is sent the same signs
 * and words once for all checks of a run; one that does with them what none before did is an input of its own. Where their numbers
 * name programs, each is one: what a filter lets through is not seen by the same signs.
 */
export async function withOtherBehaviours(
  context: BehaviourContext,
  inputs: readonly InputSurface[],
): Promise<InputSurface[]> {
  const found = await inParallel(inputs, width, async (input) => {
    const { alike = [], ...rest } = input;
    if (alike.length === 0) return [input];
    const others = alike.map((each): InputSurface => ({ ...rest, ...each }));
    if (await areNumberedPrograms(context, [rest, ...others])) return [rest, ...others].map(asProgram);
    const seen = new Set([await behaviourOf(context, rest)]);
    const own: InputSurface[] = [];
    for (const other of others) {
      if (context.allowance() <= 0) break;
      const behaviour = await behaviourOf(context, other);
      if (behaviour !== undefined && !seen.has(behaviour)) own.push(other);
      seen.add(behaviour);
    }
    return [input, ...own];
  });
  return found.flatMap((each) => each ?? []);
}

/** What the answer makes of the signs, and nothing of what else is on the page, and whether the site sends an address; undefined when there is none. Asked once. */
function behaviourOf(context: BehaviourContext, input: InputSurface): Promise<string | undefined> {
  const asked = known.get(context.surface) ?? new Map<string, Promise<string | undefined>>();
  known.set(context.surface, asked);
  const { method, url, parameter, in: place, others } = input;
  const key = JSON.stringify([method, url, place, parameter, others, context.visitor]);
  const before = asked.get(key);
  // The check that asked first may have been ended meanwhile.
  if (before) return before.catch(() => lookAt(context, input));
  const looked = lookAt(context, input);
  asked.set(key, looked);
  // Failures pass, so they are not kept.
  looked.then(
    (behaviour) => behaviour === undefined && asked.delete(key),
    () => asked.delete(key),
  );
  return looked;
}

async function lookAt(context: BehaviourContext, input: InputSurface): Promise<string | undefined> {
  try {
    // What takes addresses refuses the signs as other pages do.
    const seen: unknown[] = [/^(?:https?:)?\/\//i.test(input.sample)];
    for (const probe of probes) {
      const { word, exchange } = await canaryAt(context, input, probe);
      seen.push([exchange.status, exchange.header('content-type'), ...placesOf(exchange, word, probe)]);
    }
    return JSON.stringify(seen);
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return undefined;
  }
}

function placesOf({ text }: Exchange, word: string, probe: string): string[] {
  const before = text
    .split(word)
    .slice(0, -1)
    .slice(0, maxPlaces)
    .map((part) => part.slice(-probe.length));
  return [...new Set([...before, ...reflectionsOf(text, word).map((place) => JSON.stringify(place))])];
}
