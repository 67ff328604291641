import type { TakenForm } from '../model/browser.ts';
import type { FormSurface } from '../model/surface.ts';
import { changesEntry } from '../probe/gate/entries.ts';
import type { Gate } from '../probe/gate/gate.ts';
import { kindOfForm } from '../probe/gate/structure.ts';
import { partRoute } from '../probe/program-parts.ts';
import type { Scope } from '../probe/scope.ts';
import { maxUrlLength } from './asking.ts';
import { formKey, withFields } from './form-address.ts';
import type { Frontier } from './frontier.ts';
import type { InputList } from './inputs.ts';

/** Forms that a survey came upon, each once; what they send is an input where they may be tried at all. */
export type FormList = {
  /** @returns false when one of them has an action that is too long to be read */
  addOf(pageUrl: string, forms: readonly FormSurface[]): boolean;
  /** A request of a script that was held back counts as a form that was not sent. */
  addHeld(form: FormSurface): void;
  /** A form that the page does not have, and whose fields are inputs as its request is. */
  addScripted(form: FormSurface): void;
  /** Takes a GET form of a page out whose fields its script sends elsewhere. */
  leave(pageUrl: string, taken: TakenForm): void;
  all(): FormSurface[];
  /** How many differ in more than the values that they are given. */
  kinds(): number;
};

export function createFormList(
  scope: Scope,
  frontier: Pick<Frontier, 'add'>,
  gate: Pick<Gate, 'learn'>,
  inputs: Pick<InputList, 'addForm' | 'leave'>,
  /** Which HTML a page has; undefined when it was not read. */
  bodyOf: (url: string) => string | undefined,
): FormList {
  const known = new Map<string, FormSurface>();
  /** Names of fields that the script of some HTML sends elsewhere, whatever address shows it. */
  const taken = new Map<string, string[][]>();
  const kinds = new Set<string>();

  const note = (form: FormSurface): void => {
    const key = formKey(form);
    known.set(key, known.get(key) ?? form);
    kinds.add([form.method, partRoute(form.action), ...form.fields.map(({ name }) => name)].join(' '));
    gate.learn({ forms: [form] });
  };

  /** @returns its kind where its values may be inputs */
  const keep = (form: FormSurface): ReturnType<typeof kindOfForm>['kind'] | undefined => {
    note(form);
    const { kind } = kindOfForm(form);
    if (kind === 'ends-session' || kind === 'would-act') return undefined;
    inputs.addForm(form);
    return kind;
  };

  return {
    addOf(pageUrl, forms) {
      const readable = forms.filter(({ action }) => action.length <= maxUrlLength);
      const ofBody = taken.get(bodyOf(pageUrl) ?? '') ?? [];
      const isTaken = (form: FormSurface) => ofBody.some((names) => isToItself(form) && sendsOnly(form, names));
      for (const form of readable.filter((each) => scope.coversUrl(each.action) && !isTaken(each))) {
        const kind = keep(form);
        if (kind === undefined) continue;
        // Where a form is sent to a page may stand as well, and not where a button alone does something.
        if (
          form.method === 'POST' &&
          kind !== 'sensitive' &&
          kind !== 'entrance' &&
          kind !== 'addressed' &&
          kind !== 'upload' &&
          kind !== 'adds' &&
          kind !== 'bare' &&
          !changesEntry(form.action) &&
          form.fields.some(isFilledIn)
        )
          frontier.add({ url: form.action, source: pageUrl, isGuess: true });
        if (form.method === 'GET') frontier.add({ url: withFields(form), source: pageUrl });
      }
      return readable.length === forms.length;
    },
    addHeld: (form) => void keep(form),
    addScripted: note,
    leave(pageUrl, { action, names }) {
      const body = bodyOf(pageUrl);
      const isOfBody = body !== undefined && placeIn(action) === placeIn(pageUrl);
      if (isOfBody) taken.set(body, [...(taken.get(body) ?? []), names]);
      for (const [key, form] of known) {
        const isHere = form.pageUrl === pageUrl && form.method === 'GET' && placeIn(form.action) === placeIn(action);
        const isThere = isOfBody && bodyOf(form.pageUrl) === body && isToItself(form);
        if (!(isHere || isThere) || !sendsOnly(form, names)) continue;
        known.delete(key);
        inputs.leave(form.action, names);
      }
      inputs.leave(action, names);
    },
    all: () => [...known.values()],
    kinds: () => kinds.size,
  };
}

const isFilledIn = ({ type }: FormSurface['fields'][number]): boolean => !/^(?:hidden|submit|image)$/.test(type);

const isToItself = ({ method, action, pageUrl }: FormSurface): boolean =>
  method === 'GET' && placeIn(action) === placeIn(pageUrl);

const sendsOnly = ({ fields }: FormSurface, names: readonly string[]): boolean =>
  fields.every(({ name }) => names.includes(name));

const placeIn = (url: string): string => url.replace(/[?#].*$/s, '');
