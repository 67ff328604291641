import type { FormSurface } from '../../model/surface.ts';
import { normaliseSegment } from '../routes.ts';
import { decoded, folded } from './words/spelling.ts';

const administration = /^(?:admin|administration|administrator|backend|control[-_]?panel)$/;
const setting = /^(?:change|set|save|update|configure)(?:[-_.]|$)/;
const entryNames = /^_?(?:id|uuid|guid|pk|key)$|[-_](?:id|uuid|guid)$/i;

/**
 * It is posted to a change below the administration of a site and names no entry that is changed: "POST /admin/tags/change-separator".
 * What such a form sets counts for the whole site, and nothing shows what was set before.
 */
export function setsSite({ action, method, fields }: Pick<FormSurface, 'action' | 'method' | 'fields'>): boolean {
  if (method !== 'POST') return false;
  const { pathname, searchParams } = new URL(action);
  const segments = pathname.split('/').filter(Boolean);
  const words = segments.map((each) => folded(decoded(each)));
  const from = words.findIndex((word) => administration.test(word));
  if (from < 0 || !words.slice(from + 1).some((word) => setting.test(word))) return false;
  const names = [...searchParams.keys(), ...fields.map(({ name }) => name)];
  return !names.some((name) => entryNames.test(name)) && !segments.some((each) => normaliseSegment(each) === '{id}');
}

const settings = /^(?:settings?|preferences?|prefs|config|configuration)$/;

/** An address of settings. Without an account they are those of everybody, and nothing shows what was set before. */
export const isOfSettings = (url: string): boolean =>
  new URL(url).pathname.split('/').some((segment) => settings.test(folded(decoded(segment))));
