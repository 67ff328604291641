/** Addresses at which an API shows who asks to themselves. */
export const ownProfile =
  /\/(?:me|self|whoami|profile|account|current(?:[-_]?user)?|my[-_]?(?:profile|account))(?:\.json)?\/?$/i;
