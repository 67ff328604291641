/**
 * Words for what acts in languages of the Latin alphabet but English, as whole words of paths, commands and labels. Stems end in `\p{L}*`. Accents and case do not matter: see `folded`.
 */
export const latinWords = [
  // German
  'losch\\p{L}*|loesch\\p{L}*|geloscht|entfern(?:e|en|t)?|vernicht\\p{L}*|leeren|verwerfen|bestell(?:e|en)|bezahl(?:e|en)|kauf(?:e|en)|spenden|uberweis\\p{L}*|ueberweis\\p{L}*|erstatten|abschicken|absenden|versenden|senden|verschicken|einladen|veroffentlichen|veroeffentlichen|freigeben|freischalten|genehmigen|ablehnen|bestatigen|bestaetigen|stornier\\p{L}*|kundig(?:e|en)|kuendig(?:e|en)|zurucksetz\\p{L}*|zuruecksetz\\p{L}*|wiederherstell\\p{L}*|installier\\p{L}*|sperr(?:e|en)|entsperren|deaktivier\\p{L}*|aktivier\\p{L}*|abbestell\\p{L}*|abonnieren|abstimmen|einspielen|neustart\\p{L}*|bieten',
  // French
  'supprim\\p{L}*|effac(?:er|e|ez)|retirer|enlever|vider|detruire|payer|acheter|commander|reglez|rembourser|virer|envoy(?:er|ez)|inviter|publier|depublier|approuver|valider|refuser|rejeter|confirmer|annuler|resilier|reinitialiser|restaurer|installer|desinstaller|bloquer|debloquer|desactiver|activer|desabonner|desinscrire|sabonner|abonner|votez',
  // Spanish
  'eliminar|elimina|borrar|borra|suprimir|quitar|vaciar|anular|pagar|comprar|pedir|ordenar|donar|reembolsar|transferir|enviar|invitar|publicar|despublicar|aprobar|desaprobar|rechazar|confirmar|cancelar|restablecer|restaurar|reiniciar|instalar|desinstalar|bloquear|desbloquear|desactivar|activar|suscribir|desuscribir|votar',
  // Portuguese
  'exclui(?:r|do)?|apagar|apaga|remover|deletar|esvaziar|limpar|limpa|encomendar|doar|reembolsar|convidar|despublicar|aprovar|desaprovar|reprovar|rejeitar|redefinir|desativar|ativar|assinar|inscrever|desinscrever|enviar',
  // Italian
  'cancella(?:re)?|rimuov(?:ere|i)|eliminare|svuota(?:re)?|paga(?:re)?|acquista(?:re)?|compra(?:re)?|ordina(?:re)?|invia(?:re)?|invita(?:re)?|pubblica(?:re)?|approva(?:re)?|disapprova(?:re)?|rifiuta(?:re)?|conferma(?:re)?|annulla(?:re)?|reimposta(?:re)?|ripristina(?:re)?|installa(?:re)?|disinstalla(?:re)?|blocca(?:re)?|sblocca(?:re)?|disattiva(?:re)?|attiva(?:re)?|disiscriv\\p{L}*|iscriviti|vota(?:re)?',
  // Dutch
  'verwijder(?:en|d)?|leegmaken|betaal|betalen|kopen|bestel|bestellen|doneren|verstuur|versturen|verzend|verzenden|uitnodigen|nodiguit|publiceer|publiceren|goedkeuren|afkeuren|afwijzen|bevestig(?:en)?|annuleer|annuleren|opzeggen|herstel(?:len)?|installeer|installeren|blokkeer|blokkeren|deblokkeren|deactiveer|deactiveren|activeer|activeren|uitschrijven|stemmen',
  // Swedish, Danish, Norwegian, Finnish
  'radera|tabort|borttag|slett|slette|slet|fjern|fjerne|betala|betal|betale|kjop|kjope|bestall|bestalla|bestill|bestille|bestil|skicka|avsla|inbjud|inviter|invitere|bjudin|publicera|publiser|publisere|publicer|godkann|godkjenn|godkjenne|godkend|avvisa|avvis|avvise|bekrafta|bekreft|avbryt|avbestall|avbestill|annuller|aterstall|nulstil|nullstill|tilbakestill|installera|blockera|blokker|inaktivera|deaktiver|aktivera|prenumerera|rosta|stem|poista|poistaa|tyhjenna|maksa|osta|tilaa|laheta|kutsu|julkaise|hyvaksy|hylkaa|vahvista|peruuta|palauta|asenna|aktivoi|aanesta',
  // Polish, Czech, Slovak
  'usun|usunac|usuwanie|usuniecie|skasuj|kasuj|wyczysc|oproznij|zaplac|zaplata|kup|kupteraz|zamow|zamawiam|wyslij|wysylanie|zapros|opublikuj|zatwierdz|zaakceptuj|odrzuc|potwierdz|anuluj|zresetuj|resetuj|przywroc|zainstaluj|instaluj|zablokuj|odblokuj|dezaktywuj|aktywuj|wypisz|subskrybuj|zaglosuj|glosuj',
  'smazat|smaz|vymazat|vymaz|odstranit|odstran|odstranenie|vyprazdnit|zaplatit|koupit|kupit|objednat|odeslat|odoslat|poslat|pozvat|publikovat|zverejnit|schvalit|zamitnout|zamietnut|potvrdit|zrusit|obnovit|resetovat|nainstalovat|zablokovat|odblokovat|deaktivovat|aktivovat|odhlasitodber|hlasovat',
  // Hungarian, Romanian, Croatian and Slovene
  'torles|torol|torolni|torlese|eltavolit\\p{L}*|urit|fizet|fizetes|megvesz|megrendel\\p{L}*|vasarlas|kuldes|elkuld|meghiv|kozzetesz|kozzetetel|jovahagy\\p{L}*|elutasit\\p{L}*|megerosit\\p{L}*|lemond\\p{L}*|visszaallit\\p{L}*|telepit\\p{L}*|tilt|letilt\\p{L}*|aktival\\p{L}*|leiratkoz\\p{L}*|szavaz',
  'sterge|stergere|goleste|plateste|cumpara|comanda|trimite|invita|publica|aproba|respinge|confirma|anuleaza|reseteaza|restaureaza|instaleaza|blocheaza|deblocheaza|dezactiveaza|activeaza|aboneaza|dezaboneaza|voteaza',
  'obrisi|izbrisi|brisi|ukloni|odstrani|isprazni|plati|placaj|kupi|naruci|naroci|posalji|poslji|pozovi|povabi|objavi|odobri|odbij|zavrni|potvrdi|potrdi|otkazi|preklici|ponisti|ponastavi|instaliraj|namesti|blokiraj|deaktiviraj|aktiviraj|glasuj|glasaj',
  // Turkish
  'sil|silme|kaldir|temizle|bosalt|satinal|siparisver|gonder|davetet|yayinla|yayimla|onayla|reddet|iptal|iptalet|sifirla|geriyukle|engelle|devredisi|etkinlestir|abonelikten|oyver',
  // Vietnamese, Indonesian and Malay
  'xoa|xoabo|thanhtoan|muangay|dathang|xuatban|duyet|tuchoi|xacnhan|huy|huybo|datlai|chan|kichhoat',
  'hapus|padam|kosongkan|bayar|beli|kirim|hantar|undang|jemput|terbitkan|setujui|luluskan|tolak|konfirmasi|sahkan|batalkan|batal|aturulang|pulihkan|pasang|blokir|sekat|nonaktifkan|aktifkan',
  // Baltic languages
  'istrinti|pasalinti|apmoketi|pirkti|uzsakyti|siusti|pakviesti|paskelbti|patvirtinti|atmesti|atsaukti|dzest|izdzest|maksat|pirkt|pasutit|sutit|publicet|apstiprinat|atcelt|kustuta|eemalda|saada|kinnita|tuhista|avalda',
  // Russian, Ukrainian, Greek, Japanese, Chinese and Korean, in the letters of addresses
  'udalit|udali|udalenie|steret|ochistit|oplatit|kupit|zakazat|otpravit|priglasit|opublikovat|odobrit|otklonit|podtverdit|otmenit|sbrosit|vosstanovit|ustanovit|zablokirovat|otpisatsya|progolosovat|vydalyty|skasuvaty|vidpravyty',
  'diagrafi|diagrapse|afairesi|pliromi|plirose|agorase|paraggelia|apostoli|steile|prosklisi|dimosiefsi|egkrisi|aporripsi|epivevaiosi|akyrosi|epanafora|egkatastasi|sakujo|shokyo|torikeshi|kaijo|kounyu|konyu|kounyuu|chumon|chuumon|shiharai|soushin|sousin|shoutai|koukai|shounin|kyakka|kyanseru|shokika|taikai',
  'shanchu|yichu|qingkong|qingchu|fukuan|zhifu|goumai|xiadan|dinggou|fasong|yaoqing|fabu|pizhun|shenpi|jujue|quxiao|chongzhi|huifu|anzhuang|jinyong|qiyong|tuiding|dingyue|toupiao|sakje|jegeo|gyeolje|gumae|jumun|jeonsong|balsong|chodae|seungin|geobu|chwiso|chogihwa|seolchi|taltoe',
].join('|');

