import type { CaptureRule } from '../../model/experiment.ts';

/** How a visitor comes by what a request has to bring along: the page gives cookies, and a token that belongs to them. */
export type PageOpening = {
  url: string;
  captures: CaptureRule[];
  /** References in the place of the page's own values, by the name of the field. */
  fields: Record<string, string>;
  headers: [name: string, value: string][];
};
