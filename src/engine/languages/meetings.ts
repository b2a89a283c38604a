/** Verbs that ask for a meeting without naming one. */
export const MEETS =
  /treffen|sehen|telefonieren|zusammensetzen|verabreden|vernos|reunirnos|quedar|encontrarnos|juntarnos|voir|rencontrer|réunir|retrouve/i;

/** Words about meetings in a language. `\b` knows no accented letters, so words are bounded by hand. */
interface MeetingWords {
  noun: RegExp;
  request: RegExp;
  confirms: RegExp;
  cancels: RegExp;
  moves: RegExp;
}

const word = (pattern: string) => new RegExp(`(?<![\\p{L}])(?:${pattern})(?![\\p{L}])`, "iu");

export const MEETING_WORDS: Readonly<Record<"de" | "fr" | "es", MeetingWords>> = {
  de: {
    noun: word(
      "\\p{L}{0,20}(?:besprechung|sitzung|versammlung|termin|treffen|meeting|gespräch|telefonat|konferenz|workshop|essen|interview|abstimmung|vorstellungsgespräch|anruf|call|kaffee|feier|schulung|seminar|elternabend|frühstück|führung|besichtigung|prüfung|unterricht|kurs|konzert|hochzeit|geburtstag|zahnarzt|friseur)(?:s|es|en|e)?",
    ),
    request: word(
      "(?:können|könnten|wollen|sollen|sollten) wir (?:uns|mal|kurz|bitte|vielleicht| )*.{0,60}?(?:treffen|sprechen|telefonieren|reden|sehen|austauschen|besprechen|zusammensetzen|verabreden)|(?:hast|haben|hättest|hätten|habt|hättet) (?:du|sie|ihr) .{0,60}?(?:zeit|lust)|(?:passt|passen) (?:es |das |dir |ihnen |euch )+|(?:wie|was) (?:wäre|hältst du|halten sie|ist).{0,40}?(?:mit|von|es|um|am)|lass(?:t|en sie)? uns .{0,60}?(?:treffen|sprechen|telefonieren|reden|sehen)|treffen wir uns|wollen wir uns|bist du .{0,40}frei|sind sie .{0,40}(?:frei|verfügbar)|(?:möchte|würde gerne?) .{0,60}?(?:treffen|besprechen|sprechen|vereinbaren|einladen)|(?:termin|besprechung|meeting) (?:vereinbaren|ausmachen|ansetzen|einplanen)|kommst du|kommen sie|(?:essen|trinken|gehen|frühstücken) wir .{0,60}\\?",
    ),
    confirms: word(
      "bestätig(?:e|en|t)|findet .{0,60}statt|bis (?:dann|morgen|montag|dienstag|mittwoch|donnerstag|freitag)|wir sehen uns|ist (?:für|auf) .{0,40}(?:angesetzt|geplant|vereinbart)|passt mir|einverstanden",
    ),
    cancels: word(
      "absag(?:e|en|t)|abgesagt|fällt .{0,20}aus|entfällt|stornier(?:t|en)|kann .{0,40}nicht (?:kommen|teilnehmen)",
    ),
    moves: word("verschieb(?:en|t)|verschoben|verleg(?:en|t)|neuer termin|stattdessen"),
  },
  fr: {
    noun: word(
      "réunions?|rendez-vous|rdv|appels?|entretiens?|visioconférences?|visio|conférences?|déjeuners?|dîners?|café|point|atelier|séminaire|formation|rencontre|cours|concert|mariage|anniversaire|visite|examen|dentiste|médecin|coiffeur|fête|soirée|spectacle|call|meeting",
    ),
    request: word(
      "(?:pouvons|pourrions|pouvez|pourriez)-(?:nous|vous) .{0,60}?(?:voir|rencontrer|réunir|parler|appeler|discuter|déjeuner|dîner|joindre|échanger|participer|venir)|(?:peut|pourrait)-on .{0,60}?(?:voir|rencontrer|réunir|parler|appeler|discuter|déjeuner)|(?:on peut|on pourrait|on se voit|on s'appelle|on se retrouve|on (?:petit-)?déjeune|on dîne|on boit)|(?:êtes-vous|es-tu|seriez-vous|serais-tu|vous êtes|tu es) .{0,30}?(?:disponible|libre|dispo)|(?:ça|cela) (?:vous|te) (?:va|convient|conviendrait|irait)|(?:je (?:propose|souhaite|voudrais|aimerais)|nous proposons|proposons) .{0,60}|(?:organiser|fixer|prévoir|planifier|caler) (?:une?|le|la|notre) (?:réunion|rendez-vous|appel|point|entretien|visio)|(?:avez-vous|as-tu) .{0,30}?(?:le temps|un moment|un créneau)",
    ),
    confirms: word(
      "je confirme|confirmé|aura lieu|se tiendra|est (?:prévue?|fixée?|confirmée?)|à (?:demain|lundi|mardi|mercredi|jeudi|vendredi)|c'est noté|d'accord pour",
    ),
    cancels: word("annul(?:er|e|é|ée|ons|ation)|ne (?:pourrai|peux|pouvons|pourrons) (?:pas|plus)"),
    moves: word("report(?:er|ée?|ons)|décal(?:er|ée?|ons)|déplac(?:er|ée?)|repouss(?:er|ée?)|au lieu de"),
  },
  es: {
    noun: word(
      "reuni(?:ón|on|ones)|citas?|llamadas?|videollamadas?|entrevistas?|almuerzo|comida|cena|café|conferencia|taller|formación|encuentro|junta|clase|concierto|boda|cumpleaños|visita|examen|desayuno|dentista|médico|peluquería|fiesta|evento|call|meeting",
    ),
    request: word(
      "(?:podemos|podríamos|puedes|podrías|pueden|podrían) .{0,60}?(?:reunirnos|vernos|hablar|quedar|llamar|llamarme|comer|cenar|juntarnos|encontrarnos|venir|asistir)|(?:quedamos|nos vemos|nos reunimos|hablamos|comemos|cenamos|almorzamos|desayunamos|tomamos) .{0,60}\\?|(?:estás|está|estaría|estarías|están) .{0,30}?(?:disponible|libre)s?|(?:te|le|os|les) (?:viene|va|vendría|parece) bien|(?:propongo|me gustaría|quisiera|quiero) .{0,60}?(?:reuni|vernos|hablar|quedar|cita|llamada)|(?:tienes|tiene|tendrías) .{0,30}?(?:tiempo|un momento|un hueco|disponibilidad)|(?:agendar|programar|organizar|concertar|fijar) (?:una?|la|el|nuestra) (?:reunión|cita|llamada|entrevista)|qué (?:tal|te parece)",
    ),
    confirms: word(
      "quedamos (?:el|mañana|en|a las)|confirmo|confirmad[ao]|tendrá lugar|se celebrará|está (?:prevista|programada|confirmada)|nos vemos el|hasta (?:mañana|el (?:lunes|martes|miércoles|jueves|viernes))",
    ),
    cancels: word("cancel(?:ar|o|ada?|amos|ación)|anul(?:ar|ada?)|no (?:podré|puedo|podemos) (?:asistir|ir|llegar)"),
    moves: word("aplaz(?:ar|ada?|amos)|pospon(?:er|emos)|cambiar (?:la|el)|mover (?:la|el)|reprogramar|en lugar de"),
  },
};
