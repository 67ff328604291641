/** A URL to fetch, and where it was seen. */
export type Lead = {
  url: string;
  source: string;
  /** It may be none: it stands in text or code. A page comes of it only when it answers. */
  isGuess?: true;
  /** A value in it is ours, so that it is asked for as nobody alone. */
  isMade?: true;
};
