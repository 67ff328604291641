/** What a verb takes on to become a name or an adjective: "removed", "senders", "ordering". */
export const endings = 'e?d|e?s|e?rs?|ings?|able|als?|ance|ments?|ly|ness|ions?';

/** Names of pages that tell of something, where a verb beside them is their subject: "order-history", "reorder-guide". */
export const readingNouns = [
  'guides?|explained|explanation|help|faqs?|polic(?:y|ies)|docs?|documentation|manuals?|history|tips|tutorials?|info|information|about|overview|reference|examples?|demos?|stats|statistics|reasons?|terms|conditions|rules|pricing|prices|rates|costs?|fees|calculator|charts?|stor(?:y|ies)|news|blog|lessons?|courses?|glossary|definition|meaning|reviews?|comparison|features|benefits|options|methods|summary|details?|instructions|howto|cases?|videos?|gallery|music|songs?|lyrics|recipes?|forms?|buttons?|icons?|lights?|points?|machines?|bars?|chains?|types?|levels?|engines?|css|js|sheets?|part(?:y|ies)|zones?|hours|times?|numbers?',
].join('|');

/** A name that begins like this tells of what follows. */
export const tellingStarts =
  'how|howto|why|when|what|where|who|which|guide|about|learn|understand|understanding|wie|warum|comment|pourquoi|como|porque|come|hoe|jak|kak|как|почему';
