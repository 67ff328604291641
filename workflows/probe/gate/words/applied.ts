/**
 * Verbs that act where they stand behind the thing that they are applied to ("/cards/4/freeze"), as the value of a parameter for
 * commands, and on a control of such a thing. Elsewhere most of them are names. Base forms only: "/projects/4/forks" is a list.
 */
export const appliedVerbs = [
  'stop|noshow|reprint|rematch|recheck|rescan|refetch|recrawl|retest|reparse|reconnect|recount|recompile|revalidate|junk|pair|unpair|roll|rectify',
  'abandon|accept|acknowledge|ack|acquire|adjust|adopt|advance|agree|allocate|allow|amend|apply|appoint|assign|associate|attempt|attend|award|befriend|begin|bind|blacklist|whitelist|borrow|burn|bury|bypass|cast|checkin|checkout|clean|cleanup|clone|combine|commit|compact|compensate|complete|concede|consent|consume|convert|copy|correct|crop|debit|decide|declare|decommission|deduct|defer|delegate|deliver|demand|deny|deposit|dequeue|disburse|discharge|disconnect|connect|dispatch|dispute|disown|distribute|divert|draw|duplicate|dupe|eject|embargo|end|endorse|enforce|engage|enlist|enqueue|enroll?|unenroll?|escalate|evict|exclude|exempt|expel|fail|finish|fire|fix|fork|force|forgive|freeze|fulfill?|fund|gift|give|golive|halt|handover|hangup|hire|hold|ignore|include|increase|decrease|increment|decrement|incr|decr|inject|instal|invalidate|invoke|isolate|issue|judge|launch|lend|lift|lose|lower|mint|mount|unmount|move|negotiate|nominate|nudge|omit|outsource|overwrite|override|park|paste|patch|penali[sz]e|persist|pick|ping|postpone|preempt|prewarm|process|procure|produce|prohibit|prolong|propose|protect|pull|punish|push|put|quit|raise|rate|react|rearm|reassign|rebase|recall|receive|recharge|reclaim|reconcile|recommend|recompute|recalculate|redact|redeliver|redo|reduce|refill|refuse|register|reimburse|reinstate|reissue|relaunch|reload|relocate|rename|rent|repair|repay|repeat|replace|replicate|reprocess|request|reserve|resign|resolve|respond|retire|retract|return|reverse|revise|reward|rollover|rsvp|schedule|secure|seize|sell|settle|share|ship|shred|shrink|shuffle|sign|silence|skip|solve|spawn|spend|split|sponsor|stake|steal|submit|subtract|supersede|surrender|take|takedown|takeover|thank|throttle|trade|transition|trim|trust|turn|undelete|unify|unload|unlock|vacate|void|volunteer|waive|wake|warn|watch|withhold|won|lost|write|writeoff|yank',
].join('|');
/** Those of them that are no nouns. */
export const onlyVerbs =
  'takeover|handover|checkin|reprint|rematch|recheck|rescan|refetch|recrawl|retest|reparse|reconnect|recount|recompile|revalidate|unpair|rectify|abandon|acquire|adjust|allocate|amend|appoint|associate|befriend|clone|combine|compact|convert|decrease|decrement|decr|deduct|defer|delegate|deliver|deny|dequeue|disconnect|dispatch|distribute|divert|duplicate|dupe|eject|endorse|enforce|enqueue|exclude|exempt|expel|fulfill?|ignore|increase|increment|incr|invalidate|invoke|isolate|lend|nominate|overwrite|penali[sz]e|persist|postpone|preempt|propose|reassign|recalculate|recompute|reconcile|redact|redo|relocate|rename|replicate|reprocess|resolve|retract|settle|shred|solve|split|subtract|surrender|unify|unload|unmount|vacate|waive|withhold|writeoff';
/** What is done with "now" behind it: "Check now". "Read now" leads to a page. */
export const workedAtOnce =
  'check|run|sync|update|scan|fetch|start|build|index|crawl|poll|test|ping|refresh|backup|process|send|pull|push|collect|import|generate|retry|install|apply|execute|deploy|restart|reboot|stop';