/** Those that stand together with any object: "artikelentfernen", "apagarconta". */
export const latinGlued =
  'loeschen|loschen|entfernen|bestellen|bezahlen|stornieren|absenden|abschicken|freigeben|freischalten|sperren|kundigen|kuendigen|supprimer|effacer|retirer|annuler|envoyer|acheter|approuver|publier|eliminar|borrar|quitar|vaciar|comprar|enviar|aprobar|cancelar|publicar|apagar|remover|excluir|limpar|esvaziar|aprovar|cancella|rimuovi|elimina|svuota|acquista|conferma|annulla|pubblica|approva|verwijderen|verwijder|bestellen|betalen|goedkeuren|annuleren|radera|tabort|slett|fjern|poista|usun|skasuj|zatwierdz|wyslij|smazat|odstranit|zrusit|schvalit|objednat|torles|torol|sterge|obrisi|izbrisi|ukloni|hapus|kirim|batalkan|setujui|udalit|otpravit|otmenit|sakujo|shanchu|quxiao|diagrafi';
/** What those take on to become a name: "publications", "eliminatorias". */
export const latinEndings =
  'ti?ons?|cion(?:es)?|zione|zioni|bles?|t[oi]r[ei]?s?|tori[ao]s?|dor(?:es)?|nces?|nts?|ments?|ungen|ung|er|en|ere|rs?|s';

