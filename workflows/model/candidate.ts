/** A place where a weakness may be. Only an experiment makes it a finding. */
export type Candidate<D = unknown> = {
  location: {
    url: string;
    method?: string;
    parameter?: string;
    parameterIn?: 'query' | 'body' | 'path' | 'header' | 'cookie' | 'fragment';
  };
  /** Route for the fingerprint; derived from the URL when not given. */
  route?: string;
  /** Its page is one of many numbered programs, so that it is no mistake that many pages share. */
  isApart?: true;
  /** One sentence on what was seen here; goes before the check's own description. */
  detail?: string;
  /** Another vector than the check's, when the case is graver or milder. */
  cvss?: string;
  data?: D;
};
