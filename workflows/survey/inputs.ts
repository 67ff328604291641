import { percentDecodedOrSame } from '../../kit/percent.ts';
import type { Omitted } from '../model/omission.ts';
import type { FormSurface, InputSurface } from '../model/surface.ts';
import { counted, wasOrWere } from '../model/words.ts';
import { normaliseRoute } from '../probe/routes.ts';
import { bodyBounds, bodyInputs, type SentBody } from './body-inputs.ts';
import { formInputs } from './form-inputs.ts';

/** Places that take input, one for each method, route and parameter, in the order they were found. */
export type InputList = {
  addUrl(url: string): void;
  addForm(form: FormSurface): void;
  add(input: InputSurface): void;
  /** The values of a body. */
  addBody(sent: SentBody): void;
  /** Counts values of bodies beyond a bound. */
  leaveValues(count: number): void;
  all(): InputSurface[];
  /** Those that there was no room for. */
  left(): Omitted[];
};

const maxInputs = 2_000;

export function createInputList(): InputList {
  const inputs = new Map<string, InputSurface>();
  let [left, leftOfBodies] = [0, 0];

  /** @param othersOf made only for an input that is kept: an address of hundreds of parameters has as many for each */
  const note = (input: Omit<InputSurface, 'others'>, othersOf: () => InputSurface['others']) => {
    const key = [input.method, input.route, input.in, input.parameter].join(' ');
    const known = inputs.get(key);
    // A value that the site uses itself is a better start than none.
    const isBetter = known?.sample === '' && input.sample !== '';
    if (known ? isBetter : inputs.size < maxInputs) inputs.set(key, { ...input, others: othersOf() });
    else if (!known) left += 1;
  };

  const add = (input: InputSurface) => note(input, () => input.others);

  return {
    add,
    addUrl(text) {
      const url = new URL(text);
      const route = normaliseRoute(text);
      const parameters = [...url.searchParams].map(([name, value]) => ({ name, value }));
      for (const { name, value } of parameters)
        note({ method: 'GET', url: text, route, parameter: name, in: 'query', sample: value }, () =>
          parameters.filter((other) => other.name !== name),
        );
      for (const { parameter, sample } of [...pathValues(url.pathname, route), ...matrixValues(url.pathname)])
        add({ method: 'GET', url: text, route, parameter, in: 'path', sample, others: [] });
    },
    addForm(form) {
      for (const input of formInputs(form)) add(input);
    },
    addBody(sent) {
      const body = bodyInputs(sent);
      for (const input of body.inputs) add(input);
      leftOfBodies += body.left;
    },
    leaveValues(count) {
      leftOfBodies += count;
    },
    all: () => [...inputs.values()],
    left: () => [
      ...leftBy(left, `a survey takes up ${maxInputs.toLocaleString('en')} at most`),
      ...leftBy(leftOfBodies, bodyBounds),
    ],
  };
}

const leftBy = (count: number, bound: string): Omitted[] =>
  count === 0
    ? []
    : [{ code: 'too_many', count, text: `${counted(count, 'input')} ${wasOrWere(count)} not taken up: ${bound}` }];

/** Identifiers in a path. Their parameter is the number of the segment, from 1: "2" for 17 in "/orders/17". */
function pathValues(pathname: string, route: string): { parameter: string; sample: string }[] {
  const values = pathname.split('/').filter((segment) => segment !== '');
  return route
    .split('/')
    .slice(1)
    .flatMap((segment, index) =>
      segment.includes('{') ? [{ parameter: String(index + 1), sample: values[index] ?? '' }] : [],
    );
}

/** Matrix parameters: "1;color" for red in "/lamps;color=red". Identifiers of sessions are none. Source: RFC 3986 §3.3. */
function matrixValues(pathname: string): { parameter: string; sample: string }[] {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  return segments.flatMap((segment, index) =>
    segment
      .split(';')
      .slice(1)
      .flatMap((part) => {
        const [, name = '', value = ''] = /^([\w.-]{1,40})=(.*)$/s.exec(part) ?? [];
        return name === '' || /sess|sid$/i.test(name)
          ? []
          : [{ parameter: `${index + 1};${name}`, sample: percentDecodedOrSame(value) }];
      }),
  );
}
