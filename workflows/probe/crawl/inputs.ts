import type { FormSurface, InputSurface } from '../../checks/contract.ts';
import { normaliseRoute } from '../routes.ts';

/** Places that take input, one for each method, route and parameter, in the order they were found. */
export type InputList = {
  addUrl(url: string): void;
  addForm(form: FormSurface): void;
  add(input: InputSurface): void;
  all(): InputSurface[];
};

const maxInputs = 1_000;

export function createInputList(): InputList {
  const inputs = new Map<string, InputSurface>();

  const add = (input: InputSurface) => {
    const key = [input.method, input.route, input.in, input.parameter].join(' ');
    const known = inputs.get(key);
    // A value that the site uses itself is a better start than none.
    if (known && known.sample === '' && input.sample !== '') inputs.set(key, input);
    if (!known && inputs.size < maxInputs) inputs.set(key, input);
  };

  return {
    add,
    addUrl(text) {
      const url = new URL(text);
      const route = normaliseRoute(text);
      const parameters = [...url.searchParams].map(([name, value]) => ({ name, value }));
      for (const { name, value } of parameters) {
        const others = parameters.filter((other) => other.name !== name);
        add({ method: 'GET', url: text, route, parameter: name, in: 'query', sample: value, others });
      }
      for (const { parameter, sample } of pathValues(url.pathname, route))
        add({ method: 'GET', url: text, route, parameter, in: 'path', sample, others: [] });
    },
    addForm(form) {
      const route = normaliseRoute(form.action);
      const where = form.method === 'POST' ? 'body' : 'query';
      const contentType = form.method === 'POST' ? { contentType: form.enctype } : {};
      for (const { name, value, type } of form.fields) {
        if (type === 'file' || type === 'submit') continue;
        const others = form.fields.filter((other) => other.name !== name && other.type !== 'file');
        add({
          method: form.method,
          url: form.action,
          route,
          parameter: name,
          in: where,
          sample: value,
          others: others.map((other) => ({ name: other.name, value: other.value })),
          ...contentType,
        });
      }
    },
    all: () => [...inputs.values()],
  };
}

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
