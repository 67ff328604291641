/** Fields that keep a secret or a person's address, by their names. */
export const sensitiveNames =
  /(?:^|[^\p{L}])(?:pass(?:word|wort|wd|phrase|code)?|pwd?|new[-_]?pass\p{L}*|pass[-_]?new|password[-_]?\p{L}*|contrasen[aä]|senha|parola|haslo|heslo|motdepasse|mdp|wachtwoord|salasana|losenord|kennwort|sifre|пароль|密码|密碼|パスワード|비밀번호|e?[-_]?mail|email[-_]?address|correo|courriel|tel|telefon[eo]?|phone|mobile|handy|card[-_]?(?:number|no|num)|cc[-_]?(?:number|num|no|exp|cvc|csc)?|cvv2?|cvc2?|csc|iban|bic|swift|ssn|account[-_]?number|routing[-_]?number|pin|otp|totp|2fa|mfa|secret|api[-_]?key)(?:$|[^\p{L}])/iu;

/** Fields that take a password and nothing else, where no page says what they are. */
export const secretNames =
  /^(?:user[-_]?)?(?:pass(?:word|wort|wd|phrase|code)?|pwd?|contrasen[aä]|senha|motdepasse|mdp|wachtwoord|salasana|losenord|kennwort|пароль|密码|密碼|パスワード|비밀번호)$/iu;

/** What OAuth 2.0 sends beside a name and a password. Source: RFC 6749 §4.3.2, §2.3.1. */
export const grantNames = /^(?:grant_type|scope|client_id|client_secret|audience|resource)$/;

/** What stands on the button of a form that lets somebody in, or in its address. */
export const loginWords =
  /log[-_ ]?[io]n|sign[-_ ]?[io]n|auth(?!ors?(?!\p{L}))|session|anmeld|einlogg|connexion|connecter|iniciar|entrar|acced|inloggen|logg[-_ ]?in|zaloguj|prihlas|belep|giris|войти|увійти|вход|登录|登入|ログイン|로그인/iu;

/** What the page declares that goes into a field (HTML Living Standard §4.10.18.7). */
export const sensitiveAutocomplete =
  /\b(?:(?:new|current)-password|one-time-code|email|tel(?:-\w+)?|cc-\w+(?:-\w+)?)\b/i;

/** Names of the fields of forms that look something up, filter or work something out; a form has no other ones. */
export const searchNames =
  /^(?:q|s|k|w|kw|qs|query|queries|search\w*|\w*search|\w*query|term|terms|keyword|keywords|word|words|find|lookup|needle|phrase|suche?|suchbegriff|suchwort|stichwort|recherche|rechercher|busca|buscar|busqueda|pesquisa|pesquisar|cerca|ricerca|zoek|zoekterm|zoeken|sok|sog|haku|szukaj|fraza|hledat|hledej|vyhledat|vyraz|kereses|cauta|ara|arama|tim|timkiem|cari|поиск|пошук|запрос|搜索|搜尋|查询|検索|검색|ค้นหา|بحث|חיפוש|खोज)$/iu;
export const filterNames =
  /^(?:filter\w*|\w*filter|facet\w*|sort\w*|order|order_?by|orderby|dir|direction|page|pages?_?size|per_?page|limit|offset|start|count|size|rows|cat|category|categories|categorie|kategorie|categoria|tag|tags|type|kind|brand|manufacturer|model|colou?r|material|year|month|day|date|dates?_?(?:from|to|start|end)|from|to|since|until|start_?date|end_?date|min\w*|max\w*|price\w*|lo|hi|range|lang|language|locale|country|region|city|district|zip|plz|postcode|department|section|view|display|format|status|in|by|scope|mode|field|fields|advanced|exact|available|in_?stock|guests|adults|children|rooms|nights|radius|distance|lat|lng|lon|near|location)$/iu;

/** Words of buttons and addresses that work something out. */
export const calculating =
  /^(?:calc|calculat\w*|comput\w*|convert\w*|konvert\w*|umrechn\w*|translat\w*|ubersetz\w*|estimat\w*|rechn\w*|berechn\w*|calcul\w*|convers\w*|kalkul\w*|oblicz\w*|przelicz\w*|spocit\w*|vypocit\w*|prevod\w*|preview|vorschau|compare|hesapla|hitung|tinh|beregn\w*|berakn\w*|laske|szamit\w*|calcola|рассчитать|вычислить|посчитать|υπολογισμος|計算|计算|計算する|계산|คำนวณ|احسب|חשב)$/iu;
/** And of those that look something up. */
export const lookingUp =
  /^(?:search\w*|find|lookup|filter\w*|suggest\w*|autocomplete|typeahead|such\w*|recherche\w*|busca\w*|pesquis\w*|cerca|ricerca|zoek\w*|sok\w*|sog|hae|haku|szukaj|hledat|hledej|vyhledat|kereses|keres|cauta|ara|cari|поиск|найти|пошук|знайти|搜索|搜尋|查询|検索|검색|ค้นหา|بحث|חיפוש|खोजें)$/iu;
/** Words of buttons that send anything. */
export const sending = /^(?:go|show|apply|ok|submit|run|query)$/iu;

/** Words of forms that keep, begin or publish something. */
export const keeping =
  /^(?:save|store|add|create|new|edit|update|change|set|register|registration|signup|subscribe|subscription|join|comment|comments|reply|post|posting|publish|upload|book|booking|reserve|reservation|apply_now|request|contact|message|feedback|newsletter|share|like|rate|rating|review|insert|import|generate|start|run|enable|guestbook|sign|invite|speichern|hinzufugen|anlegen|erstellen|andern|aktualisieren|eintragen|registrieren|anmelden|kommentieren|buchen|enregistrer|ajouter|creer|modifier|commenter|guardar|anadir|agregar|crear|editar|actualizar|registrar|comentar|reservar|salvar|salva|aggiungi|crea|modifica|commenta|opslaan|toevoegen|wijzigen|spara|lagg|lagre|gem|tilfoj|tallenna|lisaa|zapisz|dodaj|utworz|edytuj|ulozit|pridat|vytvorit|upravit|mentes|hozzaad|salveaza|adauga|kaydet|ekle|olustur|luu|them|simpan|tambah|buat|сохранить|добавить|создать|изменить|записать|зберегти|додати|запази|добави|αποθηκευση|προσθηκη)$/iu;
/** The same in scripts without spaces between words. */
export const keepingUnspaced =
  /保存|登録|追加|作成|編集|更新|投稿|書き込|コメント|予約|添加|新增|创建|建立|编辑|修改|提交评论|发表|發表|留言|注册|註冊|预订|저장|추가|작성|등록|수정|댓글|예약|บันทึก|เพิ่ม|สร้าง|แก้ไข|สมัคร|حفظ|إضافة|إنشاء|تعديل|تسجيل|שמור|הוסף|צור|ערוך|सहेजें|जोड़ें|बनाएं/u;

/** What is chosen of how pages look to a visitor. */
export const lookNames =
  /^(?:themes?|skins?|styles?|style_?sheets?|templates?|layouts?|colou?rs?|(?:colou?r_?)?schemes?|(?:dark_?)?mode|fonts?(?:_?size)?|lang|languages?|locales?|currency|units?|views?|sprache|langue|idioma|lingua|taal)$/;
