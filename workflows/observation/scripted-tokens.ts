import { tokenHeaders } from '../checks/inputs/open-input.ts';
import type { FormSurface, InputSurface, PageToken } from '../model/surface.ts';
import type { Submission } from './submission.ts';

/** The request of a script with what its page, as it is then, gives for its headers. */
export const withTokens = (tokens: readonly PageToken[], submission: Submission): Submission =>
  tokens.some((token) => 'header' in token)
    ? {
        ...submission,
        renewed(page) {
          const renewed = submission.renewed?.(page) ?? submission;
          return { ...renewed, headers: [...renewed.headers, ...tokenHeaders(page, tokens)] };
        },
      }
    : submission;

/** What a script brings along that sends a form in place of the browser. */
export const tokensOfForm = (form: FormSurface, inputs: readonly InputSurface[]): readonly PageToken[] =>
  inputs.find(({ method, url, page }) => method === form.method && url === form.action && page)?.page?.tokens ?? [];
