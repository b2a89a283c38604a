import type { LanguageTable } from "./table.ts";

/** French. */
export const FR: LanguageTable = {
  weekdays:
    "lundi lundis: monday, mardi mardis: tuesday, mercredi mercredis: wednesday, jeudi jeudis: thursday, vendredi vendredis: friday, samedi samedis: saturday, dimanche dimanches: sunday",
  months:
    "janvier janv: january, février fevrier févr fév: february, mars: march, avril avr: april, mai: may, juin: june, juillet juil: july, août aout: august, septembre: september, octobre oct: october, novembre nov: november, décembre decembre déc: december",
  units:
    "seconde secondes: second, minute minutes min: minute, heure heures: hour, jour jours: day, semaine semaines: week, mois: month, trimestre trimestres: quarter, an ans année années: year",
  numbers:
    "un une: 1, deux: 2, trois: 3, quatre: 4, cinq: 5, six: 6, sept: 7, huit: 8, neuf: 9, dix: 10, onze: 11, douze: 12, treize: 13, quatorze: 14, quinze: 15, seize: 16, vingt: 20, trente: 30, quarante: 40, cinquante: 50",
  words:
    "aujourd'hui: today, demain: tomorrow, hier: yesterday, à: at, a: at, vers: around, de: from, du: from, jusqu'à jusqu'au: until, entre: between, et: and, ou: or, depuis: since, après: after, avant: before, dans: in, en: in, pendant: for, midi: noon, minuit: midnight, le: the, la: the, les: the, au: at, matin: morning, soir: evening, nuit: night, maintenant: now, week-end: weekend, weekend: weekend, noël noel: christmas, pâques paques: easter, pentecôte: pentecost, chaque: every, ce: this, cet: this, cette: this",
  phrases: `
dans quinze jours = in a fortnight
dans une quinzaine = in a fortnight
midi moins le quart = quarter to noon
minuit moins le quart = quarter to midnight
# {u} = $1 $2
après - demain = overmorrow
après - midi = afternoon
avant - hier = the day before yesterday
week - end = weekend
ce soir = this evening
ce matin = this morning
cet après - midi = this afternoon
cette nuit = tonight
ce midi = today at noon
demain soir = tomorrow evening
demain matin = tomorrow morning
demain après - midi = tomorrow afternoon
demain midi = tomorrow at noon
le? {d} matin = on $1 morning
le? {d} soir = on $1 evening
le? {d} après - midi = on $1 afternoon
le? {d} midi = on $1 at noon
le? {d} # {m} = on $1 $2 $3
le? {d} prochain = on coming $1
le? {d} dernier|passé = last $1
le? {d} en huit = $1 week
ce {d} = this $1
le # er {m} = 1 $2
# er {m} = 1 $2
premier {m} = 1 $1
le? premier {d} de|du {m} = the first $1 of $2
le? deuxième {d} de|du {m} = the second $1 of $2
le? troisième {d} de|du {m} = the third $1 of $2
le? dernier {d} de|du {m} = the last $1 of $2
le # {m} = on $1 $2
le {d} = on $1
à|a # h # = at $1~h~$2
à|a # ~h ~# = at $1~h~$2
# h # = $1~h~$2
à|a # h = at $1~h
à|a|vers # heures|heure|h et demie = at half past $1
à|a|vers # heures|heure|h et quart = at quarter past $1
à|a|vers # heures|heure|h moins le? quart = at quarter to $1
à|a|vers # heures|heure|h du matin = at $1 am
à|a|vers # heures|heure|h du soir = at $1 pm
à|a|vers # heures|heure|h de l'après - midi = at $1 pm
# heures # = $1~h~$2
# heures|heure|h et demie = half past $1
# heures|heure|h et quart = quarter past $1
# heures|heure|h moins le? quart = quarter to $1
# heures|heure|h du matin = $1 am
# ~h du matin = $1 am
# heures|heure|h du soir = $1 pm
# ~h du soir = $1 pm
# heures|heure|h de l'après - midi = $1 pm
# ~h de l'après - midi = $1 pm
à|a|vers # heures|heure = at $1 uhr
de|entre # h à|et # h = between $1~h and $2~h
de # ~h à # ~h = from $1~h to $2~h
entre # ~h et # ~h = between $1~h and $2~h
de # à # heures|h = from $1~h to $2~h
entre # et # heures|h = between $1~h and $2~h
à partir de = from
jusqu'à|jusqu'au {d} = by $1
d'ici {d} = by $1
d'ici le {d} = by $1
d'ici # {u} = in $1 $2
d'ici la fin de la semaine = by the end of the week
d'ici la fin du mois = by the end of the month
avant le # {m} = before $1 $2
dans une demi - heure = in half an hour
une? demi - heure = half an hour
une heure et demie = 90 minutes
# heures et demie de = $1~.~5 hours
un quart d'heure = 15 minutes
trois quarts d'heure = 45 minutes
dans # {u} = in $1 $2
il y a # {u} = $1 $2 ago
il y a une semaine = 1 week ago
quinze jours = fortnight
la? semaine prochaine = next week
la? semaine dernière|passée = last week
cette semaine = this week
le? mois prochain = next month
le? mois dernier|passé = last month
ce mois = this month
l'année|l'an prochaine|prochain = next year
l'année|l'an dernière|dernier|passée = last year
cette année = this year
{d} de la semaine prochaine = $1 next week
le week - end prochain = next weekend
ce week - end = this weekend
ce weekend = this weekend
les # prochains|prochaines {u} = next $1 $2
les # derniers|dernières {u} = last $1 $2
la? fin de la semaine = end of the week
fin de semaine = end of the week
en? fin de mois = end of the month
la? fin du mois = end of the month
début du mois = beginning of the month
fin du mois prochain = end of next month
fin de l'année = end of the year
début de la semaine prochaine = beginning of next week
fin de la semaine prochaine = end of next week
fin {m} = end of $1
début {m} = early $1
mi - {m} = mid $1
premier trimestre = q~1
deuxième|second trimestre = q~2
troisième trimestre = q~3
quatrième trimestre = q~4
t ~# = q~$1
tous les {d} = every $1
tous les jours = every day
tous les mois = every month
toutes les semaines = every week
tous les # {u} = every $1 $2
toutes les # {u} = every $1 $2
chaque {d} = every $1
chaque {u} = every $1
un {d} sur deux = every other $1
du # au # {m} = from $1 $3 to $2 $3
du # {m} au # {m} = from $1 $2 to $3 $4
du {d} au {d} = from $1 to $2
de {d} à {d} = from $1 to $2
pendant # {u} = for $1 $2
nouvel an = new year's day
jour de l'an = new year's day
veille de noël = christmas eve
saint - sylvestre = new year's eve
# h = $1~h
`,
};
