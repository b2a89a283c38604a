import type { Language } from "../../lib/languages.ts";
import { IMPERATIVES } from "../email/request-words.ts";

const LIMITS =
  "not|no|nothing|never|none|nobody|neither|nor|without|if|unless|when|whenever|once|only|except|otherwise|else|provided|providing|depending|assuming|supposing|in case|as long as|condition|should|either|maybe|perhaps|possibly|probably|rather|but|though|although|however|while|whether|failing|\\p{L}+n't";
const VERBS =
  "choose|pick|prefer|go with|opt for|promise|complain|demand|cancel|wish|warn|notify|report|announce|accept|agree|approve|decline|reject|refuse|turn (?:it |this |that )?down|postpone|reschedule|delay|push back|propose|suggest|offer|ask|request|thank|apologi[sz]e|congratulate|invite|remind|say|tell|mention|explain|state|add|inform|let \\p{L}+ know|confirm|keep it|be (?:polite|brief|formal|friendly)|avoid|point out|move (?:it|this|the)";

/** The words of a language that instructions are made of. */
interface Grammar {
  /** Whom the order names: the reader. */
  whom: string;
  /** How it is to be said. The tone of the letter says it so. */
  courtesies: string;
  /** How the thing begins that is accepted, declined, proposed or thanked for. */
  things: string;
  /** A negation, a condition, an exception or a doubt. */
  limits: string;
  /** Conditions that may be about the saying as well as about what is said. */
  depends: string;
  /** Links between orders, and those that leave a choice. */
  and: string;
  or: string;
  /** How orders begin, also negated ones. They are never sent as they are. */
  orders: string;
  /** How a text begins that is to be sent as it is, and which verbs it needs if it begins in the second way. */
  own: string;
  begun: string;
  finite: string;
  /** Most likely the reader, whom only English can turn into "you". A German "Sie" may speak to them. */
  third: RegExp | null;
  /** How a reason begins, whose conditions and negations are its own. */
  reasons: string;
  /** How the person says that no reason is to be given. None ever is. */
  noReason: string;
}

/** Words, and articles that stand where the object of a verb does: "je la verrai", "la llamo". */
const anyOf = (...forms: string[]) => new RegExp(`(?<!\\p{L})(?:${forms.join("|")})`, "u");

