import type { FormSurface, InputSurface, Surface } from '../../model/surface.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { sentFields } from '../../survey/form-inputs.ts';
import { isLoginForm } from '../inputs/reading-requests.ts';

const urlencoded = 'application/x-www-form-urlencoded';

/**
 * The page that a visitor comes from (Referer, RFC 9110 §10.1.3) as an input of each place that forms and scripts post to: programs log
 * it, count by it and lead back to it. Whether one reads it has to be asked.
 */
export function referringPages({ forms, calls, inputs }: Pick<Surface, 'forms' | 'calls' | 'inputs'>): InputSurface[] {
  const posted = forms.filter((form) => form.method === 'POST' && !isLoginForm(form) && takesForms(form.enctype));
  const called = calls.filter(
    ({ method, contentType, body = '' }) =>
      method === 'POST' && takesForms(contentType ?? (body === '' ? urlencoded : '')),
  );
  const tokensOf = (url: string) =>
    inputs.find((input) => input.url === url && input.method === 'POST' && input.page?.tokens.length)?.page?.tokens ??
    [];
  const places = [
    ...posted.map(({ action, pageUrl, fields }) => ({ url: action, pageUrl, others: sentFields(fields).map(pairOf) })),
    ...called.map(({ url, pageUrl, body = '' }) => ({
      url,
      pageUrl,
      others: [...new URLSearchParams(body)].map(asPair),
    })),
  ];
  const first = new Map(places.toReversed().map((place) => [place.url, place]));
  return [...first.values()].toReversed().map(
    ({ url, pageUrl, others }): InputSurface => ({
      ...{
        method: 'POST',
        url,
        route: partRoute(url),
        parameter: 'Referer',
        in: 'header',
        sample: pageUrl,
        others,
      },
      ...{ contentType: urlencoded, page: { url: pageUrl, tokens: tokensOf(url) }, isUnasked: true },
    }),
  );
}

const takesForms = (type: string): boolean => type.startsWith(urlencoded);

const pairOf = ({ name, value }: FormSurface['fields'][number]) => ({ name, value });
const asPair = ([name, value]: [string, string]) => ({ name, value });
