import type { Language } from "../../lib/languages.ts";
import { wordSet } from "../../lib/words.ts";
import { type Token, tokenize } from "../dates/tokens.ts";

/** Frequent words of each language that are rare in the others. Names of days and months count as well. */
const FREQUENT: Record<Language, ReadonlySet<string>> = {
  en: wordSet(
    "the and of to is are was were be been have has had will would can could should you your we our they he she it this that these those with from for on at by not but or if when what which who how please thanks thank let let's meet meeting call today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march may june july october december next last week month year day days hours i i'm i'll my me us there here about after before just any all some",
  ),
  de: wordSet(
    "der die das den dem des und oder aber nicht ist sind war wird werden wir ich du sie ihr ihnen uns euch mein dein ein eine einen einem einer eines kein keine mit für auf aus bei nach vor zu zum zur von vom bis um uhr im ins am wenn dass daß auch noch schon nur sehr heute gestern vorgestern übermorgen montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar jänner februar märz mai juni juli oktober dezember woche wochen monat monate monats jahr jahre tag tage tagen stunde stunden minuten nächste nächsten nächster nächstes kommende kommenden letzte letzten diese diesen dieser dieses jeden jede ende anfang mitte halb viertel mittag vormittag nachmittag abend früh morgens abends nachmittags termin treffen besprechung können könnten hast haben habe bitte danke hallo liebe lieber grüße freundlichen zeit passt wäre gern gerne morgen alle täglich wochenende spätestens bzw herr frau sehr geehrte geehrter freitagnachmittag freitagabend freitagvormittag montagmorgen montagvormittag montagnachmittag montagabend dienstagvormittag dienstagnachmittag dienstagabend mittwochvormittag mittwochnachmittag mittwochabend donnerstagvormittag donnerstagnachmittag donnerstagabend samstagabend samstagvormittag sonntagabend montags dienstags mittwochs donnerstags freitags heiligabend weihnachten silvester neujahr ostern quartal zwischen vierzehn drei zwei einer",
  ),
  fr: wordSet(
    "le les la un une des du de et est sont était être avoir nous vous je tu il elle ils elles ne pas plus pour avec dans sur sous par qui que quoi dont où ce cet cette ces mon ma notre trimestre premier deuxième votre vos nos leur au aux à chez mais ou donc très aussi bonjour merci salut cordialement demain hier aujourd'hui lundi mardi mercredi jeudi vendredi samedi dimanche lundis mardis mercredis jeudis vendredis janvier février fevrier mars avril mai juin juillet août aout septembre octobre novembre décembre decembre semaine semaines mois jour jours heure heures midi minuit matin soir nuit prochain prochaine dernier dernière fin début mi tous toutes chaque réunion rendez-vous rendez vous rdv pouvons peut pourrions disponible déjeuner dîner appel demi demie quart après-midi après avant jusqu'à jusqu'au noël pâques week-end an ans année quinze deux trois",
  ),
  es: wordSet(
    "el los las una unos unas del y es son era está están estar ser tener nosotros yo tú él ella ellos no por para con sin sobre que qué quien donde cuando este esta estos estas mi tu su nuestro nuestra muy también pero hola gracias saludos mañana ayer hoy anteayer pasado lunes martes miércoles miercoles jueves viernes sábado sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre semana semanas mes meses año años trimestre primer segundo día días dia dias hora horas minutos mediodía mediodia medianoche tarde noche próximo proximo próxima proxima viene último última fin finales principios mediados todos cada reunión reunion cita podemos puedes disponible comida almuerzo cena llamada media cuarto hasta desde entre dentro hace nochebuena navidad quince dos tres",
  ),
};
/** Words that two languages share, or that are names: they decide nothing. */
const SHARED = wordSet("de la un me no a in an so was die am tu es on or mi vous week trimestre cet media war");

/** Only the beginning is looked at: it shows the language as well as the rest. */
const LOOKED_AT = 600;
/** How much more of its words another language needs than English. */
const MARGIN = 1.3;
const UNKNOWN_FROM = 20;
const UNKNOWN_SHARE = 0.05;

const OTHERS = ["de", "fr", "es"] as const;

/** The language of a text; English if nothing else is evident, null if it is a language the engine does not read. */
export function languageOf(tokens: readonly Token[]): Language | null {
  const score: Record<Language, number> = { en: 0, de: 0, fr: 0, es: 0 };
  let words = 0;
  const end = Math.min(tokens.length, LOOKED_AT);
  for (let at = 0; at < end; at += 1) {
    const token = tokens[at];
    if (token?.kind !== "word") continue;
    const { lower } = token;
    words += 1;
    const weight = SHARED.has(lower) ? 0.4 : 1;
    if (FREQUENT.en.has(lower)) score.en += weight;
    if (FREQUENT.de.has(lower)) score.de += weight;
    if (FREQUENT.fr.has(lower)) score.fr += weight;
    if (FREQUENT.es.has(lower)) score.es += weight;
  }
  const [best = "de"] = [...OTHERS].sort((a, b) => score[b] - score[a]);
  if (score[best] >= 1 && score[best] > score.en * MARGIN) return best;
  return words >= UNKNOWN_FROM && Math.max(score.en, score[best]) < words * UNKNOWN_SHARE ? null : "en";
}

/** The language of a message. */
export const languageIn = (text: string): Language | null => languageOf(tokenize(text.slice(0, 4000)));
