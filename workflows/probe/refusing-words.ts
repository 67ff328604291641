/** Within one sentence. */
const near = '[^.!?]{0,60}';
const anyOf = (...patterns: string[]): RegExp => new RegExp(patterns.join('|'), 'is');

/** What a page says of an account that takes no login. */
export const lockedWords = anyOf(
  `(?:account|user|konto|benutzer|compte|cuenta|conta)\\b${near}\\b(?:lock|suspend|disabl|block|deactivat|gesperrt|verrouill|bloque|bloqu)`,
  'too many (?:[a-z-]{1,12} ){0,3}(?:attempts|tries|requests|guesses|failures|submissions|logins|sign-?ins)|temporarily (?:locked|blocked)',
  'zu viele (?:fehl)?versuche|trop de tentatives|demasiados intentos|troppi tentativi',
);

const bad =
  '(?:invalid|incorrect|wrong|\\bbad\\b|unknown|fail|not (?:recogni[sz]ed|correct|valid|right|found|match)|(?:doesn.t|do not) match)';
const credential = '(?:password|credential|user(?:name)?|e-?mail|log.?in|sign.?in|account|authentication)';

/** And of a name and password that do not fit. */
export const wrongWords = anyOf(
  `${bad}${near}${credential}|${credential}${near}${bad}`,
  `(?:passwort|kennwort|anmeld|benutzer|zugangsdaten)${near}(?:falsch|ungültig|nicht korrekt|fehlgeschlagen|unbekannt)`,
  `(?:falsche|ungültige)${near}(?:passwort|kennwort|zugangsdaten|anmeldedaten)`,
  `(?:mot de passe|identifiant)${near}(?:incorrect|invalide|erron)`,
  `(?:contraseña|usuario|credenciales)${near}(?:incorrect|inválid|no válid)`,
  `(?:password|credenziali|utente)${near}(?:errat|non valid)`,
  `(?:wachtwoord|gebruikersnaam)${near}(?:onjuist|ongeldig)`,
);
