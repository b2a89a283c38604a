import type { Language } from "../../lib/languages.ts";
import { type Token, tokenize } from "../dates/tokens.ts";

/*
 * The words about repetition, each with what it is for the grammar (`grammar.ts`), which is the same in every language.
 * A word may be several things: "second" is the number two and "every second", and "a" is a word of its own.
 */

export type Kind =
  /** every, each */
  | "every"
  /** What makes a weekday a habit: "los lunes", "le lundi". */
  | "habit"
  /** two, three: the value is the number */
  | "number"
  /** first, 2nd, last: the value is the number, -1 for the last */
  | "ordinal"
  /** every other, every second */
  | "other"
  /** "sur deux", "sí y otro no", behind what it is about */
  | "alternate"
  /** "2nd to last" */
  | "fromEnd"
  /** "the next 5 mondays" */
  | "next"
  /** "by the 15th of the month" is one day */
  | "deadline"
  | "unit"
  | "weekday"
  | "month"
  /** "monthly" as an adverb; as an adjective it may belong to the word behind it: "the monthly report" */
  | "adverb"
  | "adjective"
  /** "mensuel", which follows its noun: "l'abonnement mensuel" */
  | "epithet"
  /** the end or the beginning of a month */
  | "edge"
  /** once a, einmal im */
  | "once"
  /** morning, evening: no part of the rule, but it says which half of the day is meant */
  | "part"
  | "of"
  /** the, on, am: nothing, between other words */
  | "filler"
  /** Before a time or a person: it begins something else. */
  | "at"
  | "and"
  | "to"
  | "starting"
  | "until"
  | "for"
  | "times"
  | "except";

export const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;

