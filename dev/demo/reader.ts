import { weakKey } from './checkout.ts';
import { identities } from './identities.ts';

/** What the commands of a deep audit ask of their reader, as the shop's own people would set it: environment variables. */
export const readersVariables: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(identities).flatMap(([name, { email, password }]) => [
      [`USERNAME_${name.toUpperCase()}`, email],
      [`PASSWORD_${name.toUpperCase()}`, password],
    ]),
  ),
  SIGNING_KEY: weakKey,
};
