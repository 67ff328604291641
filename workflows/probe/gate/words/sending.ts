/** What stands on the button of any form, whatever it does: it says nothing of what that is. */
export const plainButtons = [
  'send|submit|go|ok|apply|continue|next|show|done|enter',
  'senden|absenden|abschicken|los|weiter|anwenden|envoyer|appliquer|suivant|continuer|enviar|aplicar|continuar|siguiente|invia|applica|avanti',
  'verzenden|versturen|verstuur|verzend|toepassen|skicka|sende|laheta|wyslij|dalej|odeslat|odoslat|kuldes|elkuld|trimite|posalji|poslji|gonder|gui|kirim|hantar',
  'отправить|применить|продолжить|надіслати|відправити|изпрати|αποστολη|υποβολη|送信|送信する|发送|提交|전송|보내기|제출|ส่ง|إرسال|ارسال|שלח|भेजें',
].join('|');

/** Those of them that browsers write on a button that says nothing itself. */
export const submittingButtons = 'submit|submitquery|soumettre|υποβολη|提交|제출';

/** On the button of a form that asks for what is typed: that something is done with it, not to what. */
export const workingButtons =
  'execute|run|try|tryit|test|check|calculate|compute|evaluate|convert|ping(?:it|host|me|now|address|device|server)?|traceroute|resolve|analy[sz]e|process|render|make(?:an?|the|my)?(?:card|preview|picture|image|thumbnail|badge|poster|pdf|chart|graph|qrcode|screenshot|snapshot)';

/** Those of them that hand a text over to somebody. */
export const sendingButtons =
  'send|sende|senden|absenden|abschicken|envoyer|enviar|invia|verzenden|versturen|verstuur|verzend|skicka|laheta|wyslij|odeslat|odoslat|kuldes|elkuld|trimite|posalji|poslji|gonder|gui|kirim|hantar|отправить|надіслати|відправити|изпрати|αποστολη|送信|送信する|发送|전송|보내기|ส่ง|إرسال|ارسال|שלח|भेजें';

/** Names of fields for whom something is meant. */
export const recipientNames =
  '(?:to|cc|bcc|recipients?|receiver|addressee|send_?to|an|empfanger|empfaenger|destinataire|destinatario|ontvanger|mottagare|mottaker|modtager|odbiorca|prijemce|получатель|komu|宛先|收件人|받는사람)';

/** What a choice without any text is about, where it is made and not only shown: rule 1 keeps it from being tried. */
export const weightyChoices =
  'payments?|pay|checkout|billing|orders?|invoices?|subscriptions?|bookings?|reservations?|appointments?|transfers?|donations?|votes?|voting|polls?|surveys?|roles?|permissions?|users?|accounts?|members?|settings?|preferences?|consent|cart|basket|wishlist|ratings?|stars?|follow|like|imports?|cop(?:y|ies)|clone|duplicat(?:e|ion)|merge|move|migrate|restore|actions?|automations?|rules?|triggers?';

/**
 * What adds something, with what is added: no more than forms do that keep what they are sent, or take an address for a list. What sends
 * or invites by its words is never tried.
 */
export const addingVerbs =
  '(?:imports?|subscribe|reports?|join|enroll?|verify|redeem|apply|register|rsvp|reserve|write|propose|respond|assinar|eintragen|dodaj)(?:an?|the|my|your)?(?:files?|data|requests?|users?|members?|notes?|comments?|reviews?|entry|entries|posts?|answers?|reply|replies|records?|contacts?|customers?|products?|items?|links?|it|now)?';

/** What ends a row of steps: on a test system, what the steps before have handed over is sent on. */
export const finishingVerbs = '(?:finish|complete)(?:this|the|your|my)?(?:form|draft|design|setup|wizard|step|it|now)?';

/** What takes in a file that is sent: a theme, an extension, a package; or hands it over: "Send my photo". */
export const installingVerbs =
  '(?:install|load|unpack|extract|unzip|deploy|send|submit|attach)(?:an?|the|my|your|this)?(?:files?|themes?|plugins?|extensions?|modules?|packages?|archives?|bundles?|photos?|pictures?|images?|documents?|drawings?|papers?|it|now)?';
