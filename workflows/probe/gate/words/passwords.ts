import { folded } from './spelling.ts';

/** Words for a password, and for who has one. */
const password =
  'pass(?:word|wort|wd|phrase|code)?|pwd?|kennwort|contrasena|clave|senha|parola|haslo|heslo|wachtwoord|salasana|losenord|passord|adgangskode|jelszo|lozinka|geslo|sifre|parolei?|mot ?de ?passe|mdp|парол\\p{L}*|κωδικο\\p{L}*|סיסמה|كلمة ?(?:ال)?مرور|mat ?khau|kata ?sandi';
/** Words for having none any more, and for being given another one. */
const anew =
  'lost|lose|new|get|recover\\p{L}*|retriev\\p{L}*|remind\\p{L}*|resend|reset\\p{L}*|request|forgot\\p{L}*|neue?s?|anforder\\p{L}*|zurucksetzen|nouveau|reinitialis\\p{L}*|recuper\\p{L}*|restablec\\p{L}*|redefin\\p{L}*|nuova|reimposta\\p{L}*|opnieuw|nieuw|nytt?|uus|nowe|odzysk\\p{L}*|przypomn\\p{L}*|obnov\\p{L}*|uj|yeni\\p{L}*|sifirla\\p{L}*|восстанов\\p{L}*|сброс\\p{L}*|нов\\p{L}*|віднов\\p{L}*|скин\\p{L}*|νεο\\p{L}*|επαναφορα|שחזור|איפוס|استعادة|استرجاع|dat ?lai|lay ?lai|atur ?ulang';
/** Words for having forgotten, which say it alone where nothing is looked up. */
const forgotten =
  'forgot(?:ten)?|vergessen|oublie[es]*|olvid\\p{L}*|dimenticat\\p{L}*|esquec\\p{L}*|vergeten|glomt|glemt|unohtu\\p{L}*|zapomn\\p{L}*|zapomen\\p{L}*|elfelejt\\p{L}*|zaborav\\p{L}*|pozabljen\\p{L}*|uitat\\p{L}*|unuttum|забыл\\p{L}*|забул\\p{L}*|ξεχασ\\p{L}*|שכחת\\p{L}*|نسيت|quen|lupa';

const gap = '(?:[^\\p{L}]+(?:\\p{L}+[^\\p{L}]+){0,2})?';
const unspaced = folded(
  [
    '(?:忘记|忘記|找回|重置|重設|重设)(?:了)?(?:密码|密碼)|(?:密码|密碼)(?:找回|重置|重設|重设)',
    'パスワード.{0,6}(?:忘れ|再設定|再発行|リセット)',
    '비밀번호.{0,4}(?:찾기|분실|재설정|초기화)',
  ].join('|'),
);
const start = '(?<!\\p{L})';
const end = '(?!\\p{L})';

/** Forms that begin a password anew are never sent: by name, they write to its owner. For folded text. */
export const renewsPassword = new RegExp(
  [
    `${start}(?:${anew}|${forgotten})${gap}(?:${password})${end}`,
    `${start}(?:${password})${gap}(?:${anew}|${forgotten})${end}`,
    `${start}(?:${forgotten})${end}`,
    unspaced,
  ]
    .join('|')
    .normalize('NFC'),
  'u',
);

/** Paths of forms by whose name alone somebody gets back into an account: "/recover", "/lost.php", "/account/reset". */
export const regainsAccess =
  /(?:^|\/)(?:(?:account|user|access|login)[-_/]?)?(?:lost(?:[-_]?access)?|recover(?:y)?|restore|regain|reset)(?:\.\w{2,5})?\/?$/i;
