import { wordSet } from "../../../lib/words.ts";

/**
 * Words that do the same work in a message, in English, German, French and Spanish, without accents. A model that has seen
 * "scrap the gym" then understands "axe the gym" and "lösch das Training". A word may be in several classes; the first is
 * the one it has in runs of words. `resched-` stands for all words that begin so.
 */
const CLASSES = {
  remove:
    "cancel cancelled canceled cancelling delete deleted remove removed drop dropped scrap scrapped bin binned trash kill axe ditch nix junk erase wipe dump chuck scratch lose toss zap nuke rid shred discard pull skip skipping bail rubbish losch- streich- absag- storni- abgesagt gestrichen geloscht entfern- verwerf- ausfall- fallt raus weg supprim- annul- efface- enlev- retir- vire virer jette jeter borra- borre elimina- elimine cancela- cancele anula- anule quita- quite suprim- tacha- descart-",
  off: "off ab",
  out: "out raus heraus",
  back: "back zuruck wieder",
  up: "up hoch",
  down: "down runter",
  over: "over ruber",
  away: "away weg fort",
  into: "into in to onto rein ins dans en",
  done: "done finished finish completed complete sorted sort ticked tick handled crossed cross checked check dealt knocked wrapped paid bought sent posted called rang phoned booked ordered emailed mailed fixed cleaned washed filed signed submitted returned collected renewed printed walked fed watered mowed painted picked dropped got gotten did made wrote written read taken took gave given bagged nailed smashed erledigt fertig geschafft abgehakt abhaken hake hak bezahlt uberwiesen gekauft angerufen abgegeben abgeschickt gemacht gebucht geputzt geholt besorgt abgeholt termin- fini finie fait faite faites regle reglee paye payee achete envoye appele rendu coche cocher boucle hecho hecha hechos hechas terminado terminada acabado acabada listo lista pagado pagada comprado comprada enviado llamado entregado marca marcar ya",
  move: "move moved moving push pushed shift shifted bump bumped reschedule rescheduled postpone postponed slide swap swapped switch switched change changed rebook delay delayed rearrange defer transfer stick put set make verschieb- verschob- verleg- schieb schiebe schieben geschoben umbuch- andere andern deplac- report- decal- repouss- bouge bouger avanc- changer mets mettre mueve mover muevo muevela muevelo cambia cambiar cambialo cambiala pasa pasar pasalo pasala aplaza- pospon- retras- reprograma- traslada- pon",
  later: "later delay spater nachher tard plus mas tarde",
  earlier: "earlier sooner forward fruher eher vorher vorzieh- tot adelant- antes temprano",
  longer:
    "longer extend extended lengthen extra stretch additional more langer verlanger- dran allong- prolong- rallong- alarga- extiende amplia- larg-",
  shorter:
    "shorter shorten trim cut reduce shave knock less halve kurzer verkurz- kurz- kurze raccourc- ecourt- reduis acorta- recorta- reduc- corta",
  long: "long lasts last lasting takes take duration whole dauert dauer lang stunden dure duree durer dura duracion",
  until:
    "until till til ends end ending finish finishes finishing through wraps over bis endet ende jusque jusqu hasta termina fin",
  rename:
    "rename renamed call called name named title titled retitle entitled spelled spelt typo read reads known label umbenenn- nenn nenne nennen umbenannt heisst heissen titel renomm- appelle appeler intitul- titre renombr- llama llamar llamale titulo nombre",
  place:
    "place location venue room where address office zoom teams meet cafe house hall park school club online located upstairs downstairs building ort raum saal zimmer buro adresse stattfindet lieu salle bureau chez sitio lugar sala oficina direccion casa",
  invite:
    "invite invited inviting include including loop join joins joining add adding cc bring along guest attend einlad- eingeladen lad lade mitkomm- dazu hinzu invit- ajoute ajouter avec convoqu- apunta apuntar anade anadir incluye",
  coming: "coming come comes attending going kommt kommen komm vient viennent vienen viene",
  not: "not no isn't aren't won't don't can't doesn't didn't wasn't without never cannot couldn't nobody none neither nicht kein keine keinen keiner nichts nie niemand pas plus jamais rien aucun aucune ne nunca nada ninguno ninguna tampoco",
  priority:
    "urgent important priority prio critical asap crucial high low top highest lowest normal medium pressing rush hurry urgency vital dringend wichtig prioritat hochste eilig eilt unwichtig prioritaire priorite importante urgence basse haute urgente prioridad alta baja",
  list: "list lists liste listen einkaufsliste lista listas",
  repeat:
    "every weekly daily monthly repeat repeats recurring recur each yearly fortnightly repeating recurrence regular jeden jede jedes taglich wochentlich monatlich wiederhol- regelmassig chaque tous toutes hebdomadaire mensuel quotidien repete repet- cada todos todas semanal mensual diario repit-",
  stop: "stop stops end quit once one-off aufhor- einmalig nicht-mehr arrete arreter unique deja dejar",
  reopen:
    "reopen untick uncheck unfinished incomplete outstanding again still wiedereroffn- offen nochmal rouvr- rouvre encore reabr- reabre pendiente todavia",
  undo: "undo revert reverse before restore was were original originally previous mistake oops whoops ruckgangig zurucknehm- versehen vertan doch defai- defais erreur trompe remets deshaz deshacer deshaga equivoc- error vuelve",
  meant:
    "meant mean other wrong meinte meine anderen andere falsch voulais parlais autre mauvais referia otro otra queria",
  read: "read open show display see view pull says say said lies lese lesen zeig zeige zeigen offne offnen steht vorlesen lis lire ouvre ouvrir montre montrer affiche lee leer leeme abre abrir muestra ensena ensename ver",
  sum: "summarise summarize summary gist short nutshell tldr points boil recap fass zusammen zusammenfass- zusammenfassung kurzfassung resum- resumen resumeme grosso",
  star: "star starred flag flagged favourite favorite stern markier- markiere etoile etoiles favori estrella favorito destaca",
  unstar: "unstar unflag entmarkier-",
  archive:
    "archive archived archives file stash tidy archiv archivier- archiver archiva archivar archivo archivalo range",
  inbox: "inbox unarchive posteingang eingang reception boite bandeja entrada",
  unread: "unread ungelesen nonlu leido",
  tag: "tag tags tagged label labels labelled labeled schlagwort etikett kennzeichn- etiquette etiqueta etiquet- libelle",
  snooze:
    "snooze resurface hide remind reappear schlummer- spater-zeigen rappelle rappelle-moi reveille pospon- recuerdame",
  reply:
    "reply respond answer tell write let know antwort- sag sage schreib schreibe beantwort- repond- reponds dis ecris contest- respond- dile diles escribe escribele",
  forward:
    "forward fwd pass share onto along weiterleit- leit leite transfer- transmet- transmets fais reenvi- reenvia pasale",
  send: "send sent fire go goes ship schick schicke schicken send- verschick- abschick- envoie envoyer envoies envia envialo enviar manda mandalo mandale",
  tasks:
    "task tasks todo todos to-do reminder reminders chores jobs actions items aufgabe aufgaben erinnerung- tache taches rappel rappels tarea tareas recordatorio recordatorios pendientes",
  unsub:
    "unsubscribe unsub subscribed mailings mailing spam newsletters abmeld- abbestell- abonn- desabonn- desinscri- desuscri- suscripcion",
  mail: "email emails mail mails message messages letter inbox newsletter draft thread e-mail nachricht nachrichten brief post entwurf courriel courriels mel brouillon correo correos mensaje mensajes borrador",
  event:
    "meeting meetings event events appointment appt calendar diary agenda schedule booking slot invite call session termin termine besprechung sitzung kalender verabredung treffen rendez-vous rdv rendez reunion reunions calendrier cita citas reuniones calendario evento eventos quedada",
  add: "add adding remind reminder need must should gotta forget remember pencil book schedule stick pop jot note enter block reserve plan create new set erinner- erinnere neue neuer neues notier- eintrag- trag trage merk merken brauch brauche muss anleg- leg buch reservier- plane vergess- rappelle noter ajoute faut dois cree creer nouvelle nouveau prevois bloque penser recuerda recuerdame recordar anota apunta crea nuevo nueva tengo hay agenda agendar reserva bloquea ponme",
  wh: "what when where who which how whose why whats whens wheres was wann wo wer welche welcher welches welchen wie warum wieso weshalb wem quoi quand ou qui quel quelle quels quelles comment pourquoi combien est-ce que cuando donde quien cual como cuanto cuantos cuantas",
  aux: "is are am do does did have has can could would will should shall may might ist sind hast hat habe haben kannst kann konntest konnte wurdest wird wurde soll sollte est sont ai as avez peux pouvez pourrais pourriez a-t es son esta estan tiene tengo tienes puedes puede podrias podria hay",
  free: "free available availability gap busy open spare time frei luft platz verfugbar zeit libre libres dispo disponible temps hueco huecos tiempo",
  i: "i i'm i've i'd i'll we we're we've we'll me my ich mir mich mein meine meinen meiner wir uns j' je moi mon ma mes nous m' yo mi mis nosotros",
  you: "you your du dir dich dein deine tu te toi t' vous votre usted",
  they: "he she they he's she's they're they've her him them his their er sie ihr ihm ihn ihnen il elle ils elles lui leur ella ellos ellas le les su sus",
  it: "it it's its that that's this these those them both one ones es das dies den dieser diese dieses ca ceci cela c' celui celle ceux lo la eso esto esa ese esta este",
  maybe:
    "maybe might perhaps thinking considering wondering wonder if tempted whether supposedly reckons thinks wants says said heard apparently told talk rumour rumor vielleicht wenn falls ob uberleg- eventuell womoglich meint meinte sagt sagte will wollte hatte wurde peut-etre peut si pense songe hesite dit disait parait veut voulait quiza quizas pienso pensando dice dijo dicen quiere queria igual",
  hedge:
    "could may might maybe perhaps possible possibly probably likely apparently supposedly allegedly nearly almost ought tempt tempted tempts though hardly barely always usually normally typically rarely never ever once somehow easily someday eventually suppose imagine guess wish hope hoping hopefully used anyway seems seem seemed doubt doubtful unless beinahe fast immer normalerweise wohl angeblich irgendwann vermutlich wahrscheinlich damals kaum hoffentlich presque toujours jamais probablement souvent autrefois d'habitude normalement casi siempre nunca probablemente normalmente ojala parece",
  told: "says said say told asked asks wants wanted reckons thinks thought suggested suggests proposed proposes insists announced mentioned heard claims hopes prefers keeps swears promised meint sagt sagte will mochte erzahlt schlagt behauptet findet dit veut pense propose demande raconte trouve dice dijo quiere piensa propone cuenta cree",
  was: "was were had been did used would wasn't weren't hadn't didn't war waren hatte hatten etait etaient avait avaient era eran estaba estaban habia fue fueron",
  yes: "yes yeah yep yup sure ok okay aye please absolutely definitely ja jawohl klar gerne jo jep bitte oui ouais vas-y vale si claro dale bueno favor",
  no: "no nope nah nein nee ne non",
  thanks:
    "thanks thank cheers ta brilliant great lovely perfect love hello hi hey morning bye goodnight welcome star gem danke hallo moin tschuss guten morgen abend super prima lieb merci bonjour salut bonsoir coucou bisous genial gracias hola buenos buenas dias noches adios",
  instead:
    "instead rather better now actually lieber stattdessen doch jetzt eigentlich plutot finalement maintenant mejor ahora finalmente",
  pick: "first second third last former latter both all either top bottom erste ersten zweite zweiten dritte dritten letzte letzten beide beiden alle premier premiere deuxieme troisieme dernier derniere primero primera segundo segunda tercero tercera ultimo ultima ambos ambas",
  world:
    "weather rain music song play lights light flight flights news score recipe translate convert price stock capital joke timer alarm volume temperature uber taxi directions navigate order buy cost wetter regnet musik spiel licht nachrichten rezept ubersetz- witz meteo pleut musique joue lumiere recette tradui- blague tiempo-fuera llueve musica cancion luz receta traduc- chiste",
};

/** Articles and possessives: they are no part of a name. */
const DETERMINERS = wordSet(
  "the a an my our your his her their this that these those der die das den dem ein eine einen einem einer mein meine meinen meinem meiner unser unsere unseren le la les l' un une mon ma mes notre nos el los las mi mis una nuestro nuestra",
);
export const isDeterminer = (word: string) => DETERMINERS.has(word);

const SHORTEST_STEM = 4;

const held = new Map<string, string[]>();

/** The classes of a word, in lower case and without accents. */
export function classesOf(word: string): readonly string[] {
  if (held.size === 0) {
    for (const [name, members] of Object.entries(CLASSES)) {
      for (const member of members.split(" ")) held.set(member, [...(held.get(member) ?? []), name]);
    }
  }
  const whole = held.get(word);
  if (whole) return whole;
  for (let length = word.length; length >= SHORTEST_STEM; length -= 1) {
    const found = held.get(`${word.slice(0, length)}-`);
    if (found) return found;
  }
  return [];
}
