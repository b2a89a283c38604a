import { wordSet } from "../../lib/words.ts";
import { FREQUENT_WORDS } from "../languages/language.ts";

/** The words by which `sign-in.ts` knows codes and links, in English, German, French and Spanish. */

/** Stems, without accents: a word matches that begins with one. ASCII only, which is several times faster. */
const table = (...lines: readonly string[]) =>
  new RegExp(`\\b(?:${lines.join(" ").replaceAll(" ", "|").replaceAll("_", "[ -]?")})`);
const whole = (...lines: readonly string[]) => new RegExp(`${table(...lines).source}\\b`);

/** What a code is called. Other words of a compound, as in "gutscheincode", are read with it. */
export const NAME = whole(
  "[a-z]{0,24}(?:codes?|codigos?|passwor[dt]s?|kennwort|passcodes?)",
  "(?:einmal|zugangs|login|sms|photo|push|chip|m|e)?-?(?:pin|tan)s? otp clave contrasena mot_de_passe",
);
/** What such a code is for. */
export const SIGNING = table(
  "verif sign(?:ing|ed)?_in log(?:ging)?_[io]n one_time single_use otp two_(?:factor|step) 2fa authenti authori[sz] prove temporary initial first_pass start_pass",
  "anmeld einlogg einmal verifizier zwei_faktor freigabe freizugeb freigeb freischalt [me]?_?tan\\b zugang start(?:pass|kenn) erst(?:pass|kenn) vorlaufig",
  "connexion connect authentif autoris usage_unique temporaire provisoire identifiants",
  "inici sesion acced acceso entrar un_solo_uso autori[cz] autentic temporal\\b provisional",
);
export const CONFIRMING = table(
  "confirm activat approv secur identity device access recover reset unlock registr sign(?:ing)?_up set(?:ting)?_up invit",
  "bestatig aktivier entsperr sicherheit gerat zurucksetz registrier einladung",
  "valid(?:er|ez|ation) activ identite appareil acces reinitialis debloqu inscri autoriser invit",
  "confirm activ seguridad dispositivo restablec desbloqu recuper registr suscri validar",
);
export const PASSWORD = table("passwor[dt] kennwort mot_de_passe mdp contrasena clave");
/** Names that hardly any other code or link has. */
export const SURE_NAME = new RegExp(
  "\\b(?:(?:one[ -]?time|single[ -]use|verification|sign[ -]?in|log[ -]?in|security|access|auth[a-z]*|two[ -](?:factor|step)|temporary|initial)[ -](?:code|key|pin|pass[a-z]+)|otp|passcode" +
    "|(?:anmelde|login|einmal|verifizierungs|bestatigungs|sicherheits|freischalt|zugangs|freigabe|start|erst|initial)-?(?:code|pin|passwort|kennwort)|(?:sms|push|photo|chip|m|e)?-?tan" +
    "|(?:code|mot de passe) (?:de |d'|a |pour )?(?:votre )?(?:verification|connexion|securite|usage unique|validation|acces|reinitialisation|provisoire|temporaire)" +
    "|(?:codigo|clave|pin|contrasena) (?:de |para )?(?:verificacion|acceso|seguridad|un solo uso|inicio|autenticacion|temporal))\\b",
);
export const SURE_LINK = table(
  "(?:magic|sign_in|log_in|one_time|reset|verification|confirmation|activation)_link (?:re)?set_(?:a_|your_)?(?:new_)?password (?:choose|create)_a_(?:new_)?password to_(?:sign|log)_in accept_the_invitation to_unlock_",
  "(?:verify|confirm|activate|unlock|approve|authori[sz]e)_(?:your|the|this|that_\\S{1,80}_is_your)_(?:new_)?(?:e_?mail|address|account|subscription|registration|identity|device|sign|login)",
  "(?:anmelde|login|einmal|bestatigungs|aktivierungs)_link passwort_(?:vergessen|zuruck|fest) neues_passwort (?:ihre|deine|die)_(?:neue_)?(?:e_?mail_?adresse|anmeldung|registrierung) konto_(?:aktivieren|entsperren) zum_entsperren entsperren_sie gerat_(?:jetzt_)?freigeben",
  "lien_(?:magique|de_(?:connexion|confirmation|reinitialisation)) pour_vous_connecter connectez_vous mot_de_passe_oublie nouveau_mot_de_passe choisi\\S{0,9}_(?:un|votre)_mot_de_passe (?:confirme|verifie|active|valide)[rz]_votre_(?:adresse|inscription|compte|e_?mail) autorise[rz] debloque[rz]\\b",
  "enlace_(?:magico|de_(?:acceso|confirmacion)) para_(?:entrar|acceder|iniciar|desbloquear) (?:elegir|crea|elige|restablec\\S{0,9}|cambiar)_(?:tu_|una_|su_)?(?:nueva_)?contrasena (?:confirm|verific|activ)\\S{1,9}_(?:tu|su)_(?:suscripcion|correo|cuenta|direccion) autori[cz]",
);
/** A person speaks. */
export const FIRST_PERSON = whole(
  "i i'm i'll i've me my ich mir mich mein meine je j'ai moi mon ma yo mi te ti kannst_du can_you could_you",
);
/** What other codes and numbers are for. */
export const OTHER = table(
  "(?:activity|country|cost|course|area|status)_code swift\\b bic\\b iban sort_code bank_?leit guichet http_ exit_ discount coupon promo voucher gift off\\b order invoice receipt booking reserv ticket track parcel package courier driver deliver",
  "pick_?up locker licen[cs] product error meeting conference dial webinar wi_?fi network router door gate key_?box badge refer(?!ral[a-z]) redeem",
  "zip postal customer membership member_n case build pipeline appointment attendance document sim puk invite_code meter serial survey checkout till\\b cart\\b shipping cancel commit source_code tariff dress conduct friend quiz",
  "gutschein rabatt aktion geschenk bestell rechnung buchung karten sendung paket abhol packstation lizenz fehler besprech konferenz einwahl",
  "wlan tur schlussel kunden(?!portal) mitgliedsn auftrag vorgang termin ausweis teilnahme liefer kenncode zahler startnummer kasse absag storn empfehl freund einlos tarif dresscode losung wifi",
  "reduction remise cadeau commande facture reservation billet colis livraison retrait relais erreur reunion porte portail immeuble cle dossier rendez rdv client\\b compteur caisse annul parrain vestim tarif ami[se]?\\b",
  "descuento cupon oferta regalo pedido factura reserva localizador paquete envio recog licencia reunion puerta portal caja cliente cita mostrador contador al_pagar cancel vestim expediente tarifa amig[oa]s",
);
const KIND = /\b([a-z]{2,24})[ -]?codes?\b|\b(?:code|codigo)s? (?:de (?:la |l')?|d'|del |du )([a-z]{3,20})/g;
const ANY_KIND = wordSet(
  `${FREQUENT_WORDS} pass new following digit character letter numeric unique personal secret short current latest same correct mail email sms text app phone mobile account user backup qr enter use type den dem der das diesen ihren ihr dein einen este ese ce cet neue neuen folgenden folgende ziffern stelligen stellige personlichen nouveau chiffres compte siguiente nuevo digitos cifras cuenta correo`,
);
/** Whether its name says that it is another code: "cost code", "Statuscode", "code de statut". Not that of its sender. */
export function isOtherKind(words: string, from: string): boolean {
  const kind = [...words.matchAll(KIND)].at(-1)?.slice(1).find(Boolean) ?? "";
  const isCommon = ANY_KIND.has(kind) || [SIGNING, CONFIRMING, PASSWORD].some((known) => known.test(kind));
  return kind !== "" && !isCommon && !from.toLowerCase().includes(kind);
}
const KEPT = table(
  "[a-z]{0,20}passw [a-z]{0,20}kennwort mot_de_passe mdp contrasena (?:recovery|backup|rescue)_code wiederherstellungs [a-z]{0,20}token jeton codes?_de_(?:secours|recuperation) codigos?_de_(?:recuperacion|respaldo) [a-z]{0,20}pin\\b(?=[^]{0,300}(?:card|kart|carte|tarjeta)) (?:card|[a-z]{0,20}karten?|carte|tarjeta)(?=[^]{0,300}\\bpin\\b)",
);
const ONCE =
  /one[ -]?time|single[ -]use|\botp\b|einmal|usage unique|un solo uso|verif|(?<!recovery |backup |rescue )\b(?!wiederherst|backup)[a-z]*(?:codes?|codigos?)\b(?! pin| (?:de )?(?:secours|recuper|respaldo))/;
/** What is used more than once: a password, a card's PIN, recovery codes, a token. */
export const isKept = (words: string) => KEPT.test(words) && !ONCE.test(words);
export const ENTERING = table(
  "enter use(?!r) type paste copy put eingeb gib\\b geb(?:en|t)?\\b verwende nutze saisi entre[rz] utilise copie introdu escri copi usa(?!ge)",
);
export const ENTER_IT = new RegExp(
  `${ENTERING.source}[a-z]*(?: (?:sie|the|this|den|le|el|code|pin|codigo)){0,3} \\W{0,3}$`,
);
export const CLICKING = table(
  "click tap press follow link button here below klick link schaltflache hier uber_diesen clique lien bouton ici haz_clic clic puls enlace boton aqui",
);
export const WARNING = table(
  "(?:did|was|were|have)_?n.?t_(?:you|request|ask|try|make|attempt) (?:did|was)_not_(?:you|request|ask|try|make|attempt) if_not not_you never_(?:share|ask|call) (?:not|n.t)_share not_forward",
  "(?:safely|simply)_(?:ignore|delete) ignore_this do_nothing will_(?:never|ever) by_mistake don.t_recogni",
  "niemals niemand nicht_(?:angefordert|weiter|angemeldet|veranlasst) ignorier waren_sie_das_nicht kein_neues dritte",
  "n.(?:etes|avez|es|as)_(?:pas|rien) ne_(?:le|la|les)?_?(?:partage|communique|transmet) ignore[rz] jamais",
  "no_(?:lo|la)?_?compart no_ha(?:s|ya|yas)?_(?:sido|solicit|pedi) ignor[ae] caso_omiso nunca",
);
/** Tells what has happened already; a link in it leads to a page for everybody. */
export const NEWS = table(
  "new_sign_in noticed_a_new was_(?:changed|used|updated|reset) has_been_(?:changed|used) what.s_new from_today",
  "wurde_(?:am_\\S{1,20}_[a-z]{1,20}_)?(?:geandert|verwendet|aktiviert) neue_anmeldung",
  "a_ete_(?:modifi|chang|utilis) nouvelle_connexion nuevo_inicio se_ha_(?:iniciado|cambiado) ha_sido_(?:cambi|modific)",
);
export const BULK = table("mailing_list read_more lire_la_suite leer_mas");
export const LASTING = table(
  "does_not_expire not_expire keep_(?:it|this|the) aufbewahr bewahren unbegrenzt conserve[rz] no_caduca guard[ae]",
);
export const CONFERENCE = table(
  "(?:meeting|webinar|conference|besprechungs|konferenz)_?id join_(?:[a-z]{1,20}\\s){0,3}meeting dial_in id_de_(?:la_)?reunion",
);
export const USER_NAME = table(
  "user_?(?:name|id)?\\s?: login\\s?: benutzer(?:name)?\\b identifiant utilisateur usuario nom_d'utilisateur login_details zugangsdaten",
);
export const NUMBER = /(?:number|no|nr|nummer|numero|n°|#|ref|id|reference|phone|tel|telefon|telephone)\W{0,3}$/u;
export const MONEY = /^ ?(?:€|eur|usd|\$|%|kwh|stuck)|[€$£] ?$/u;
export const FORWARDED =
  /^\s{0,3}(?:fwd?|wg|tr|rv|i)\s?:|^(?:> ?)?(?:from|von|de)\s?: .{1,200}\n(?:.{0,200}\n){0,4}?(?:> ?)?(?:subject|betreff|objet|asunto)\s?:/m;
export const REPLY = /^\s*(?:re|aw|sv|antw|rif)\s*:/iu;
export const TALK = /\b(?:wrote|commented|schrieb|a ecrit|escribio)\b[^\n]{0,20}:|^\[[^\]\n]{1,80}\]/m;

/** Any mark that a code may stand between. */
export const CODE =
  /(?<![\p{L}\d+.,/:#%€$£@=?&_-])(?:\d{4,8}|\d{3}[ -]\d{3,4}|\d{4}[ -]\d{4}|\d{2}[ -]\d{2}[ -]\d{2}|(?:\d ){3,7}\d|(?=[\p{L}!&_-]{0,20}\d|[A-Z]{4}-[A-Z]{4})[\p{L}\d][\p{L}\d!&_-]{2,18}[\p{L}\d!])(?![\p{L}\d/@%€$£_&-]|[.,:]\d)/gu;
export const ADDRESS = /https?:\/\/[^\s<>()"\]]{4,400}/gu;
/** "2-step", "6th", "APP-412". */
export const NO_CODE = /^\D*\d[^\dA-Z]*$|^[A-Z]{2,}-\d{1,4}$/;
export const TOKEN =
  /[/=?#-](?:(?=[\w-]{0,60}\d)(?:[\w-]{3,}|(?<==)\w{2})|(?=[a-z]{0,60}[b-df-hj-np-tv-xz]{5})[a-z]{10,})/u;
export const MAX_LINKS = 40;
/** What a far part of a message is read for. */
export const TELLING =
  /code|c[oó]dig|passw|kennw|mot de passe|contrase|clave|\b(?:pin|tan|otp)\b|(?:sign|log) ?in\b|anmeld|connecte|connexion|sesion|verif|confirm|bestatig|activ|aktivier/gi;

const VERB = "(?:is|are|lautet|lauten|ist|sind|est|sont|es|son|sera|will be)";
const CALLED =
  "\\b(?:[a-z]{0,24}(?:codes?|codigos?|passwor[dt]|kennwort|passcode|passphrase|phrase)|pin(?: word)?|tan|otp|clave|contrasena|mot de passe|words|worter|mots|palabras)\\b";
const GAP = "(?:[ -](?!(?:is|ist|est|es|are|and|und|et|y|or|if|not)\\b)[a-z'-]{1,20}){0,6}?";
/** How a code or password is introduced, up to where it stands. */
export const INTRODUCED = {
  "word-colon": new RegExp(`${CALLED}${GAP}(?: ${VERB})? ?[:=]\\s{0,4}`, "g"),
  "word-is": new RegExp(`${CALLED}${GAP} ${VERB} `, "g"),
  "word-named": new RegExp(`${CALLED.replace("words|", "word|wort|mot|palabra|")} `, "g"),
  "word-entered": new RegExp(
    `${ENTERING.source}[a-z]*(?: (?:sie|the|this|den|das|le|la|el|code|word|zur [a-z]{1,20}|bitte)){0,3} `,
    "g",
  ),
  "word-before": /(?<=^|\n)(?=\S{3,40}(?: \S{3,8})? (?:is|ist|est|es) (?:your|dein|ihr|votre|ton|tu|su)\b)/g,
  "word-alone": /(?<=(?:^|\n) {0,3})(?=[a-z!.-]{3,40}(?: [a-z]{3,8})? {0,3}(?:\n|$))/g,
};
export const VALUE =
  /["'„“”«‹] ?([^"“”»›\n]{3,40}?) ?["“”»›']|([A-Z]{3,6} [A-Z]{3,6}(?![\p{L}\d])|[\p{L}\d][\p{L}\d.!&_*#+-]{1,38})/uy;
/** Words that stand where a code or password might. */
export const STOP = wordSet(
  [
    FREQUENT_WORDS,
    "http https now still always also only too very its must being without into out below above again never ever",
    "more most less same usual one two three required needed checked wrong correct incorrect invalid valid secret",
    "ready safe weak strong expired changed missing sent used reset protected der die das den dem keines ihre sein",
    "als wie fur von ohne und oder nach hier unten oben immer wieder jetzt neu falsch richtig gultig ungultig",
    "abgelaufen geheim notig erforderlich sicher geandert verwendet einmal muss kann darf hat les ton cette dans",
    "sans ete comme ici encore toujours meme requis obligatoire valable invalide expire modifie envoye oublie doit",
    "los las sus tus este esto ese mas han como aqui siempre misma mismo valida valido caducada caducado incorrecta",
    "incorrecto obligatoria necesaria debe olvidada nueva",
  ].join(" "),
);
