/** A call of the audited host at the listener. */
export type Callback = {
  token: string;
  protocol: 'http' | 'https' | 'dns' | 'smtp' | 'ldap';
  /** Who called; of DNS the resolver. */
  address: string;
  /** What was asked for, for instance "GET /". */
  detail: string;
  /** By core's clock. */
  receivedAtMs: number;
};

/** The instrument that hears what the audited host calls. Tokens are of this run, and nobody can guess one. */
export type CallbackProbe = {
  /**
   * Where the listener is found: a domain whose names all lead to it ("cb.example.com"), or a host with a port
   * ("203.0.113.7:8090"), where tokens stand in the path.
   */
  host: string;
  newToken(): string;
  /** Callbacks of these tokens, when each was called or the time limit is reached. 0 only looks. */
  wait(tokens: readonly string[], waitMs: number): Promise<Callback[]>;
};

/** Whether the listener's names can hold a token, so that resolving one is a call. */
export const hasCallbackNames = (host: string): boolean => !/[:\d]$|\]$/.test(host);

/** The authority and path of a token's address, for instance "cb.example.com/‹callback›": what follows a scheme and two slashes. */
export const callbackSpot = (host: string, token: string): string =>
  hasCallbackNames(host) ? `${token}.${host}/` : `${host}/${token}`;
