/** Words for what acts: delete, pay, order, send, invite, publish, approve, cancel, set up again. */
export const verbs = [
  'ack|nack|acknowledge|befriend|unfriend|invalidate|prewarm|evict|cordon|uncordon|escalate|anonymi[sz]e|pseudonymi[sz]e|disqualify|enroll?|unenroll?|unauthori[sz]e|deauthori[sz]e|unfreeze|postpone|abort|decommission|redeliver|reprocess|recompute|recalculate|resubmit|reinstate|reimburse|repay|takedown|checkin|clockin|clockout|blacklist|whitelist|defragment|resync|redeploy|failover',
  'fire|touch|zero|addtocart|addtobasket|addtobag|addtowishlist',
  'forget|pause|unpause|resume|retry|rerun|replay|requeue|trigger|drain|unsub|hide|unhide|bump|boost|stick|unstick|nullify|capture|disburse|extend|renew|swap|prune|vacuum|buyagain|orderagain',
  'del|delete|undelete|rm|rmdir|unlink|remove|destroy|drop|erase|purge|wipe|truncate|trash|untrash|discard|clear|empty|flush|dispose|expunge',
  'unsubscribe|subscribe|optout|optin|deactivate|activate|reactivate|disable|enable|suspend|unsuspend|ban|unban|block|unblock|revoke|cancel|terminate|expire|lock|unlock|mute|unmute|kick|shadowban|quarantine',
  'reset|restore|rollback|revert|undo|recover|reinitiali[sz]e|factoryreset',
  'pay|checkout|purchase|buy|rebuy|donate|refund|transfer|withdraw|payout|charge|topup|redeem|preorder|bid|outbid|pledge|tip|order',
  'send|resend|sendmail|mailto|invite|uninvite|notify|broadcast|remind|forward|retweet|repost|poke',
  'publish|unpublish|republish|approve|unapprove|disapprove|reject|decline|accept|confirm|verify|moderate|spam|unspam|flag|unflag|report|feature|unfeature|promote|demote|elevate|grant|impersonate|makeadmin|setdefault|unset',
  'vote|upvote|downvote|unvote|voteup|votedown|moveup|movedown|thumbsup|thumbsdown|like|unlike|dislike|follow|unfollow|favou?rite|unfavou?rite|fav|star|unstar|pin|unpin|bookmark|unbookmark|toggle|mark|unmark|join|leave|claim|unclaim|assign|unassign|attach|detach|merge|archive|unarchive|dismiss|snooze|close|reopen|unresolve|finali[sz]e|regenerate|rotate|rebuild|reindex|reorder',
  'setup|install|uninstall|reinstall|upgrade|downgrade|migrate|import|shutdown|poweroff|restart|reboot|kill|execute|exec|seed|provision|deploy|undeploy|deregister|unregister|unlinkaccount|autologin|switchuser|sudo|exit',
].join('|');

/** Verbs that stand together with any object: "deleteuser", "unapprovecomment", "userdelete". */
export const gluedVerbs =
  'delete|undelete|remove|destroy|erase|truncate|unsubscribe|deactivate|reactivate|approve|unapprove|disapprove|unpublish|republish|publish|uninstall|reinstall|makeadmin|setdefault|voteup|votedown|moveup|movedown|unblock|unban|unfollow|unlike|upvote|downvote|impersonate|disable|revoke|discard|sendmail|resend|eliminar|supprimer|verwijder|loeschen?|excluir|hapus|usun';

/** Verbs that leave nothing to describe: what stands behind them is what they do it to. */
export const destroyingVerbs = `${gluedVerbs}|send|del|rm|clear|empty|flush|purge|wipe|reset|trash|void|expunge`;

/** What a hidden mark of a form may say that becomes of the thing that its page is about: it goes, has another name or place, or there is a second one. */
export const deeds =
  'del|delete|undelete|remove|destroy|drop|erase|truncate|purge|wipe|unlink|uninstall|terminate|rename|move|merge|relocate|copy|clone|duplicate';

/** Short verbs, which stand together with these objects only: many words begin like them. */
export const shortVerbs =
  'del|rm|drop|clear|empty|flush|purge|wipe|trash|ban|block|kick|mute|lock|unlock|pay|buy|order|send|invite|set|unset|make|reset|cancel|confirm|accept|reject|vote|like|follow|mark|hide|unhide|bump|boost|feature|unfeature|mail|notify|toggle|pin|star|enable|activate|promote|demote|grant|assign|install|restart|kill|run|exec|transfer|withdraw|refund|archive|close|restore|switch|dupe|copy|clone|move|split';
/** What something is marked as. */
export const markedStates =
  '(?:un)?read|seen|viewed|done|solved|resolved|completed?|spam|junk|important|favou?rite|paid|unpaid|sent|shipped|received|delivered|answered|answer|duplicate|default|sold';
/** These show a form as often as they act: see `mildVerbs`. */
export const mildVerbs =
  'add|create|insert|store|save|update|change|edit|new|modify|start|stop|run|generate|sync|refresh|reload|optimi[sz]e|backup|cron|collect|warm';
