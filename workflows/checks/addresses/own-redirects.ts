import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { leadsSomewhere } from './redirect-payloads.ts';

const maxAsked = 4;

/** By the surface, which all checks of an activity share. */
const known = new WeakMap<object, Promise<string[]>>();

/** Places of the site that lead on to any address that is written behind them, as paths: "/out?to=". */
export function ownRedirects(context: CheckContext): Promise<string[]> {
  const before = known.get(context.surface);
  if (before) return before;
  const asked = askAll(context);
  known.set(context.surface, asked);
  return asked;
}

async function askAll(context: CheckContext): Promise<string[]> {
  const named = context.surface.inputs.filter(
    ({ method, in: place, parameter, sample }) =>
      method === 'GET' && place === 'query' && leadsSomewhere(parameter, sample),
  );
  const begins = [...new Set(named.map(beginOf))];
  const asked = likeliest(context, begins, maxAsked, 'places that may lead to other sites');
  const found = await Promise.all(asked.map(async (begin) => ((await leadsAway(context, begin)) ? [begin] : [])));
  return found.flat().map((begin) => begin.slice(new URL(begin).origin.length));
}

const beginOf = ({ url, parameter }: InputSurface): string =>
  `${url.replace(/[?#].*$/s, '')}?${encodeURIComponent(parameter)}=`;

async function leadsAway({ http, nonce }: CheckContext, begin: string): Promise<boolean> {
  const away = `http://${nonce()}.example/`;
  try {
    const { status, header } = await http.get(begin + away);
    return status >= 300 && status < 400 && header('location')?.startsWith(away) === true;
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return false;
  }
}
