/** A URL to fetch, and where it was seen. */
export type Lead = { url: string; source: string };