/** On a control these show something as often: "Open", "Watch", "Return". */
export const appliedOnlyBehind = [
  'open|reopen|play|select|choose|use|enter|try|continue|pass|build|train|test|scan|sync|load|lock|value|answer|arm|disarm|back|book|break|match|post|power|record|release|rest|step|start|resume|store|stream|touch|run|tag|untag|cover',
].join('|');
/** Of the former these stand on links that show something. */
export const showing = 'watch|return|take|pick|draw|cast|park|share|convert|sign|receive|patch|process|fund|schedule';

/** The same in other languages, as they stand behind a thing or on its control. Without accents. */
export const appliedForeign = [
  // German
  'hinzufugen|hinzufuegen|melden|austragen|eintragen|schliessen|beitreten|verlassen|verschieben|umbenennen|zuweisen|ubernehmen|uebernehmen|weiterleiten|zuruckziehen|zurueckziehen|abbrechen|beenden|starten|stoppen|pausieren|fortsetzen|anheften|ausblenden|folgen|entfolgen|merken|buchen|reservieren|einlosen|einloesen|einziehen|auszahlen|aufladen|verlangern|verlaengern|widerrufen|widersprechen|aufheben|archivieren|kopieren|duplizieren|zusammenfuhren|zusammenfuehren|verknupfen|verknuepfen|trennen|zulassen|verbieten|befordern|herabstufen|bewerten|annehmen|ubertragen|uebertragen|verschenken|einreichen|zuordnen|erledigen|abhaken|umtauschen|zuruckgeben|zurueckgeben',
  // French
  'ajouter|cloturer|fermer|rouvrir|signaler|inscrire|rejoindre|quitter|deplacer|renommer|attribuer|affecter|transferer|transmettre|relancer|arreter|demarrer|suspendre|reprendre|epingler|masquer|suivre|aimer|reserver|prolonger|renouveler|revoquer|archiver|dupliquer|copier|fusionner|lier|delier|autoriser|interdire|bannir|promouvoir|noter|marquer|accepter|expulser|geler|echanger|rembourser|soumettre',
  // Spanish and Portuguese
  'anadir|agregar|banear|cerrar|reabrir|inscribirse|inscribir|unirse|abandonar|mover|renombrar|asignar|reenviar|detener|iniciar|suspender|reanudar|fijar|ocultar|seguir|reservar|prolongar|renovar|revocar|archivar|duplicar|copiar|fusionar|vincular|desvincular|autorizar|prohibir|denunciar|reportar|marcar|canjear|retirar|devolver|aceptar|expulsar|congelar',
  'adicionar|fechar|renomear|atribuir|parar|retomar|revogar|arquivar|mesclar|proibir|resgatar|aceitar|congelar|silenciar',
  // Italian
  'aggiungi|aggiungere|chiudi|chiudere|riapri|unisciti|abbandona|sposta|rinomina|assegna|inoltra|ferma|avvia|sospendi|riprendi|fissa|nascondi|segui|prenota|rinnova|revoca|archivia|duplica|copia|unisci|collega|scollega|autorizza|vieta|banna|segnala|riscatta|restituisci|accetta|espelli',
  // Dutch, Scandinavian
  'toevoegen|sluiten|heropenen|deelnemen|verlaten|verplaatsen|hernoemen|toewijzen|doorsturen|stoppen|starten|pauzeren|hervatten|vastmaken|verbergen|volgen|boeken|reserveren|verlengen|intrekken|archiveren|kopieren|samenvoegen|koppelen|ontkoppelen|toestaan|verbieden|melden|inwisselen|accepteren',
  'stang|stanga|lukk|lukke|flytta|flytt|kopiera|anmal|rapportera|folj|folg|boka|bestem|godta|acceptera|arkivera|pausa|starta|stoppa|tilldela|tildel|sulje|siirra|kopioi|ilmianna|seuraa|varaa|keskeyta|kaynnista',
  // Polish, Czech, Hungarian, Romanian, Croatian
  'dodaj|zamknij|przydziel|przypisz|przenies|przekaz|przeslij|zatrzymaj|uruchom|wstrzymaj|wznow|przypnij|odepnij|ukryj|obserwuj|dolacz|opusc|zarezerwuj|przedluz|odnow|uniewaznij|cofnij|archiwizuj|kopiuj|duplikuj|polacz|rozlacz|zezwol|zbanuj|zglos|ocen|wymien|zwroc|wykonaj|oznacz|rozwiaz|przyjmij|zrealizuj|polub|zapisz',
  'pridat|zavrit|uzavrit|presunout|prejmenovat|priradit|preposlat|zastavit|spustit|pozastavit|pripnout|skryt|sledovat|pripojit|opustit|rezervovat|prodlouzit|odvolat|archivovat|kopirovat|sloucit|povolit|zakazat|nahlasit|hodnotit|oznacit|vratit|prijmout',
  'hozzaad|lezar|athelyez|leallit|elindit|kovet|lefoglal|adauga|inchide|muta|opreste|porneste|urmareste|rezerva|zatvori|premjesti|pokreni|zaustavi|prati|rezerviraj',
  // Turkish, Vietnamese, Indonesian
  'ekle|kapat|tasi|durdur|baslat|takipet|rezerve|gizle|kopyala|them|dong|dichuyen|batdau|dunglai|theodoi|tambah|tutup|pindah|mulai|hentikan|ikuti|pesan|sembunyikan',
  // Russian and Ukrainian, in the letters of addresses
  'dobavit|zakryt|pereslat|peremestit|naznachit|zapustit|ostanovit|pereimenovat|zabronirovat|prinyat|skryt|dodaty|zakryty|peremistyty|zapustyty',
].join('|');