export const GRAMMARS: Record<Language, Grammar> = {
  en: {
    whom: " (?:him|her|them|you|the sender|the client|the customer|the team|everyone|my \\w{2,20})",
    courtesies:
      "please|politely|kindly|gladly|happily|gently|firmly|sincerely|also|then|just|simply|briefly|warmly|instead(?= \\p{L})",
    things:
      "the|an?|this|that|these|those|my|our|your|his|her|their|its|both|on|at|for|next|today|tomorrow|tonight|noon|\\d\\S*|\\p{L}+day",
    limits: LIMITS,
    depends:
      "(?:if|unless|in case|should|provided|as long as) (?:that )?(?:you|he|she|they|asked|pressed|so|not|in doubt)|when(?:ever)? (?:you|he|she|they) (?:ask|call|complain|insist|write)s?|in case|otherwise|unless",
    and: "and|but|then|and then|but then|and also",
    or: "or|otherwise|else|instead|nor|than",
    orders: `(?:(?:do not|don't|dont|never) )?(?:${VERBS})(?![\\p{L}'])`,
    own: "i|we|it|there|you|yes(?=[,.!]| to(?!.* not? ))|no(?=[,.!]| problem)|unfortunately|(?:can|could|shall|may|would|is|are|when|where|what|how)(?= (?:we|i|about|(?:can|could|shall|should|do) (?:we|i)) .*\\?$)",
    begun: `either|(?!(?:${[...IMPERATIVES].join("|")}|${LIMITS}|please|just|so|as|or|and|then|also|instead|given|what|which|who|whose|where|why|how|until|till|before|after|even|because|about|of|to|let|yes|(?!meeting|morning|evening|being)[a-z]{3,}(?<!every|some|any)(?<!th)ing)(?!\\p{L}))[\\p{L}\\d]\\S*`,
    finite:
      "is|are|was|were|has|have|had|will|won't|can|can't|cannot|takes?|gets?|costs?|needs?|works?|starts?|ends?|opens?|closes?|includes?|arrives?|ships?|comes?|goes|means|depends|isn't|aren't|did|does|do|must|should|would|could|may|might|leaves?|left|follows?|sends?|sent|stays?|looks?|made|gives?|gave|got|came|went|wants?|wanted|likes?|knows?|thinks?|says?|said|asked|pays?|paid|called|moved|changed|failed|broke|lost|found|agreed|\\p{L}+n't",
    third: null,
    reasons: "because|since|due to|as i|so that",
    noReason: ",? without (?:giving |saying |stating )?(?:an? |any |the )?(?:reasons?|explanations?|why)",
  },
  de: {
    whom: " (?:ihm|ihr|ihnen|ihn|sie)",
    courtesies: "bitte|höflich|freundlich|nett|herzlich|kurz|einfach|auch|gerne?",
    things:
      "de[rnm]|die|das|eine?[nmr]?|diese[nmrs]?|[mds]eine?[nmr]?|Ihre?[nm]?|eure?[nm]?|unsere?[nm]?|alles|beides?|am|auf|zum|zur|nächste[nrs]?|kommende[nrs]?|\\p{L}{3,7}tag|mittwoch|heute|morgen|übermorgen|\\d\\S*",
    limits:
      "nicht|nichts|keine?[nmrs]?|nie|niemals|niemand\\p{L}*|weder|noch|ohne|wenn|falls|sofern|sonst|ansonsten|außer|nur|entweder|vielleicht|eventuell|evtl|aber|jedoch|sondern|obwohl|sobald|solange|lieber|statt|erst|zweifel|(?:an|vor)\\p{L}*(?:nehmen|schlagen)|\\p{L}*(?:sagen|lehnen|fragen|schieben)",
    depends: "falls|sofern|außer|sonst|wenn (?:nötig|gefragt)",
    and: "und|aber|dann",
    or: "oder|sonst|statt",
    orders:
      "(?:sage?|frage?|teile?|schreibe?|antworte|nimm|bedanke?|danke? (?:ihm|ihr|ihnen)|entschuldige? dich|lehne?|schlage?|bitte (?:ihn |sie )?um|bestätige?|gratuliere?|verschiebe?|richte?|informiere?|erwähne?)(?=[:, ]|$)",
    own: "ich|wir|mir|mich|uns|meine?\\p{L}{0,2}|unsere?\\p{L}{0,2}|danke|vielen|herzlichen|ja|nein|leider|gerne?|klar|passt|geht",
    begun: "alles|das|es|der|die|am|im|bis|heute|morgen|diese|nächste|\\p{L}{3,7}tag",
    finite: "ich|wir|mir|uns|es|dann|bald|ist|sind|war|wird|werden|hat|haben|kann|können|muss|passt|geht|klappt|kommt",
    third: /(?<!\p{L})(?:er|sie|ihm|ihn|ihr|ihnen|seine?\p{L}{0,2}|ihre?\p{L}{0,2})(?!\p{L})/u,
    reasons: "weil|da|denn",
    noReason: ",? ohne (?:(?:einen |irgendeinen )?Grund(?: zu nennen| anzugeben)?|Begründung|Gründe zu nennen)",
  },
  fr: {
    whom: "-(?:lui|leur|le|la|les)",
    courtesies: "poliment|gentiment|simplement|brièvement|chaleureusement|aussi|juste|stp|s['’]il te plaît",
    things:
      "l[ea]s?|l['’]|une?|ce(?:t|tte|s)?|m(?:on|a|es)|vo(?:tre|s)|t(?:on|a|es)|no(?:tre|s)|pour|d['’]|du|des?|tout|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|aujourd['’]hui|\\d\\S*",
    limits:
      "ne|n['’]|pas|rien|jamais|ni|sans|si|s['’]ils?|sauf|sinon|seulement|uniquement|quand|lorsque|peut-être|mais|soit|plutôt|aucune?|personne|condition|cas|dès|tant|accepter|refuser|proposer|demander|décliner|remercier",
    depends: "s['’]ils?|sauf|sinon|si (?:besoin|nécessaire|possible)|à moins|au cas",
    and: "et|mais|puis",
    or: "ou|sinon",
    orders:
      "(?:(?:ne |n['’])(?:l[ea]s? |l['’]|lui |leur )?)?(?:dis|dites|écris|réponds|demande|remercie|propose|accepte|refuse|décline|confirme|félicite|excuse-toi|reporte|informe|préviens|explique|mentionne|parle)(?=[-, ]|$)",
    own: "je|j['’]\\p{L}+|nous|on|mon|ma|mes|notre|nos|oui|non|merci|d['’]accord|volontiers|malheureusement|désolée?|avec plaisir|bien sûr|c['’]est|ça|cela",
    begun: "la|le|l['’]\\p{L}+|les|cette|ce|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|aujourd['’]hui",
    finite: "je|j['’]\\p{L}+|nous|on|me|est|sont|était|sera|seront|ont|va|vont|peut|commence|arrive|convient",
    third: anyOf(
      "(?:[Ii]ls?|[Ee]lles?|lui|[Ll]eurs?|[Ss]on|[Ss]a|[Ss]es)(?!\\p{L})",
      "(?:(?:[Jj]e|[Tt]u|[Oo]n|[Nn]ous|ne|qui) |^(?:\\p{Lu}\\p{Ll}+|(?:m(?:on|a|es)|nos|notre|l[ea]s?) \\p{L}+) )(?:l['’]|l[ea]s? )(?!(?:fais|fait|fer\\p{L}+|sais|espère|pense|crois|promets|regrette|confirme|semaine|\\p{L}+di|matin|soir|mois|jour)(?!\\p{L}))\\p{L}",
      "(?:l['’]|l[ea]s? )(?!fer\\p{L}+|caméra|opéra|extra|\\p{L}*trait|environs|marais)\\p{L}{2,20}r(?:ai|as|a|ons|ez|ont|ais|ait|aient)(?!\\p{L})",
      "(?:l['’]|l[ea]s? )(?!(?:d[îi]ner|d[ée]jeuner|goûter|souper|loyer|foyer|manager|leader|hiver|mer|danger|avenir|désir|plaisir|loisir|souvenir)(?!\\p{L}))(?:\\p{L}{2,20}(?:(?<!i)er|(?<!o)ir)|remercier|(?:re|rece)?voir|\\p{L}{1,9}(?:end|ind|ett|aît|aind)re(?<!lettre))(?!\\p{L})|-l(?:a|es?)(?!\\p{L})",
    ),
    reasons: "car|parce|puisque",
    noReason: ",? sans (?:(?:donner |dire )?(?:de |la |une )?raisons?|explications?|dire pourquoi)",
  },
  es: {
    whom: "",
    courtesies: "amablemente|educadamente|cortésmente|simplemente|brevemente|también|por favor",
    things:
      "el|l[ao]s?|un[ao]?s?|est[ea]|mis?|tus?|nuestr[oa]s?|vuestr[oa]s?|otr[oa]|tod[oa]|al|lunes|martes|miércoles|jueves|viernes|sábado|domingo|hoy|mañana|\\d\\S*",
    limits:
      "no|nada|nunca|jamás|ni|sin|si|salvo|excepto|menos|s[oó]lo|solamente|cuando|quizás?|tal vez|pero|siempre que|caso|aunque|ningún|ninguna?|nadie|condición|sino|aceptar|rechazar|proponer|preguntar",
    depends: "si|cuando|salvo|a menos|siempre que|en caso",
    and: "y|pero|luego",
    or: "o|si no|sino",
    orders:
      "(?:no (?:les? |l[oa]s? )?(?:dig|acept|rechac|propong|pregunt|mencion|escrib|promet|pid|habl|confirm)(?:as|es)|diles?|di|pregúntales?|pregunta|agradéceles?|agradece|dales? las gracias|da las gracias|propón|proponles?|acepta|rechaza|declina|avísales?|escríbeles?|respóndeles?|contéstales?|explícales?|discúlpate|pide|pídeles?|felicít\\p{L}+|confirma|aplaza|sugiere)(?=[, ]|$)",
    own: "yo|mis?|me|nos|nosotros|nuestr[oa]s?|sí|gracias|muchas gracias|claro|vale|perfecto|lo siento|acepto|voy|puedo|quiero|estoy|tengo|iré|llevo|vamos|podemos|no (?:puedo|podemos|voy|vamos|tengo|quiero|estoy|me|nos|hay)|con (?:mucho )?gusto|encantad[oa]|por desgracia",
    begun: "el|la|los|las|esta|este|hoy|mañana|hasta",
    finite:
      "me|nos|voy|puedo|podemos|estoy|tengo|es|son|está|están|fue|ha|han|será|serán|llega|empieza|sale|va|viene|queda",
    third: anyOf(
      "(?:[Éé]l|[Ee]ll(?:a|os|as)|[Ll]es?|[Ss]us?|suy[oa]s?)(?!\\p{L})|lo (?!(?:siento|sentimos|ha(?:go|ré|remos|cemos)|hice|sé|sabemos|confirm\\p{L}+|prometo|que|más|antes|mejor|mismo|tanto|contrario|siguiente|primero|último)(?!\\p{L}))\\p{L}",
      "(?:la|los|las) (?!(?:cuatro|cinco|ocho|mano|foto|moto|radio|modelo|disco|últimos|próximos|máximos|mínimos|ramos|extremos)(?!\\p{L}))\\p{L}+(?:o|oy|é|[aei]mos|rá|rán)(?!\\p{L})",
      "^(?:mis?|nuestr[oa]s?|el|l[ao]s?|\\p{Lu}\\p{Ll}+) (?:\\p{Ll}+ )?l[ao]s? (?!(?:semana|mañana|tarde|noche|lunes|martes|mi[ée]rcoles|jueves|viernes)(?!\\p{L}))\\p{L}",
      "(?!charlas?|perlas?|Carlos|hacerlo|saberlo|sentirlo|confirmarlo)\\p{L}{1,20}(?:[aeiáéí]r|[aá]ndo|i[eé]ndo)l[aoe]s?(?!\\p{L})",
    ),
    reasons: "porque|ya que|pues",
    noReason: ",? sin (?:dar |decir )?(?:el |un |ningún )?(?:motivos?|razones|explicaciones|por qué)",
  },
};

