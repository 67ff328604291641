import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface } from '../../model/surface.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import { partRoute } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { serializedForm } from '../inputs/serialized-text.ts';

/** Most pages were answered before. */
const maxPages = 40;
const maxInputs = 20;
const maxTextLength = 500_000;
/** No part of an address, of a longer word, or of a token with dots in it. */
const base64Word = /(?<![\w+/=.%-])[\w+/-]{16,20000}={0,2}(?![\w+/=%-]|\.\w)/g;

/**
 * Fields that are empty, where a page of the site shows an object that was written as text, for visitors to keep and bring back: with
 * that object as their value. A field of a form says nothing of the format that it takes.
 */
export async function fieldsForExports(
  context: CheckContext,
  inputs: readonly InputSurface[],
): Promise<InputSurface[]> {
  const empty = inputs.filter(({ in: place, sample }) => (place === 'body' || place === 'query') && sample === '');
  const shown = empty.length === 0 ? undefined : await exportedObject(context);
  if (shown === undefined) return [];
  const fields = likeliest(context, empty, maxInputs, 'empty fields that may take an object');
  return fields.map((input) => ({ ...input, sample: shown }));
}

async function exportedObject(context: CheckContext): Promise<string | undefined> {
  const shown = context.surface.pages.filter(
    ({ status, contentType }) => status === 200 && /html|json|text\/plain/.test(contentType),
  );
  const urls = new Map(shown.toReversed().map(({ url }) => [partRoute(url), url]));
  for (const url of likeliest(context, [...urls.values()].toReversed(), maxPages, 'pages that may show an object'))
    for (const [word] of decodedText(await textAt(context.http, url)).matchAll(base64Word))
      if (serializedForm(word) === 'base64') return word;
  return undefined;
}

async function textAt(http: CheckContext['http'], url: string): Promise<string> {
  try {
    return (await http.get(url)).text.slice(0, maxTextLength);
  } catch (error) {
    if (error instanceof ProbeError && error.code === 'refused') return '';
    throw error;
  }
}