/** Cyrillic and Greek, as whole words. */
export const otherAlphabets = [
  // Russian
  'удал(?:ить|и|ять|ение)|стереть|стирание|очист(?:ить|и|ка)|оплат(?:ить|и)|заплатить|куп(?:ить|и)|заказ(?:ать)|отправ(?:ить|ь|ка)|послать|приглас(?:ить|и)|опубликовать|публиковать|одобр(?:ить|и)|отклон(?:ить|и)|подтверд(?:ить|и)|отмен(?:ить|и|а)|сброс(?:ить|ь)?|восстанов(?:ить|и)|установить|заблокировать|разблокировать|деактивировать|активировать|отписаться|подписаться|проголосовать|голосовать',
  // Ukrainian, Bulgarian, Serbian
  'видал(?:ити|и|ення)|очистити|сплатити|оплатити|купити|замовити|надіслати|відправити|запросити|опублікувати|схвалити|відхилити|підтвердити|скасувати|скинути|відновити|встановити|заблокувати|розблокувати|активувати|проголосувати',
  'изтри(?:й|ване)?|изтриване|премахни|плати|купи|поръчай|изпрати|покани|публикувай|одобри|отхвърли|потвърди|отмени|откажи|нулирай|възстанови|инсталирай|блокирай|обриши|избриши|уклони|наручи|пошаљи|позови|објави|одбиј|потврди|откажи|поништи',
  // Greek
  'διαγραφη|διεγραψε|αφαιρεση|αδειασμα|πληρωμη|πληρωσε|αγορα|αγορασε|παραγγελια|παραγγειλε|αποστολη|στειλε|προσκληση|δημοσιευση|εγκριση|απορριψη|επιβεβαιωση|ακυρωση|επαναφορα|εγκατασταση|αποκλεισμος|απενεργοποιηση|ενεργοποιηση',
].join('|');
