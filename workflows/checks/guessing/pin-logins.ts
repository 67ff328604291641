import type { Surface } from '../../model/surface.ts';
import { type Login, loginsOf } from '../logins/login.ts';

/** What is a code of some digits by its name. */
const codeNames = /^(?:.*[._-])?(?:pin|pin[-_]?code|otp|passcode|access[-_]?code)$/i;

/** Forms that open something with a PIN alone. */
export const pinLogins = (surface: Pick<Surface, 'forms' | 'inputs'>): Login[] =>
  loginsOf(surface).filter(({ nameField, passwordField }) => nameField === undefined && codeNames.test(passwordField));