/** One line for each meaning: its kind, its value, and the words for it; `_` joins the words of a phrase. */
const LEXICONS: Readonly<Record<Language, string>> = {
  en: `
every = every each every_single each_and_every
other = other alternate alternating
other = second
once = once_a once_an once_every once_per
once 2 = twice_a twice_per twice_every
edge -1 = end
edge = start beginning
adverb day = nightly all_days
adjective day = daily everyday
adjective week = weekly
adjective week*2 = biweekly bi-weekly fortnightly
adjective month = monthly
adjective month*2 = bimonthly
adjective month*3 = quarterly
adjective month*6 = half-yearly biannually semiannually
adjective year = yearly annually
unit day = day days
unit weekday = weekday weekdays workday workdays work_day business_day business_days working_day working_days
unit weekend = weekend weekends
unit week = week weeks wk wks
unit week*2 = fortnight fortnights
unit month = month months
unit month*3 = quarter quarters
unit year = year years yr yrs
unit month*6 = half-year
habit weekday = weekdays workdays m-f
habit MO+WE+FR = mwf
habit weekend = weekends
weekday MO = monday mon
weekday TU = tuesday tue tues
weekday WE = wednesday wed
weekday TH = thursday thu thur thurs
weekday FR = friday fri
weekday SA = saturday sat
weekday SU = sunday sun
weekdays MO = mondays mons
weekdays TU = tuesdays
weekdays WE = wednesdays weds
weekdays TH = thursdays
weekdays FR = fridays fris
weekdays SA = saturdays sats
weekdays SU = sundays suns
month 1 = january jan
month 2 = february feb
month 3 = march
month 4 = april apr
month 5 = may
month 6 = june jun
month 7 = july jul
month 8 = august aug
month 9 = september sep sept
month 10 = october oct
month 11 = november nov
month 12 = december dec
number 14 = fourteen
number 15 = fifteen
number 20 = twenty
number 30 = thirty
number = one two three four five six seven eight nine ten eleven twelve
ordinal = first second third fourth fifth
ordinal -1 = last final
fromEnd = to_last to_the_last last
next = next
deadline = by before due
ordinal -2 = second_to_last second_last penultimate
part am = morning mornings
part pm = afternoon afternoons evening evenings night nights
of = of in
filler = the on a an ( ) @
at = at with
and = and & / , + plus
to = to - – through thru till until
starting = starting beginning starts begins from as_of starting_from starting_on from_the
until = until till through thru til ending ends up_to until_the
for = for for_the_next for_the for_next over_the_next
times = times x occurrences
except = except excluding but but_not except_for except_on`,
  de: `
every = jeden jede jedes jeder jedem alle aller je
other = zweiten zweite zweites zweiter andere anderen
edge -1 = ende
edge = anfang beginn
once 2 = zweimal_im zweimal_pro 2x_im 2x_pro
once = einmal_im einmal_pro einmal_in_der einmal_am 1x_pro 1x_im einmal_jede einmal_die
adverb day = täglich taeglich
adverb week = wöchentlich woechentlich
adverb week*2 = zweiwöchentlich vierzehntägig 14-tägig zweiwöchig
adverb month = monatlich
adverb month*3 = vierteljährlich quartalsweise
adverb month*6 = halbjährlich
adverb year = jährlich jaehrlich alljährlich
unit day = tag tage tagen tages
unit weekday = werktag werktage werktagen werktags arbeitstag arbeitstage arbeitstagen wochentag wochentage wochentags
unit weekend = wochenende wochenenden wochenendes
unit week = woche wochen wo
unit week*2 = vierzehn_tage 14_tage
unit month = monat monate monaten monats
unit month*3 = quartal quartale quartalen quartals vierteljahr
unit month*6 = halbjahr halbe_jahr
unit year = jahr jahre jahren jahres
habit weekday = werktags wochentags unter_der_woche
weekday MO = montag mo
weekday TU = dienstag di
weekday WE = mittwoch mi
weekday TH = donnerstag do
weekday FR = freitag fr
weekday SA = samstag sonnabend sa
weekday SU = sonntag so
weekdays MO = montags
weekdays TU = dienstags
weekdays WE = mittwochs
weekdays TH = donnerstags
weekdays FR = freitags
weekdays SA = samstags sonnabends
weekdays SU = sonntags
month 1 = januar jänner jan
month 2 = februar feber feb
month 3 = märz maerz mrz
month 4 = april apr
month 5 = mai
month 6 = juni jun
month 7 = juli jul
month 8 = august aug
month 9 = september sep sept
month 10 = oktober okt
month 11 = november nov
month 12 = dezember dez
number 14 = vierzehn
number 15 = fünfzehn
number 20 = zwanzig
number 30 = dreißig
number = ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
number 1 = eine einen einem einer
ordinal = ersten zweiten dritten vierten fünften
ordinal = erste zweite dritte vierte fünfte
ordinal = erster zweiter dritter vierter fünfter
ordinal = erstes zweites drittes viertes fünftes
ordinal -1 = letzten letzte letzter letztes
next = nächsten nächste
deadline = bis spätestens vor fällig
ordinal -2 = vorletzten vorletzte
part am = morgen vormittag morgens vormittags früh
part pm = nachmittag abend nacht nachmittags abends nachts
of = im in des der eines vom
filler = am an der die das den dem zum ( )
at = um gegen mit
and = und & / , + sowie
to = bis - –
starting = ab ab_dem ab_der beginnend beginnend_am beginnend_ab startend_am angefangen_am seit
until = bis bis_zum bis_zur bis_einschließlich bis_ende_des
for = für für_die_nächsten die_nächsten lang für_die
times = mal x
except = außer ausser ausgenommen bis_auf`,
  fr: `
every = chaque tous_les toutes_les tout_les
other = autre
edge -1 = fin
edge = début
once 2 = deux_fois_par 2_fois_par
once = une_fois_par une_fois_tous_les une_fois_chaque 1_fois_par 1x_par
adverb day = quotidiennement
epithet day = quotidien quotidienne
adverb week = hebdomadairement
epithet week = hebdomadaire hebdo
adverb month = mensuellement
epithet month = mensuel mensuelle
adverb month*3 = trimestriellement
epithet month*3 = trimestriel trimestrielle
adverb month*6 = semestriellement
epithet month*6 = semestriel
adverb year = annuellement
epithet year = annuel annuelle
unit day = jour jours
unit weekday = jour_ouvré jours_ouvrés jour_ouvrable jours_ouvrables jours_de_semaine jours_de_la_semaine
habit weekday = en_semaine du_lundi_au_vendredi
unit weekend = week-end week-ends weekend weekends
unit week = semaine semaines
unit week*2 = quinzaine quinze_jours 15_jours
unit month = mois
unit month*3 = trimestre trimestres
unit month*6 = semestre semestres
unit year = an ans année années
weekday MO = lundi lun
weekday TU = mardi mar
weekday WE = mercredi mer
weekday TH = jeudi jeu
weekday FR = vendredi ven
weekday SA = samedi sam
weekday SU = dimanche dim
weekdays MO = lundis les_lundis le_lundi
weekdays TU = mardis les_mardis le_mardi
weekdays WE = mercredis les_mercredis le_mercredi
weekdays TH = jeudis les_jeudis le_jeudi
weekdays FR = vendredis les_vendredis le_vendredi
weekdays SA = samedis les_samedis le_samedi
weekdays SU = dimanches les_dimanches le_dimanche
month 1 = janvier janv
month 2 = février fevrier fév
month 3 = mars
month 4 = avril avr
month 5 = mai
month 6 = juin
month 7 = juillet juil
month 8 = août aout
month 9 = septembre sept
month 10 = octobre oct
month 11 = novembre nov
month 12 = décembre decembre déc
number 15 = quinze
number 20 = vingt
number 30 = trente
number = un deux trois quatre cinq six sept huit neuf dix onze douze
number 1 = une
ordinal = premier deuxième troisième quatrième cinquième
ordinal = première second
ordinal -1 = dernier dernière
next = prochains prochaines
deadline = avant d'ici
ordinal -2 = avant-dernier
habit weekday = l-v
alternate = sur
part am = matin matins
part pm = après-midi soir soirs nuit
of = de du d' des de_la
filler = le la les l' en ( )
at = à vers avec
and = et & / , +
to = au à - – jusqu'à
starting = à_partir_du à_partir_de à_partir_d' à_compter_du à_compter_de dès dès_le à_partir_de_la à_partir_des
until = jusqu'au jusqu'à jusqu'à_la jusqu'en jusqu'aux
for = pendant durant pour_les pendant_les
times = fois x
except = sauf excepté hormis sauf_le sauf_les`,
  es: `
every = cada todos_los todas_las todo_los
other = otro otra
edge -1 = fin final finales
edge = principio principios inicio
once 2 = dos_veces_al dos_veces_por 2_veces_al
once = una_vez_al una_vez_a_la una_vez_por una_vez_cada 1_vez_al
adverb day = diariamente a_diario
epithet day = diario diaria
adverb week = semanalmente
epithet week = semanal
adverb week*2 = quincenalmente
epithet week*2 = quincenal
adverb month = mensualmente
epithet month = mensual
adverb month*3 = trimestralmente
epithet month*3 = trimestral
adverb month*6 = semestralmente
epithet month*6 = semestral
adverb year = anualmente
epithet year = anual
unit day = día días dia dias
unit weekday = día_laborable días_laborables día_hábil días_hábiles día_de_semana días_de_semana
habit weekday = entre_semana l-v
alternate 2 = sí_y_otro_no si_y_otro_no sí_otro_no
unit weekend = fin_de_semana fines_de_semana finde findes
unit week = semana semanas
unit week*2 = quincena quincenas quince_días quince_dias 15_días 15_dias
unit month = mes meses
unit month*3 = trimestre trimestres
unit month*6 = semestre semestres
unit year = año años ano anos
weekday MO = lunes lun
weekday TU = martes mar
weekday WE = miércoles miercoles mié mie
weekday TH = jueves jue
weekday FR = viernes vie
weekday SA = sábado sabado sáb sab
weekday SU = domingo dom
weekdays MO = los_lunes
weekdays TU = los_martes
weekdays WE = los_miércoles los_miercoles
weekdays TH = los_jueves
weekdays FR = los_viernes
weekdays SA = los_sábados los_sabados sábados sabados
weekdays SU = los_domingos domingos
month 1 = enero ene
month 2 = febrero feb
month 3 = marzo
month 4 = abril abr
month 5 = mayo
month 6 = junio jun
month 7 = julio jul
month 8 = agosto ago
month 9 = septiembre setiembre sep
month 10 = octubre oct
month 11 = noviembre nov
month 12 = diciembre dic
number 15 = quince
number 20 = veinte
number 30 = treinta
number = un dos tres cuatro cinco seis siete ocho nueve diez once doce
number 1 = una
ordinal = primer segundo tercer cuarto quinto
ordinal = primero segunda tercero cuarta quinta
ordinal -1 = último ultimo última ultima
next = próximos próximas
deadline = antes antes_del para
ordinal -2 = penúltimo
part am = mañana mañanas
part pm = tarde tardes noche noches
of = de del en
filler = el la los las a al día días
at = a_las a_la a sobre con
and = y e & / , +
to = a al - – hasta
starting = a_partir_del a_partir_de desde desde_el empezando_el empezando comenzando_el comenzando a_partir_de_el
until = hasta hasta_el hasta_la hasta_finales_de
for = durante durante_las durante_los durante_las_próximas por
times = veces x
except = excepto menos salvo excepto_los`,
};

