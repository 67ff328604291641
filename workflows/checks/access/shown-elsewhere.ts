import type { Identity } from '../../model/identity.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { PageSurface, Surface } from '../../model/surface.ts';
import type { CheckContext } from '../contract.ts';
import { samplePages } from '../inputs/at-most.ts';

/** Pages of one visitor that are read, one of each route and build before the second of any. */
const maxPages = 30;

/** By the surface of the visitor: all objects of one check are compared with the same pages. */
const known = new WeakMap<Surface, Promise<string[]>>();

/**
 * Texts that neither the pages show that everybody is led to, nor those that the reader is. A form about a thing of the catalogue
 * has its title, and each user was led to another of them. @throws ProbeError
 */
export async function unlessShownElsewhere(
  context: CheckContext,
  texts: readonly string[],
  reader: Identity,
): Promise<string[]> {
  let left = [...texts];
  const views = [{ surface: context.surface }, { surface: context.surfaces[reader.name], identity: reader }];
  for (const { surface, identity } of views) {
    if (left.length === 0 || !surface) continue;
    const bodies = known.get(surface) ?? bodiesOf(context, surface, identity);
    known.set(surface, bodies);
    const shown = await bodies;
    left = left.filter((text) => !shown.some((body) => body.includes(text)));
  }
  return left;
}

async function bodiesOf(context: CheckContext, surface: Surface, identity: Identity | undefined): Promise<string[]> {
  const pages = surface.pages.filter(isReadable);
  const bodies: string[] = [];
  for (const { url } of samplePages(context, pages, maxPages, 'what most pages show, some of each kind do')) {
    const session = identity && { jar: identity.jar, headers: identity.headers };
    const answer = await context.http.get(url, session).catch((error: unknown) => {
      if (!(error instanceof ProbeError) || error.code === 'budget_exhausted' || error.code === 'canceled') throw error;
      return undefined;
    });
    if (answer?.status === 200) bodies.push(answer.text);
  }
  return bodies;
}

const isReadable = ({ status, contentType }: PageSurface): boolean => status === 200 && /html|json/.test(contentType);
