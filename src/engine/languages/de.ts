import type { LanguageTable } from "./table.ts";

/** German. */
export const DE: LanguageTable = {
  weekdays:
    "montag: monday, dienstag: tuesday, mittwoch: wednesday, donnerstag: thursday, freitag: friday, samstag sonnabend: saturday, sonntag: sunday",
  months:
    "januar jänner jaenner: january, februar feber: february, märz maerz mrz: march, april: april, mai: may, juni: june, juli: july, august: august, september: september, oktober okt: october, november: november, dezember dez: december, jan: january, feb: february, apr: april, jun: june, jul: july, aug: august, sept sep: september, nov: november",
  units:
    "sekunde sekunden: second, minute minuten min: minute, stunde stunden std: hour, tag tage tagen tages: day, werktag werktage werktagen arbeitstag arbeitstage arbeitstagen: business day, woche wochen: week, monat monate monaten monats: month, quartal quartale quartalen quartals: quarter, jahr jahre jahren jahres: year, wochenende wochenenden: weekend",
  numbers:
    "ein eine einen einem einer eines: 1, zwei zwo: 2, drei: 3, vier: 4, fünf fuenf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9, zehn: 10, elf: 11, zwölf zwoelf: 12, dreizehn: 13, vierzehn: 14, fünfzehn: 15, sechzehn: 16, siebzehn: 17, achtzehn: 18, neunzehn: 19, zwanzig: 20, dreißig dreissig: 30, vierzig: 40, fünfzig: 50",
  words:
    "heute: today, morgen: tomorrow, übermorgen uebermorgen: overmorrow, gestern: yesterday, vorgestern: the day before yesterday, am: on, um: at, gegen: around, ca: around, ab: from, von vom: from, bis: until, zwischen: between, und: and, oder: or, seit: since, nach: after, vor: before, in: in, im: in, für: for, mittag mittags: noon, mitternacht: midnight, der: the, die: the, das: the, dem: the, den: the, halb: half, viertel: quarter, jetzt: now, täglich: daily, wöchentlich: weekly, monatlich: monthly, jährlich: yearly, jeden jede jedes jeder: every, nächste nächsten nächster nächstes naechste naechsten nächstem: next, kommende kommenden kommender kommendes: coming, letzte letzten letzter letztes vergangene vergangenen: last, diese diesen dieser dieses diesem: this, vorige vorigen: last, wochenende: weekend, heiligabend: christmas eve, weihnachten: christmas, silvester: new year's eve, neujahr: new year's day, ostersonntag ostern: easter, ostermontag: easter monday, karfreitag: good friday, pfingsten: pentecost, feierabend: eod, kw: kw",
  compounds: "vormittag morgen früh: morning, mittag: at noon, nachmittag: afternoon, abend: evening, nacht: night",
  phrases: `
# {u} = $1 $2
{d} bis {d} = from $1 to $2
heute in # {u} = in $1 $2
guten|guter morgen = hello
morgen früh|vormittag|morgen = tomorrow morning
heute morgen|früh|vormittag = this morning
heute nachmittag = this afternoon
heute abend = this evening
heute nacht = tonight
heute mittag = today at noon
gestern morgen|früh|vormittag = yesterday morning
{d} morgen|früh|vormittag|vormittags|morgens = $1 morning
nachmittag = afternoon
nachmittags = in the afternoon
abend = evening
abends = in the evening
vormittag = morning
vormittags|morgens = in the morning
nacht|nachts = night
früh = morning
am vormittag|morgen = in the morning
am nachmittag = in the afternoon
am abend = in the evening
am wochenende = this weekend
# . {m} = $1 $2
am|zum # . {m} = on $1 $2
bis zum? # . {m} = by $1 $2
bis spätestens zum? # . {m} = by $1 $2
spätestens am # . {m} = by $1 $2
bis zum? {d} = by $1
bis spätestens {d} = by $1
spätestens am? {d} = by $1
am|zum # ~. !# = on the $1~th
bis zum # ~. ~# = until $1~.~$2
bis zum # ~. !# = by the $1~th
# uhr ein|eine|einen = $1 uhr
# uhr # = $1~:~$2
# ~. ~# uhr = $1~:~$2
# ~: ~# uhr = $1~:~$2
# uhr morgens|früh|vormittags = $1 am
# uhr abends|nachmittags = $1 pm
# uhr am morgen|vormittag = $1 am
# uhr am abend|nachmittag = $1 pm
# uhr nachts = $1 am
# uhr mittags = $1 pm
# bis # uhr = $1 uhr until $2 uhr
# -|– # uhr = $1 uhr - $2 uhr
zwischen # und # uhr = between $1 uhr and $2 uhr
um viertel nach # uhr? = at quarter past $1
um viertel vor # uhr? = at quarter to $1
um dreiviertel # uhr? = at quarter to $1
viertel nach # uhr? = quarter past $1
viertel vor # uhr? = quarter to $1
dreiviertel # uhr? = quarter to $1
um halb # uhr? = at half $1
halb # uhr? = half $1
um # vor # uhr? = at $1 minutes to $2
um # nach # uhr? = at $1 minutes past $2
vor # {u} = $1 $2 ago
in # {u} = in $1 $2
heute in # wochen|woche = $1 weeks from today
{d} in # woche|wochen = $2 weeks on $1
# einhalb stunden|stunde = $1~.~5 hours
# ~, ~# stunden = $1~.~$2 hours
anderthalb|eineinhalb stunden|stunde = 90 minutes
zweieinhalb stunden = 150 minutes
eine|einer|einen halbe|halben stunde = half an hour
halbe|halben stunde = half an hour
# stunden|stunde und # minuten = $1 hours $2 minutes
eine|einer viertelstunde = 15 minutes
viertelstunde = 15 minutes
eine|einer dreiviertelstunde = 45 minutes
dreiviertelstunde = 45 minutes
am? nächste|nächsten|nächster|nächstes|naechste|naechsten|kommende|kommenden {d} = coming $1
am? letzten|vergangenen {d} = last $1
am? diesen {d} = this $1
übernächste|übernächster|uebernaechste woche = the week after next
übernächsten|übernächster monat = the month after next
am? übernächsten {d} = $1 after next
{d} nächster|nächste|kommender|kommende woche = $1 next week
nächste|nächster|kommende|naechste woche {d} = next week $1
nächste|nächster|kommende|kommender|naechste woche = next week
letzte|letzter|vergangene woche = last week
diese|dieser woche = this week
nächsten|nächster|kommenden|naechsten monat|monats = next month
letzten|vergangenen monat|monats = last month
diesen|dieses monat|monats = this month
nächstes|nächsten|kommendes jahr|jahres = next year
letztes|vergangenes jahr = last year
dieses jahr = this year
nächstes|kommendes wochenende = next weekend
dieses wochenende = this weekend
nächsten # {u} = next $1 $2
kommenden # {u} = next $1 $2
letzten|vergangenen # {u} = last $1 $2
ende der|dieser woche = end of the week
anfang der|dieser woche = beginning of the week
mitte der|dieser woche = middle of the week
ende des|diesen|dieses monats|monat = end of the month
anfang des|diesen|dieses monats = beginning of the month
mitte des|dieses monats = middle of the month
ende des|dieses jahres = end of the year
ende nächster|kommender woche = end of next week
anfang nächster|kommender woche = beginning of next week
mitte nächster|kommender woche = middle of next week
ende nächsten|kommenden monats = end of next month
anfang nächsten|kommenden monats = start of next month
mitte nächsten|kommenden monats = middle of next month
ende {m} = end of $1
anfang {m} = early $1
mitte {m} = mid $1
erstes|ersten quartal = q~1
zweites|zweiten quartal = q~2
drittes|dritten quartal = q~3
viertes|vierten quartal = q~4
jeden|jede|jedes zweiten|zweite|zweites {d} = every other $1
jeden {d} = every $1
jeden tag = every day
jede woche = every week
jeden monat = every month
jedes jahr = every year
alle # {u} = every $1 $2
montags = mondays
dienstags = tuesdays
mittwochs = wednesdays
donnerstags = thursdays
freitags = fridays
samstags = saturdays
sonntags = sundays
erster|ersten {m} = 1 $1
am? erster|ersten {d} im {m} = the first $1 of $2
am? zweiter|zweiten {d} im {m} = the second $1 of $2
am? dritter|dritten {d} im {m} = the third $1 of $2
am? vierter|vierten {d} im {m} = the fourth $1 of $2
am? letzter|letzten {d} im {m} = the last $1 of $2
zweiter|zweiten {m} = 2 $1
dritter|dritten {m} = 3 $1
vom # ~. bis zum? # ~. {m} = from $1 $3 to $2 $3
# ~. bis # ~. {m} = $1 $3 to $2 $3
# ~. -|– # ~. {m} = $1 $3 to $2 $3
vom # ~. {m} bis zum? # ~. {m} = from $1 $2 to $3 $4
mo ~.|, # = monday $1
di ~.|, # = tuesday $1
mi ~.|, # = wednesday $1
do ~.|, # = thursday $1
fr ~.|, # = friday $1
sa ~.|, # = saturday $1
so ~.|, # = sunday $1
`,
};
