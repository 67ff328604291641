import type { RunContext } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { Depth } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { exposedPaths } from '../checks/exposure/paths/catalogue.ts';
import type { IdentityTools } from '../login/identities.ts';
import { graver, type Observations } from '../model/gate.ts';
import type { HeaderList } from '../model/http.ts';
import type { Identity } from '../model/identity.ts';
import type { Surface } from '../model/surface.ts';
import type { GateSettings } from '../probe/gate/gate.ts';
import { knowledgeOf } from '../probe/gate/knowledge.ts';
import type { OpenProbes } from '../probe/open.ts';
import type { Run } from '../run/run.ts';
import { store } from '../run/store.ts';
import type { ActivityTools } from './activity-tools.ts';
import { allowedWrites } from './allowed-writes.ts';
import { gatedSurface } from './gated-surface.ts';
import { withoutKeptChoices } from './held-choices.ts';
import { withoutKeptCookies } from './held-cookies.ts';

/** What the write gate of a run goes by. */
export const gateSettings = (context: Pick<RunContext, 'depth' | 'writes'>): GateSettings => ({
  depth: context.depth === Depth.DEEP ? 'deep' : 'standard',
  writes: allowedWrites(context),
  cataloguedPaths: exposedPaths.flatMap(({ paths }) => paths),
});

/** Where identities log in: what they send is the org's own credentials. */
export const loginProofTools = ({
  run,
  context,
  probes,
  signal,
}: Pick<ActivityTools, 'run' | 'context' | 'probes' | 'signal'>) =>
  ({
    ...{ run, browser: probes.browser, http: probes.licensed('credentials'), gate: probes.gate },
    ...{ scopeHeaders: probes.scopeHeaders, baseUrl: context.url, signal, requests: probes.requests },
  }) satisfies IdentityTools;

type Surfaces = { surface: Surface; surfaces: Record<string, Surface> };

/** Gives the gate what the run knows, and removes from its surfaces what checks could not request. */
export async function behindGate(
  run: Run,
  { gate }: Pick<OpenProbes, 'gate'>,
  { surface, surfaces }: Surfaces,
  identities: Readonly<Record<string, Identity>>,
): Promise<Surfaces> {
  const observations = await findObservations(run);
  gate.learn(knowledgeOf([surface, ...Object.values(surfaces)], observations));
  gate.noteChoices(surface.pages.flatMap(({ setCookies }) => setCookies));
  const gated = Object.entries(surfaces).map(([name, each]) => {
    const shown = withoutKeptChoices(withoutKeptCookies(each, observations), observations);
    return [name, gatedSurface(shown, gate, headersOf(identities[name], each.url))] as const;
  });
  return { surface: gatedSurface(surface, gate), surfaces: Object.fromEntries(gated) };
}

const headersOf = (identity: Identity | undefined, url: string): HeaderList =>
  identity ? [...identity.headers, ['Cookie', identity.jar.header(url)]] : [];

export async function findObservations(run: Pick<Run, 'findArtifact'>): Promise<Observations> {
  return (await store.observations.find(run, '')) ?? {};
}

/** Adds verdicts to those of the run; of two on one form the more severe counts. */
export async function addObservations(
  run: Pick<Run, 'findArtifact' | 'putArtifact'>,
  more: Observations,
): Promise<void> {
  const known = await findObservations(run);
  const merged = Object.entries(more).map(([key, verdict]) => [key, graver(known[key] ?? verdict, verdict)] as const);
  if (merged.every(([key, verdict]) => known[key] === verdict)) return;
  await store.observations.put(run, '', { ...known, ...Object.fromEntries(merged) });
}
