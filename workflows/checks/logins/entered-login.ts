import { z } from 'zod';
import type { HttpAction } from '../../model/experiment.ts';
import type { Fact, FactInput } from '../../model/fact.ts';
import { parseJson } from '../../model/json.ts';
import type { CheckContext } from '../contract.ts';
import { openInput } from '../inputs/open-input.ts';
import type { EnteredLogin } from './find-entrance.ts';
import { anyEntrance, type Login, loginsOf } from './login.ts';

const kind = 'entered-login';

/** What lets somebody in, and the same without what makes it work. */
type Entry = { what: string; changed: HttpAction; twin: HttpAction };

const texts = z.array(z.string());
const action: z.ZodType<HttpAction> = z.strictObject({
  ...{ method: z.string().exactOptional(), url: z.string(), body: z.string().exactOptional() },
  headers: z.array(z.tuple([z.string(), z.string()])).exactOptional(),
  httpVersion: z.literal('1.1').exactOptional(),
  ...{ secrets: texts.exactOptional(), invented: texts.exactOptional() },
});
const storedEntry: z.ZodType<Entry> = z.object({ what: z.string(), changed: action, twin: action });

/** For `gives` of what lets somebody in who was given no account: a login, with what is sent to it as the secret. */
export const givesEnteredLogin = {
  kinds: [kind],
  facts: ({ data }: { data?: EnteredLogin | { pair: unknown } }): FactInput[] => {
    if (!data || 'pair' in data) return [];
    const { what, changed, twin } = data.entrance.change;
    const secret = JSON.stringify({ what, changed, twin } satisfies Entry);
    return [{ kind, subject: data.login.input.url, attributes: {}, secret }];
  },
};

export const needsEnteredLogin = { kind };

/** The login of a fact, opened anew, with what lets in. Undefined when it is not there any more. */
export async function entryOf(
  context: CheckContext,
  fact: Fact | undefined,
): Promise<{ login: Login; entry: Entry } | undefined> {
  const login = loginsOf(context.surface, anyEntrance).find(({ input }) => input.url === fact?.subject);
  if (!login || fact?.secret === undefined) return undefined;
  const entry = storedEntry.parse(parseJson(fact.secret));
  return { login: { ...login, input: await openInput(context, login.input) }, entry };
}
