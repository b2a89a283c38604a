/*
 * Words that tell kinds of email apart where the headers do not: in English, German, French, Spanish, Italian, Dutch,
 * Portuguese and the languages of the Nordic countries, because mail servers write such texts in the language of their
 * users. `\b` only knows Latin letters without accents, so words that begin or end with others go without it.
 */

/** Subjects that only an answering machine writes. */
export const AUTOMATIC_SUBJECT =
  /^\s*(?:(?:re|aw|sv|antw)\s*:\s*)?(?:auto(?:matic|mated)?[ -]?(?:reply|response|answer)\b|auto(?:matische?[sr]?)? ?(?:antwort|antwoord)\b|abwesenheits(?:notiz|meldung|nachricht|assistent)|(?:réponse|reponse) automatique|message d'absence|respuesta autom[aá]tica|resposta autom[aá]tica|risposta automatica|autosvar\b|automatis[kt]e? (?:svar|besked)|automaattinen vastaus|automatyczna odpowied|automatická odpov|автоответ|自動返信|自动(?:回复|答复)|자동 회신)/i;

/** Subjects that an answering machine writes, and sometimes a person: the text decides. */
export const ABSENCE_SUBJECT =
  /\b(?:out of (?:the )?office|ooo|away from (?:the|my) (?:office|desk)|on (?:vacation|leave|holiday)|vacation|annual leave|abwesen(?:d|heit)|nicht im b[uü]ro|im urlaub|absence|absent|fuera de (?:la )?oficina|ausen(?:te|cia)|fuori (?:ufficio|sede)|assen(?:te|za)|afwezig|niet op kantoor|frånvar|fravær|poza biurem)/i;

/** Phrases of automatic replies, each counted once. People use each of them, but rarely three together. */
export const ABSENCE_CUES: readonly RegExp[] = [
  // The writer is away.
  /\b(?:i(?:'|’)?(?:m| am)(?: currently| now)? (?:out of (?:the )?office|away|on (?:\w+ )?(?:leave|vacation|holiday)|travelling|traveling|not in the office)|(?:i(?:'|’)?ll|i will) be (?:out of (?:the )?office|away|on (?:\w+ )?(?:leave|vacation|holiday))|(?:bin|befinde mich)\b.{0,60}\b(?:nicht im (?:b[uü]ro|haus)|abwesend|im (?:\w+)?urlaub|in elternzeit|ausser haus|außer haus)|(?:je suis|serai)\b.{0,40}\b(?:absent|en (?:congé|congés|vacances)|hors du bureau)|estoy\b.{0,30}\b(?:fuera de (?:la )?oficina|de vacaciones|ausente)|estou\b.{0,30}\b(?:fora do escrit[oó]rio|de f[eé]rias|ausente)|sono\b.{0,30}\b(?:fuori (?:ufficio|sede)|in ferie|assente)|ik ben\b.{0,40}\b(?:afwezig|met (?:vakantie|verlof)|niet op kantoor)|jag är\b.{0,40}\b(?:ledig|på semester|borta)|jeg er\b.{0,40}\b(?:på ferie|fraværende|ude af kontoret))/i,
  // The message arrived.
  /\b(?:thank(?:s| you)(?: very much)? for (?:your|the) (?:e-?mail|message|mail|note)|vielen dank für (?:ihre|deine|die) (?:e-?mail|nachricht|mail)|merci (?:de|pour) votre (?:message|e-?mail|mail)|gracias por (?:su|tu) (?:mensaje|correo)|obrigad[oa] (?:pela|por) sua mensagem|grazie per (?:il (?:suo|tuo|vostro) )?(?:messaggio|e-?mail)|bedankt voor (?:uw|je) (?:bericht|e-?mail|mail)|tack för ditt (?:mejl|meddelande)|tak for din (?:mail|besked))/i,
  // It is not read, or later.
  /\b(?:(?:limited|no|without|only (?:limited|occasional)) access to (?:my |the )?(?:e-?mails?|inbox|mail)|(?:will not be|won't be|is not) (?:read|forwarded|monitored)|(?:will (?:reply|respond|answer|get back to you|read it)|reply to you|respond to your (?:e-?mail|message)) (?:when|after|upon|once|as soon as)|not (?:be )?(?:checking|reading) (?:my )?e-?mails?|kein(?:en)? zugriff auf|nicht weitergeleitet|nicht gelesen|nach meiner r[uü]ckkehr|[aà] mon retour|acc[eè]s limit[eé]|a mi (?:regreso|vuelta)|al mio (?:rientro|ritorno)|beperkt bereikbaar|na mijn terugkomst|begränsad tillgång)/i,
  // Somebody else can help.
  /\b(?:(?:in|for|if|anything|with)(?: \w+){0,3} urgent(?: \w+){0,4}|in (?:an )?emergenc\w+|(?:please |kindly )?contact \S+(?: \S+){0,4} (?:instead|in my absence)|in dringenden f[aä]llen|in eiligen f[aä]llen|wenden sie sich|en cas d['’ ]?urgence|en mon absence|(?:para|en) (?:asuntos|casos?) (?:urgentes?|de urgencia)|per (?:urgenze|questioni urgenti)|in caso di urgenza|voor dringende|bij spoed|vid brådskande|ved hastesager)/i,
  // Until when.
  /\b(?:(?:until|till|through|back on|back in|return(?:ing)? on|be back) (?:the )?(?:\w+,? )?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)|bis (?:zum |einschlie[sß]+lich )?\d|jusqu['’]?(?:au|à) ?\d|hasta el \d|fino al? \d|tot (?:en met )?\d|at[eé] \d|till (?:den )?\d|indtil)/i,
];

/** Says of itself that a machine wrote it. */
export const AUTOMATIC_TEXT =
  /\b(?:this is an? (?:auto(?:matic|mated|matically generated)?)[ -]?(?:generated )?(?:e-?mail|message|mail|notification|response|reply|confirmation)|automatically generated (?:e-?mail|message|mail)|(?:please )?do not (?:reply|respond) to this (?:e-?mail|message|mail)|(?:please )?do not reply\b|sent from an unmonitored|automatisch (?:generierte|erstellte|erzeugte|versendete)|automatisch (?:generiert|erstellt|erzeugt|versendet)|bitte (?:antworten sie nicht|nicht (?:auf diese|antworten))|message (?:automatique|généré automatiquement)|merci de ne pas répondre|ne pas répondre à ce|mensaje (?:autom[aá]tico|generado autom[aá]ticamente)|no responda a este|messaggio automatico|non rispondere a questa|automatisch (?:gegenereerd|verzonden)|niet (?:op deze e-?mail )?(?:te )?beantwoorden)/i;

/** An automatic text that answers a message instead of telling something. */
export const AUTOMATIC_ANSWER =
  /\b(?:automat(?:ic|ed) (?:reply|response|answer|acknowledge?ment)|(?:we|i)(?: have|'ve)? received your (?:request|message|e-?mail|enquiry|inquiry|application)|automatische (?:antwort|eingangsbestätigung)|wir haben ihre (?:anfrage|nachricht|e-?mail) erhalten|nous avons (?:bien )?reçu votre (?:demande|message)|hemos recibido su (?:solicitud|mensaje|consulta))/i;

/** How a bulk email is left. */
export const UNSUBSCRIBE =
  /\b(?:unsubscribe|opt[ -]?out of (?:these|this|our)|manage (?:your )?(?:e-?mail )?(?:preferences|subscriptions?)|update your preferences|(?:newsletter |vom newsletter )?(?:abbestellen|abmelden)|abmeldelink|se d[eé]sabonner|d[eé]sinscri(?:re|ption)|vous d[eé]sinscrire|darse de baja|cancelar (?:la |su |tu )?suscripci[oó]n|dejar de recibir|annulla(?:re)? l['’]iscrizione|disiscriv\w+|cancella(?:re|ti)? (?:la )?(?:tua )?iscrizione|afmelden|uitschrijven|cancelar (?:a )?subscri[cç][aã]o|avregistrera|avprenumerera|afmeld dig|meld deg av)/i;

/** Other marks of bulk email: the reason for receiving it, or a link to its web version. */
export const BULK_CUES =
  /\b(?:view (?:this (?:e-?mail )?)?(?:in|it in) (?:your |the )?browser|(?:you(?:'re| are)? (?:receiving|getting|received|got|get)) this (?:e-?mail|message|newsletter) because|you subscribed|(?:read|read more) (?:on|in) (?:the|our) (?:blog|website)|webversion|im browser (?:ansehen|anzeigen|öffnen)|sie erhalten diese(?:n|s)? (?:e-?mail|newsletter)|(?:voir|afficher|consulter) (?:la version en ligne|dans (?:le|votre) navigateur)|vous recevez ce(?:t e-?mail| message)|ver (?:en|no) (?:el |su |tu |o )?(?:navegador|browser)|visualizza nel browser|bekijk (?:in|deze e-?mail in) (?:je|uw|de) browser)/i;

/** Local parts of addresses that only bulk email comes from. */
export const BULK_ADDRESS =
  /^(?:news(?:letters?)?|newsletter[\w.-]*|marketing|offers?|deals|promo(?:tions?)?|digest|campaigns?|boletin|nieuws(?:brief)?|lettre|infolettre|aktion(?:en)?|angebote|letters)@/i;

/** A subject that a shop, a carrier or a bank gives to a confirmation of an order, a booking or a payment. */
export const RECEIPT_SUBJECT =
  /\b(?:receipt|e-?receipt|order (?:confirmation|confirmed|received|\W{0,2}#?\w*\d[\w-]*)|your (?:\S+ )?(?:order|purchase|invoice|receipt|donation|refund|payment|booking|reservation|subscription)\b.{0,40}(?:confirm|receiv|available|ready|issued|receipt|#|\d)|invoice (?:for|#|no|\d|available|from)|payment (?:received|confirmation|confirmed|successful|receipt)|(?:booking|reservation|renewal|purchase|donation) (?:confirmation|confirmed|receipt)|you (?:sent|made|paid|received) a? ?payment|you paid|refund (?:issued|has been|confirmation)|e-?ticket|bestell(?:bestätigung|ung)|auftragsbestätigung|buchungsbestätigung|zahlungs(?:bestätigung|eingang|beleg)|(?:ihre|deine) (?:rechnung|bestellung|buchung)|quittung|confirmation de (?:votre |ta )?(?:commande|paiement|réservation)|votre (?:commande|facture|reçu)|confirmaci[oó]n de (?:tu |su )?(?:pedido|compra|pago|reserva)|(?:tu|su) (?:pedido|factura|recibo)|conferma (?:del tuo |dell['’])?(?:ordine|pagamento|prenotazione)|(?:bestel|order)bevestiging|(?:je|uw) (?:bestelling|factuur)|orderbekräftelse|ordrebekr[aæ]ftelse|kvitto|kvittering)/i;

/** Phrases of confirmations, each counted once. */
export const RECEIPT_CUES: readonly RegExp[] = [
  /\b(?:thank(?:s| you) for (?:your (?:order|purchase|payment|booking|donation|reservation|subscription)|riding|shopping|buying|booking|flying)|vielen dank für (?:ihre|deine|ihren|deinen) (?:bestellung|buchung|zahlung|einkauf|spende)|merci (?:pour|de) votre (?:commande|achat|paiement|réservation|don)|gracias por (?:tu|su) (?:compra|pedido|pago|reserva)|grazie per (?:il tuo ordine|l['’]acquisto)|bedankt voor (?:je|uw) (?:bestelling|aankoop|boeking)|(?:we|we have|we've) received your payment|your payment was received)/i,
  /\b(?:(?:order |grand |sub)?total(?: paid| charged)?|amount (?:paid|charged|received)|you paid|gesamt(?:preis|betrag|summe)|rechnungsbetrag|montant(?: total)?|importe|totale|totaal|bedrag|summa|fare)\b.{0,30}\d/i,
  /\b(?:(?:order|transaction|invoice|receipt|booking|confirmation) (?:id|number|no|ref|reference|#)\W{0,3}\w*\d|transaction id|booking reference|auftragsnummer|bestellnummer|rechnungsnummer|num[eé]ro de commande|n[uú]mero de pedido|ordernummer|card ending|ending in \d|paid with|charged to|to your card|método de pago|payé par|zahlungsart)/i,
  /(?:[€$£¥]\s?\d|\d\s?[€£]|\b(?:EUR|USD|GBP|CHF|SEK|DKK|NOK|JPY|AUD|CAD)\s?\d|\d\s?(?:EUR|USD|GBP|CHF|SEK|DKK|NOK|JPY|AUD|CAD)\b)/,
  /\b(?:refund of|donation of|your receipt|(?:amount|was) charged|was renewed|your invoice (?:is|for)|tax purposes)\b/i,
];

/** A subject or text that a service writes to its user about an account, a parcel, an appointment or a build. */
export const NOTICE =
  /\b(?:(?:verification|security|login|sign-?in|one[- ]time|confirmation) code|new (?:sign-?in|login|device)|signed in|security alert|password (?:was |has been )?(?:changed|reset)|reset your password|verify your (?:e-?mail|address)|confirm your (?:e-?mail|address)|has been (?:shipped|dispatched|delivered|updated|assigned|merged|deployed)|(?:is|now) (?:out for delivery|on its way|available|ready)|arrives (?:today|tomorrow)|build (?:failed|passed)|(?:mentioned|assigned|invited|tagged|followed) you|shared .{0,80} with you|reminder of your|your (?:statement|recording|export|report|parcel|package|appointment|subscription)\b|terminerinnerung|bestätigungscode|sicherheitscode|versandbestätigung|code de (?:vérification|sécurité)|rappel de rendez-vous|c[oó]digo de (?:verificaci[oó]n|seguridad))/i;

/** How mail systems announce what they could not deliver. */
export const BOUNCE_SUBJECT =
  /^\s*(?:undeliver(?:able|ed)|un?zustellbar|nicht zustellbar|delivery (?:status notification|failure|has failed|delayed)|mail (?:delivery|system) (?:failed|failure|error)|mail delivery failed|returned mail|failure notice|warning: (?:could not|message)|message (?:delivery|not delivered)|non (?:remis|recapitabile)|no se puede entregar|onbestelbaar|olevererat)/i;
