/** What a verb takes on to become a name or an adjective: "removed", "senders", "ordering". */
export const endings = 'e?d|e?s|e?rs?|ings?|able|als?|ance|ments?|ly|ness|ions?';

/** Names of pages that describe something, where a verb beside them is their subject: "order-history", "reorder-guide". */
export const readingNouns = [
  'results?|guides?|explained|explanation|help|faqs?|polic(?:y|ies)|docs?|documentation|manuals?|history|tips|tutorials?|info|information|about|overview|reference|examples?|demos?|stats|statistics|reasons?|terms|conditions|rules|pricing|prices|rates|costs?|fees|calculator|charts?|stor(?:y|ies)|news|blog|lessons?|courses?|glossary|definition|meaning|reviews?|comparison|features|benefits|options|methods|summary|details?|instructions|howto|cases?|videos?|gallery|music|songs?|lyrics|recipes?|forms?|buttons?|icons?|lights?|points?|machines?|bars?|chains?|types?|levels?|engines?|css|js|sheets?|part(?:y|ies)|zones?|hours|times?|numbers?',
].join('|');

/** Of those the ones that nobody has many of: what explains. */
export const explainingNouns =
  'guides?|explained|explanation|help|faqs?|tips|tutorials?|information|about|overview|reference|examples?|reasons?|terms|conditions|pricing|calculator|definition|meaning|comparison|benefits|instructions|howto|css|js|buttons?|icons?|lights?|engines?|machines?|bars?|chains?|hours';

/** A name that begins like this explains what follows. */
export const explainingStarts =
  'how|howto|why|when|what|where|who|which|guide|about|learn|understand|understanding|wie|warum|comment|pourquoi|como|porque|come|hoe|jak|kak|как|почему';

/** Segments below which things stand by their names: what follows is a title, and its words are its subject. */
export const namingSegments =
  'wiki|blogs?|news|articles?|posts?|stor(?:y|ies)|kb|help|docs?|faqs?|questions?|t|topics?|threads?|discussions?|tags?|categor(?:y|ies)|collections?|products?|p|films?|movies?|books?|songs?|games?|recipes?|guides?|tutorials?|courses?|lessons?|glossary|events?|press|magazine|support|kategorie|produkte?|hilfe|aktuelles|artikel|beitrage?|aide|actualites|produits?|cat|ayuda|noticias|productos?|ajuda|produtos?|prodotti|notizie|aktualnosci|produkty|pomoc|новости|товары|статьи|помощь';
/** Words of prose, which commands do without. */
export const prose =
  'a|an|is|are|was|not|no|cant|cannot|dont|wont|doesnt|please|i|we|you|vs|or|with|without|after|before';
/** What commands have beside their verb and its object. */
export const commandWords =
  'pending|checked|marked|expired|old|unused|drafts?|database|db|caches?|index(?:es)?|tables?|sessions?|logs?|counters?|data|permanently|forever|bulk|multiple|many|one|draft|account|profile|immediately|everything|everyone|batch|mass|quick|confirm|confirmed|action|submit|do|ajax|process|handler|async|json|php';
/** The last name of an address behind a module that is called by a verb: "/mod/assign/view.php". */
export const readingNames =
  'results?|receipt|success|view|show|list|details?|history|overview|browse|search|print|preview|read|info';

/** Endings of names that describe something, in scripts without spaces. */
export const readingUnspaced =
  '(?:履歴|方法|一覧|詳細|について|ガイド|案内|規約|とは|条件|状況|ヘルプ|手順|実績|ポリシー|ルール|説明|情報|お知らせ|料金|历史|歷史|记录|記錄|方式|列表|详情|詳情|说明|說明|指南|条款|條款|政策|状态|狀態|帮助|須知|须知|规则|常见问题|信息|내역|방법|목록|안내|상세|조회|정책|약관|현황|이력|규정|정보|도움말)$';
