const names = ['client_id', 'response_type'];

/**
 * Whether parameters of these names ask a server to log somebody in for a client. Such a request is a page like any other, which asks the
 * user what else it needs. Sources: RFC 6749 §4.1.1, OpenID Connect Core 1.0 §3.1.2.1.
 */
export const isSignOn = (given: readonly string[]): boolean => names.every((name) => given.includes(name));

/** It ties what the client is given to its request, and guards nothing of the site. */
export const isNonceOfSignOn = (name: string, given: readonly string[]): boolean => name === 'nonce' && isSignOn(given);
