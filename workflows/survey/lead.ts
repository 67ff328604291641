/** Where an address was seen, when that is no page: what a lead's `source` says then. */
export const leadSource = {
  target: 'target',
  start: 'start URL',
  wellKnown: 'well-known',
  usualPlace: 'usual place',
  routeTable: 'route table',
  script: 'script',
  browser: 'browser',
  document: 'API document',
} as const;

/** A URL to fetch, and where it was seen: the URL of a page, or one of `leadSource`. */
export type Lead = {
  url: string;
  source: string;
  /** It may be none: it stands in text or code. A page comes of it only when it answers. */
  isGuess?: true;
  /** A value in it is ours, so that it is asked for as nobody alone. */
  isMade?: true;
  /** Script asks for it when a control that acts is pressed; where script asks for it otherwise as well, it only shows something. */
  isAsked?: true;
};