interface Meaning {
  kind: Kind;
  value: string;
}

/** A word or phrase of the text, with all that it may mean, and its place in the text. */
export interface Lexeme {
  meanings: readonly Meaning[];
  token: Token;
  start: number;
  end: number;
}

interface Entry {
  rest: readonly string[];
  meaning: Meaning;
}

const lexicons = new Map<Language, ReadonlyMap<string, readonly Entry[]>>();

/** By the first word, longest phrases first. Made when first needed. */
function lexiconOf(language: Language): ReadonlyMap<string, readonly Entry[]> {
  const known = lexicons.get(language);
  if (known) return known;
  const made = new Map<string, Entry[]>();
  for (const line of LEXICONS[language].trim().split("\n")) {
    const [head = "", words = ""] = line.split(" = ");
    const [name = "", value = ""] = head.split(" ");
    for (const [index, phrase] of words.split(" ").entries()) {
      const [first = "", ...rest] = tokenize(phrase.replaceAll("_", " ")).map(({ lower }) => lower);
      const meanings: Meaning[] =
        name === "weekdays"
          ? [
              { kind: "weekday", value },
              { kind: "habit", value },
            ]
          : [{ kind: name as Kind, value: value || String(index + 1) }];
      for (const meaning of meanings) made.set(first, [...(made.get(first) ?? []), { rest, meaning }]);
    }
  }
  for (const list of made.values()) list.sort((a, b) => b.rest.length - a.rest.length);
  lexicons.set(language, made);
  return made;
}

