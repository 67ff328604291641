import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type Login, LoginSchema } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { makeNonce } from '../../../workflows/activities/audit-context.ts';
import { isAlive } from '../../../workflows/login/check-page.ts';
import { loginWith } from '../../../workflows/login/log-in.ts';
import { type LoginProof, type LoginProofTools, proveLogin } from '../../../workflows/login/prove-login.ts';
import type { BrowserPool } from '../../../workflows/probe/browser/launch.ts';
import type { OpenProbes } from '../../../workflows/probe/open.ts';
import { type Handler, startSite } from '../../fixtures/site.ts';
import { openTestProbes } from '../support/checks.ts';

export type Kind = NonNullable<MessageInitShape<typeof LoginSchema>['kind']>;
export type More = Omit<MessageInitShape<typeof LoginSchema>, 'kind' | '$typeName' | '$unknown'>;

export const loginOf = (kind: Kind, more: More = {}): Login => create(LoginSchema, { kind, ...more });

type Proven = Extract<LoginProof, { proven: true }>;
type Unproven = Extract<LoginProof, { proven: false }>;

/** The real instruments, to log in to a site with. */
export type Stage = {
  url: string;
  probes: OpenProbes;
  world: LoginProofTools;
  /** @throws Error with the reason when the login is not proven, or its session does not live */
  prove(kind: Kind, more?: More): Promise<Proven>;
  /** @throws Error when the login is proven */
  fail(kind: Kind, more?: More): Promise<Unproven>;
};

/** @param url of the site, without a path */
export function stageAt(url: string, browsers?: BrowserPool): Stage {
  const signal = new AbortController().signal;
  const probes = openTestProbes(url, signal, browsers);
  const http = probes.licensed('credentials');
  const world: LoginProofTools = {
    ...{ http, browser: probes.browser, baseUrl: `${url}/`, signal, nonce: makeNonce },
    lockoutPausesMs: [1, 1],
  };
  return {
    url,
    probes,
    world,
    async prove(kind, more) {
      const proof = await proveLogin(world, loginOf(kind, more));
      if (!proof.proven) throw new Error(`${proof.failure}: ${proof.reason}`);
      if (!(await isAlive(http, proof.session, proof.mark))) throw new Error('its session is not alive');
      return proof;
    },
    async fail(kind, more) {
      const proof = await proveLogin(world, loginOf(kind, more));
      if (proof.proven) throw new Error(`it was proven by ${proof.mark.marker} at ${proof.mark.checkUrl}`);
      return proof;
    },
  };
}

/** Plays on a site of its own. */
export async function onStage(
  handler: Handler,
  play: (stage: Stage) => Promise<void>,
  browsers?: BrowserPool,
): Promise<void> {
  const site = await startSite(handler);
  const stage = stageAt(site.url, browsers);
  try {
    await play(stage);
  } finally {
    await stage.probes.close();
    await site.close();
  }
}

export const enter = ({ world }: Stage, kind: Kind, more?: More) => loginWith(world, loginOf(kind, more))();
