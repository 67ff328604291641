import type { Surface } from '../../../workflows/model/surface.ts';
import { type SurveyRequest, survey } from '../../../workflows/survey/crawler.ts';
import { httpTarget, type OpenOptions, openFor } from './support.ts';

export type Site = (
  path: string,
  url: URL,
  headers: Record<string, unknown>,
) =>
  | string
  | {
      type?: string;
      status?: number;
      location?: string;
      body?: string | Uint8Array;
      breaks?: true;
      headers?: Record<string, string>;
    };

/** Surveys a site made by a function from path to page. */
export async function surveyOf(
  site: Site,
  request: Partial<SurveyRequest> & { path?: string } = {},
  options: OpenOptions = {},
): Promise<Surface & { asked: string[] }> {
  const asked: string[] = [];
  const target = await httpTarget((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const url = new URL(incoming.url ?? '/', target.url);
    const page = site(url.pathname, url, incoming.headers);
    const {
      type = 'text/html',
      status = 200,
      location,
      body,
      breaks,
      headers = {},
    } = typeof page === 'string' ? { body: page } : page;
    if (breaks) return void response.destroy();
    response.writeHead(status, { 'content-type': type, ...(location ? { location } : {}), ...headers }).end(body);
  });
  const probes = openFor(target.url, options);
  const { path = '/', ...rest } = request;
  try {
    const surface = await survey({
      probes,
      url: target.url + path,
      startUrls: [],
      excludedPaths: [],
      signal: new AbortController().signal,
      ...rest,
    });
    return { ...surface, asked };
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
}
