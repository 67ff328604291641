/**
 * Words for ending a session, in the languages of most sites. Those of scripts without spaces between words, and those
 * that are written together with others, need no boundary; "blogout…" is none of them.
 */
const anywhere = [
  '(?<!b|cata|dia|ana|pro|epi)log[-_ ]?out',
  '(?<!b|cata|dia|ana|pro|epi)log[-_ ]?off',
  'sign[-_ ]?out',
  'sign[-_ ]?off',
  'end[-_ ]?session',
  'sessions?[-_/ ]?(?:end(?!\\p{L})|destroy|close|kill|terminat|invalidat)\\p{L}*',
  '(?:destroy|close|kill|terminat|invalidat)\\p{L}{0,30}[-_ ]?session',
  '(?<=/)(?:exit|(?:good[-_]?)?bye|quit)(?=\\.\\w+$|/?$)',
  'ログアウト|サインアウト|ログオフ',
  '退出登[录錄]|退出登陆|登出|注销|註銷|退出账号',
  '로그아웃',
  'ออกจากระบบ',
  'تسجيل[\\s_-]?(?:ال)?خروج',
  'התנתק\\p{L}*|יציאה',
  'लॉग[\\s-]?आउट',
].join('|');

const whole = [
  // German, Dutch, Scandinavian, Finnish
  'abmelden|ausloggen|abmeldung|uitloggen|afmelden|logg?a[-_ ]?ut|log[-_ ]?(?:ud|ut)|logg[-_ ]?(?:ud|ut)|kirjaudu[-_ ]?ulos',
  // French, Spanish, Portuguese, Italian, Romanian, Catalan
  '(?:se[-_ ])?d[ée]connecter|d[ée]connexion|d[ée]connect[ée]?|salir|cerrar[-_ ]?sesi[oó]n|finalizar[-_ ]?sesi[oó]n|desconectar(?:se)?',
  'sair|(?:encerrar|terminar)[-_ ]?sess[aã]o|deslogar|esci|disconnetti(?:ti)?|disconnessione|deconectare|ie[sș]ire|tanca[-_ ]?sessi[oó]',
  // Polish, Czech, Slovak, Hungarian, Croatian, Slovene, Turkish, Baltic
  'wyloguj|odhl[aá]sit|odhl[aá]si[tť]|kijelentkez[eé]s|kil[eé]p[eé]s|odjava|odjavi|[çc][ıi]k[ıi][şs]|oturumu[-_ ]?kapat|atsijungti|iziet|logi[-_ ]?v[aä]lja',
  // Russian, Ukrainian, Bulgarian, Serbian, Greek
  'выйти|выход|выхода|разлогиниться|вийти|вихід|изход|одјава|одјави|αποσ[υύ]νδεση|έξοδος|exodos',
  // Vietnamese, Indonesian, Malay
  'đăng[-_ ]?xuất|dang[-_ ]?xuat|keluar|log[-_ ]?keluar',
].join('|');

/** Finds what ends a session, in a text in which "signOut" is written "sign Out". */
export const endsSession = new RegExp(
  `(?:${anywhere})(?:now|all|me|user|everywhere|session|confirm|action|handler|servlet|page)?(?=[^\\p{L}]|$|[\\p{Lo}])|(?<=[^\\p{L}]|^)(?:${whole})(?=[^\\p{L}]|$)`,
  'iu',
);
