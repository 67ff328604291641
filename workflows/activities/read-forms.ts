import type { Identity } from '../model/identity.ts';
import type { ObservedAll } from '../observation/observe-all.ts';
import { store } from '../run/store.ts';
import type { ActivityTools } from './activity-tools.ts';
import { namesOfAlike } from './users-alike.ts';

/** Keeps which forms were seen to only read what a user sends. */
export async function keepReadForms(
  { run }: Pick<ActivityTools, 'run'>,
  name: string,
  { observed }: Pick<ObservedAll, 'observed'>,
): Promise<void> {
  const read = observed.filter(({ verdict, isShut }) => verdict === 'reads' && !isShut);
  await store.readForms.put(
    run,
    name,
    read.map(({ submission }) => submission.exact),
  );
}

/** Forms that other users of the same role have sent: what only reads for one of them does for all. */
export async function formsReadForAlike(
  tools: Pick<ActivityTools, 'run' | 'context'>,
  identity: Identity,
): Promise<ReadonlySet<string>> {
  const names = await namesOfAlike(tools, identity);
  const forms = await Promise.all(names.map((name) => store.readForms.find(tools.run, name)));
  return new Set(forms.flatMap((each) => each ?? []));
}