const ORDINAL_ENDS = new Set(["st", "nd", "rd", "th", "er", "ère", "e", "ème", "º", "ª", "°"]);

/** The text as lexemes: each the longest phrase that the lexicon knows at its place. */
export function lexemesOf(text: string, language: Language): Lexeme[] {
  const tokens = tokenize(text);
  const lexicon = lexiconOf(language);
  const lexemes: Lexeme[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    if (!token) break;
    const word = wordLexeme(lexicon, tokens, at);
    const taken = token.kind === "number" && word.meanings.length === 0 ? numberLexeme(tokens, at, language) : word;
    const last = tokens[at + taken.length - 1] ?? token;
    lexemes.push({ meanings: taken.meanings, token, start: token.start, end: last.end });
    at += taken.length;
  }
  return lexemes;
}

function wordLexeme(lexicon: ReadonlyMap<string, readonly Entry[]>, tokens: readonly Token[], at: number) {
  const entries = lexicon.get(tokens[at]?.lower ?? "") ?? [];
  const fits = entries.filter(({ rest }) => rest.every((word, index) => tokens[at + 1 + index]?.lower === word));
  const length = (fits[0]?.rest.length ?? 0) + 1;
  const isShort =
    fits[0] !== undefined &&
    /^(?:weekday|month|unit)$/.test(fits[0].meaning.kind) &&
    (tokens[at]?.text.length ?? 9) < 5;
  const dot = tokens[at + length];
  // "sam. à 11h"
  const isDotted = isShort && dot?.lower === "." && !dot.gap && tokens[at + length + 1] !== undefined;
  const meanings = fits.filter(({ rest }) => rest.length + 1 === length).map(({ meaning }) => meaning);
  return { length: isDotted ? length + 1 : length, meanings };
}

/** "15", "15th", "1er", and in German "15." */
function numberLexeme(tokens: readonly Token[], at: number, language: Language) {
  const value = String(tokens[at]?.value ?? -1);
  const next = tokens[at + 1];
  const isOrdinal = next && !next.gap && (ORDINAL_ENDS.has(next.lower) || (language === "de" && next.lower === "."));
  // A date or a time with full stops: "3.12.", "19.30".
  const isDotted = next?.lower === "." && tokens[at + 2]?.kind === "number" && tokens[at + 2]?.gap === false;
  if (isOrdinal && !isDotted) return { length: 2, meanings: [{ kind: "ordinal", value }] satisfies Meaning[] };
  return { length: 1, meanings: [{ kind: "number", value }] satisfies Meaning[] };
}