/** Names of pages that make something new, some of them as soon as they are opened: an editor with a draft of its own. */
export const makingWords =
  'new|add|create|insert|compose|neu(?:e[srn]?)?|anlegen|erstellen|nouveau|nouvelle|creer|ajouter|nuevo|nueva|crear|novo|nova|criar|nuovo|crea|nieuw|nieuwe|ny|nytt|skapa|opret|uusi|luo|nowy|nowa|nowe|utworz|novy|vytvorit|uj|nou|yeni|moi|baru|buat|новый|новая|новое|создать|новий|створити|νεο|新規|新規作成|作成|新建|创建|新增|새로|만들기';
/** Of those the ones that keep something as soon as they are asked for with a value. */
export const storingVerbs = 'add|insert|store|save|set';

export const objects = [
  'users?|accounts?|members?|admins?|roles?|rights?|permissions?|groups?|teams?|items?|products?|articles?|posts?|pages?|comments?|repl(?:y|ys|ies)|topics?|threads?|messages?|msgs?|mails?|emails?|notes?|files?|images?|photos?|pics?|folders?|records?|rows?|entr(?:y|ies)|events?|tasks?|orders?|cart|basket|wishlist|favou?rites?',
  'address(?:es)?|cards?|keys?|tokens?|tags?|categor(?:y|ies)|cat|forums?|boards?|links?|logs?|cache|sessions?|database|db|tables?|data|password|passwd|pwd|pass|pw|default|primary|main|status|state|settings?|config|now|again|all|this|queue|stock|it|me|id|invitations?|invoices?|payments?|money|friends?|requests?|subscriptions?|plan|newsletter|votes?|devices?|backups?|plugins?|modules?|themes?|server|service|process|jobs?',
  'trash|cmd|sql|read|unread|done|spam|active|inactive|public|private|featured|visible|customers?|clients?|employees?|students?|books?|movies?|rec|obj|objects?|entity|node|docs?|documents?|content|contacts?|lists?|listings?|billing|shipping',
].join('|');

/** Names as well as verbs: "/order/17" shows an order. They act behind an identifier, as a command, and with "now". */
export const nounVerbs =
  'orders?|reports?|features?|blocks?|tips?|imports?|transfers|bids|flags?|seeds?|stars?|bookmarks?|favou?rites?|favs?|pledges|refunds?|purchases?|upgrades?|claims|archives?|locks?|trash|spam|broadcasts?|drops|marks|recovery|compra|issues?|pins|likes|subscriptions?|exit|leave';
/** Names as well, which act as soon as they are given a value: "/transfer?to=7", "/close/7". */
export const valuedVerbs =
  'transfer|charge|pledge|claim|kick|mute|forward|close|exec|touch|fire|zero|execute|merge|bid|like|follow|pin|star|favou?rite|bookmark|mark|drop|redeem|topup|tip|fav|donate|join|setup';

/** Behind an identifier these set its state: "/addresses/1/default_for_billing". */
export const states =
  'default|primary|main|featured|sticky|active|inactive|visible|invisible|unread|seen|done|undone|complete|completed|incomplete|up|down|on|off|start|stop|run|now|copy|clone|duplicate|dupe|bump|boost|hide|unhide|show-?again|move|moveup|movedown|rollback|sold|paid|unpaid|shipped|void|renew|extend';

/** These need no object to do harm: everything is theirs. A page with one in its path is not looked at, not even once. */
export const selfSufficient =
  'checkout|pay|placeorder|empty|clear|drain|leegmaken|limpar|esvaziar|leeren|tyhjenna|vyprazdnit|urit|goleste|isprazni|vider|flush|purge|wipe|truncate|reset|restore|rollback|revert|undo|reinstall|uninstall|shutdown|poweroff|restart|reboot|kill|reindex|rebuild|migrate|seed|provision|deploy|undeploy|makeadmin|setdefault|optout|regenerate|rotate|unsubscribe|deactivate|terminate|impersonate|autologin|switchuser|broadcast|factoryreset|reinitiali[sz]e|abbestell\\p{L}*|zuruecksetzen|zurucksetzen|reinitialiser|desabonner|restablecer|reiniciar|vaciar|redefinir|svuota(?:re)?|reimposta(?:re)?|ripristina(?:re)?|oproznij|wyczysc|zresetuj|sifirla|temizle|bosalt|kosongkan|pulihkan';

/** Neither do these where they stand alone: "/mail/send" sends, "/remove-background" is a page. */
export const selfSufficientAlone =
  'send|resend|sendmail|notify|remind|publish|unpublish|delete|del|remove|destroy|erase|drop|cancel|confirm|approve|reject|withdraw|logoff';

/** And these with what they empty or undo: "svuotacarrello". */
export const selfSufficientGlued =
  'empty|clear|flush|purge|wipe|reset|svuota|vaciar?|vider|limpar|esvaziar|leere|leeg|optimi[sz]e|reindex|rebuild|restart';

/** What may stand between a verb and its object. */
export const filler = '(?:as|to|the|all|my|this|your|from|for|by)?';