/**
 * One order a line: what the letter says, and how the order is written. A name alone is said by `answers`. THING and
 * ANY are copied in place of `$`: in the grammar of the same verb, so that no word has to change. SAID is a clause, OWN
 * one that could be sent by itself. `{a|b}` is for formal letters and others.
 */
export const ORDERS: Record<Language, string> = {
  en: `
accept = (?:accept|agree to|agree|approve|take)(?: it| this| that| them|(?: the| this| that| our| your| his| her| their)? (?:meeting|call|invite|invitation|appointment|time|slot|proposed time|date|chat))?|(?:TELL|answer|reply|write)(?: with)?:? yes|yes|yep|yeah|yes,? please|sure|ok|okay|fine|of course|agreed|sounds good|that works|works for me|with pleasure
$ {works well|works} for me. = (?:(?:accept|agree to|take|(?:TELL|answer) yes to) )?TIME
accept: {I am pleased to|I} accept $. = (?:accept|agree to|agree with|approve|take|(?:TELL|answer|reply) yes to)WHOM THING
decline = (?:(?:decline|reject|refuse|turn down|pass on)(?: it| this| that| them)?|turn (?:it|this|that|them|him|her) down|(?:TELL|answer|reply|write)(?: with)?:? no)NOREASON|no|nope|no,? thanks|no,? thank you|no,? sorry|sorry,? no|not possible
decline: {I regret that|I am afraid} I have to decline $. = (?:decline|reject|refuse|turn down|pass on|(?:TELL|say) no)WHOM SAID(because|since|due to|as i)
decline: {I regret that|I am afraid} I have to decline $. = (?:decline|reject|refuse|turn down|pass on|(?:TELL|answer|reply) no to)WHOM THING
Could you please not $? = (?:ask|tell|request)WHOM not to SAID
Could you please $? = (?:ask|tell|request)WHOM to SAID || request that they SAID
Could you tell me more about $? = askWHOM about ANY
{May|Could} I ask you for $? = (?:askWHOM for|request|demand) ANY
Could you let me know whether $? = (?:askWHOM|check|find out) (?:if|whether) SAID
Could you let me know $? = askWHOM SAID(when|what|where|who|why|how|which)
thank = (?:thank|(?:TELL )?(?:thanks|thank you))WHOM(?: (?:so|very) much)?
thank: {Thank you|Thanks} for $. = (?:(?:thank|(?:TELL )?(?:thanks|thank you))WHOM(?: (?:so|very) much)?|express (?:my |our )?(?:thanks|gratitude)) for ANY
apologise = SORRY
apologise: {Please accept my apologies|I am sorry} for $. = SORRY for ANY
apologise: I am {very |}sorry that $. = SORRY(?: for)?(?: that)? SAID(i|we|my|our|the)
congratulate = congratulateWHOM
congratulate: Congratulations on $. = congratulateWHOM (?:on|for) ANY
I would like to invite you to $. = inviteWHOM (?:to|for) ANY
This is a reminder about $. = remindWHOM (?:of|about) ANY
This is a reminder $. = remindWHOM SAID(that)
Please remember $. = remindWHOM SAID(to)
I will $. = promiseWHOM to SAID
I am writing to $. = SAID(complain about|complain that)
I am writing to complain that $. = complain OWN
I am writing to complain about $. = complain ANY
I would like to offer you $. = offerTHEM ANY
I am happy to $. = offer to (?!meet)SAID
I wish you $. = wishWHOM ANY
I would prefer $. = (?:choose|pick(?! up)|prefer|go with|go for|opt for) THING
I would like to cancel $. = cancel THING
Could we $? = ANYOF(postpone|reschedule|delay|push back|move|defer)
I suggest that we $. = (?:propose|suggest) to (?!meet)SAID
{May I suggest|How about} $? = (?:propose|suggest|offer)(?: to meet| meeting)? ANY
$. = (?:TELL|TOLD) that SAID || TELL:? OWN || TOLD: OWN
I confirm that $. = confirm that SAID
I confirm that $. = confirm SAID(i|we|it)
I am writing to confirm $. = confirm ANY`,
  de: `
accept = sage?WHOM (?:zu|ja)|zusagen|annehmen|akzeptieren|zustimmen|nimm (?:es |das )?an|(?:ja|gerne?|klar|einverstanden|ja,? gerne?)
accept: Ich nehme $ an. = nimmWHOM THING an || THING annehmen
decline = (?:sage?WHOM (?:ab|nein)|absagen|ablehnen|lehne? (?:es |das )?ab)NOREASON|nein(?:,? danke)?
Leider muss ich absagen, $. = (?:sage?WHOM ab|absagen|ablehnen|lehne? (?:es |das )?ab)WHOM,? SAID(weil|da|denn)
decline: Leider muss ich $ ablehnen. = lehne?WHOM THING ab || THING ablehnen
decline: Leider muss ich $ absagen. = sage?WHOM THING ab || THING absagen
thank = (?:bedanke? dich(?: bei ih(?:m|r|nen))?|danke?WHOM|sage?WHOM danke|bedanken|vielen dank)
Vielen Dank für $. = (?:bedanke? dich(?: bei ih(?:m|r|nen))?|danke? (?:ihm|ihr|ihnen)|sage?WHOM danke) für THING
apologise = entschuldige? dich(?: bei ih(?:m|r|nen))?|entschuldigen
Ich entschuldige mich für $. = entschuldige? dich(?: bei ih(?:m|r|nen))? für THING
congratulate = gratuliere?WHOM|gratulieren
Ich gratuliere $. = gratuliere?WHOM THING
Ich schlage $ vor. = schlage?WHOM THING vor || THING vorschlagen
Ich möchte $ verschieben. = verschiebe?WHOM THING || THING verschieben
Ich bitte um $. = bitte (?:ihn |sie )?um THING
Ich möchte nach $ fragen. = frage?WHOM nach THING
Ich wollte fragen, $. = frage?WHOM,? SAID(ob|wann|wo|wie|was|wer|warum|welche[nmrs]?)
Ich möchte mitteilen, $. = (?:sage?|schreibe?|antworte|teile?WHOM mit|richte?WHOM aus|informiere?)WHOM,? SAID(dass)
$. = (?:sage?|schreibe?|antworte)WHOM[,:] OWN
Ich bestätige $. = bestätige?WHOM THING || THING bestätigen`,
  fr: `
accept = accepte[rz]?|(?:dis|dites|réponds)WHOM(?: que)? oui|oui(?:,? volontiers)?|d['’]accord|volontiers
accept: J'accepte $. = accepte[rz]?WHOM THING
decline = (?:(?:décline|refuse)[rz]?|(?:dis|dites|réponds)WHOM(?: que)? non)NOREASON|non(?:,? merci)?
Malheureusement, je dois décliner $. = (?:(?:décline|refuse)[rz]?|disWHOM(?: que)? non)WHOM,? SAID(car|parce que|parce qu['’]|puisque)
decline: Malheureusement, je dois décliner $. = décline[rz]?WHOM THING
decline: Malheureusement, je dois refuser $. = refuse[rz]?WHOM THING
thank = remercie[rz]?WHOM|disWHOM merci|merci(?: beaucoup)?
Merci $. = remercie[rz]?WHOM THING
apologise = excuse-toi|présente(?:-lui)? (?:mes|des|tes) excuses
Je m'excuse $. = excuse-toi THING
congratulate = félicite[rz]?WHOM
Félicitations $. = félicite[rz]?WHOM THING
Je propose $. = propose[rz]?WHOM THING
Je voudrais reporter $. = reporte[rz]? THING
Je voulais demander $. = demande[rz]?WHOM SAID(si|s['’]|quand|où|comment|pourquoi|combien|qui|quel(?:le)?s?|ce qu['’e]|à quelle)
Je voudrais demander $. = demande[rz]?WHOM THING
$. = (?:dis|dites|écris|réponds|informe|préviens|explique)WHOM qu(?:e |['’])SAID
Je confirme $. = confirme[rz]?WHOM THING
Je confirme $. = confirme[rz]?WHOM SAID(qu['’e])`,
  es: String.raw`
accept = acepta|aceptar|acéptalo|(?:diles?|di|respond[ea]|respóndele|contesta|contéstale)(?: que)? sí|sí(?:,? (?:claro|por favor|gracias))?|claro|vale|de acuerdo
accept: Acepto $. = aceptar?WHOM THING
decline = (?:rechazar?|recházalo|declinar?|(?:diles?|di|responde|respóndele|contesta|contéstale)(?: que)? no)NOREASON|no(?:,? gracias)?
Lo siento, pero tengo que decir que no, $. = (?:rechazar?|declinar?|dile que no)WHOM,? SAID(porque|ya que|pues)
decline: Lo siento, pero tengo que rechazar $. = (?:rechaza|declina)r?WHOM THING
thank = (?:dales?|da|dar) las gracias|agradéceselo|agradece|(?:muchas )?gracias
Gracias por $. = (?:(?:dales?|da|dar) las gracias por|agradéceles?|agradece) THING
apologise = discúlpate|(?:pide|pídeles?) (?:disculpas|perdón)
Pido disculpas por $. = (?:discúlpate|(?:pide|pídeles?) (?:disculpas|perdón)) por THING
congratulate = felicít[ae]l[aoe]s?|felicita
Felicidades por $. = (?:felicít[ae]l[aoe]s?|felicita) por THING
Propongo $. = (?:propón|proponles?|proponer|sugiere) THING
Me gustaría aplazar $. = aplazar? THING
Quería preguntar $. = (?:pregúntales?|preguntar?) SAID(si|cuándo|dónde|cómo|qué|quién|cuánt\p{L}+|cuál)
Quería pedir $. = (?:pide|pídeles?|pedir) THING
$. = (?:diles?|di|escríbeles?|respóndeles?|avísales?|contéstales?|explícales?) que SAID((?:(?:no|ya|me|nos|lo|la|sí|también) ){0,2}\p{L}{1,20}(?:o|oy|é|mos)|mis?|nuestr[oa]s?|yo|todo|(?:el|la|los|las) \p{L}+ (?:\p{L}+ ){0,3}(?:es|son|está|están|fue|ha|han|será|serán|llega|llegó|empieza|sale|va|viene|queda))
Confirmo $. = confirmar?WHOM THING`,
};
