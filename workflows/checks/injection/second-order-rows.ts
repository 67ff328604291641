import { claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import type { Identity } from '../../model/identity.ts';
import type { InputSurface } from '../../model/surface.ts';
import { newTrialValues } from '../../proof/template.ts';
import { type AccountEntry, openedAccount } from '../accounts/new-accounts.ts';
import { accountBy } from '../accounts/registrations.ts';
import { unlessUnsent } from '../accounts/unless-unsent.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { openInput, requestOfInput } from '../inputs/open-input.ts';
import { contextAs } from '../visitors/as-visitor.ts';

/** What an account keeps by an input, and the page that shows it to that account. */
export type KeptRow = AccountEntry & { input: OpenedInput; shownAt: string };

const maxInputs = 2;
const textTypes = /^(?:text|textarea|search|)$/;

/** Stores a text as an account, and looks which of its pages show it. @throws ProbeError */
export async function keptRows(
  context: CheckContext,
  user: Identity,
  pages: readonly string[],
): Promise<Pick<KeptRow, 'input' | 'shownAt'>[]> {
  const surface = context.surfaces[user.name];
  if (!surface || !context.store) return [];
  const own = contextAs(context, user, surface);
  const stored = surface.inputs.filter((input) => input.isStored && isText(input, surface.forms));
  const forms = [...new Map(stored.map((input) => [input.url, input])).values()];
  const rows: Pick<KeptRow, 'input' | 'shownAt'>[] = [];
  for (const each of likeliest(context, forms, maxInputs, 'forms by which an account keeps something')) {
    const input = await openInput(own, each);
    const mark = context.nonce();
    const keep = async () => {
      const request = await requestOfInput(own, input, keeping(input, mark), newTrialValues(context.nonce));
      return context.store?.(user.name, request, async () => true);
    };
    if (!(await keep().catch(unlessUnsent))) continue;
    for (const url of pages)
      if ((await own.http.get(url, { fresh: true })).text.includes(mark)) rows.push({ input, shownAt: url });
  }
  return rows;
}

const isText = (input: InputSurface, forms: readonly { fields: { name: string; type: string }[] }[]): boolean =>
  input.method === 'POST' &&
  input.in === 'body' &&
  forms.every(({ fields }) => fields.every(({ name, type }) => name !== input.parameter || textTypes.test(type)));

const keeping = (input: OpenedInput, text: string): HttpAction => ({
  ...inputAction(input, text),
  lasting: {
    description: "An account of the audit's own kept a text.",
    place: input.page?.url ?? input.url,
  },
});

/**
 * Whether an account whose name is another's in two parts, joined by the operator of SQL, is shown what the other one keeps. In MySQL
 * that operator means "or", by which the first part alone is compared: the other account is called as that part.
 */
export function rowExperiment({ input, shownAt, ...entry }: KeptRow): Experiment | undefined {
  const opened = (nonce: string, name: string, session: string, how: string) =>
    openedAccount(entry, { account: { ...accountBy(nonce), name }, session, how });
  const keeper = opened('nonce', '‹nonce›', 'session1', 'to keep a text');
  const joined = opened('nonce3', "‹nonce›'||'", 'session2', 'with an operator of SQL behind the name of another one');
  const other = opened(
    'nonce4',
    "‹nonce›'|-|'",
    'session3',
    'with signs that are no operator behind the name of another one',
  );
  if (!keeper || !joined || !other) return undefined;
  const { opening } = input;
  const action = keeping(input, '‹nonce2›');
  const look = (headers: [string, string][], note: string): Step => ({
    http: { url: shownAt, headers },
    note,
    expect: [claim('body', 'contains', '‹nonce2›', 'What the other account keeps.')],
  });
  const page: Step[] = opening
    ? [
        {
          http: { url: opening.url, headers: keeper.headers },
          note: 'It opens the page of the form.',
          expect: [claim('status', 'equals', '200')],
          capture: opening.captures,
        },
      ]
    : [];
  return {
    steps: [
      ...keeper.steps,
      ...page,
      {
        http: { ...action, headers: [...(action.headers ?? []), ...keeper.headers] },
        note: 'The first account keeps a text that nobody else has.',
        expect: [claim('status', 'less-than', '400')],
        hasEffect: true,
      },
      ...joined.steps,
      look(joined.headers, 'The second account is shown it.'),
    ],
    control: [...other.steps, look(other.headers, 'An account with other signs in their place is not.')],
  };
}