/** In Russian the infinitive says that something is done; these are nouns that end alike, and verbs that show. */
export const russianInfinitive =
  '(?!(?:по)?(?:смотреть|читать|слушать|искать|найти|показать|просмотреть|посмотреть|почитать|скачать|сравнить|узнать|выбрать|перейти|войти|вернуться|распечатать|печать|память|кровать|тетрадь|мать|нить|сеть|связать(?:ся)?|вступить)$)\\p{L}{2,}(?:ать|ять|ить|еть|уть|ыть|йти)(?:ся)?';

/** In scripts without spaces, at the end of a name or a label. */
export const appliedUnspaced = [
  '追加|申請|公開|解決|割り当て|割当|移動|複製|再開|停止|開始|転送|返品|返金|予約|登録|参加|退出|通報|報告|フォロー|ミュート|固定|非表示|完了|締め切る|閉じる|提出|凍結|保留|再送|編入',
  '添加|加入|关闭|關閉|移动|移動|复制|複製|转发|轉發|举报|檢舉|收藏|关注|關注|预订|預訂|提交|开始|停止|暂停|暫停|重启|置顶|置頂|锁定|鎖定|解锁|解鎖|分配|退货|退貨|退款|完成|领取|領取|签到|冻结|报名',
  '추가|닫기|이동|복사|전달|신고|팔로우|예약|제출|시작|중지|고정|숨기기|배정|반품|환불|신청|공개|완료|종료|가입|동결',
].join('|');

/** Words of pages that keep something as soon as they are asked for with a value: "add" in other languages. */
export const addingForeign =
  'hinzufugen|hinzufuegen|speichern|ajouter|enregistrer|anadir|agregar|guardar|adicionar|salvar|aggiungi|aggiungere|salva|toevoegen|opslaan|laggtill|tilfoj|legg|lisaa|tallenna|dodaj|dodac|zapisz|pridat|ulozit|hozzaad|mentes|adauga|salveaza|dodati|spremi|ekle|kaydet|them|luu|tambah|simpan|добавить|сохранить|додати|зберегти|добави|запази|προσθηκη|αποθηκευση|dobavit|sohranit|追加|保存|添加|新增|추가|저장';

/** Where shops put a thing: labels that have no verb. */
export const intoBasket =
  '(?:in|into|to|den|het|do|в|у|au|al|ao|nel|i|till|sepete|košíku)\\s+(?:(?:my|your|the|den|het|de|mon|votre|el|il|la)\\s+)?(?:cart|basket|bag|trolley|wishlist|warenkorb|einkaufswagen|merkzettel|wunschliste|koszyka|kosiku|kosika|корзину|кошик|избранное|panier|carrito|cesta|carrinho|carrello|winkelwagen|winkelmand|varukorg|kundvagn|kurv|kurven|handlekurv|ostoskoriin|kosarba|cos)';
