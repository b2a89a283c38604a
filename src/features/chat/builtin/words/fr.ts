import { counted } from "../../../../lib/spoken-time.ts";
import type { Phrases } from "./phrases.ts";

const list = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} et ${parts.at(-1)}`;

/** "ven. 27 nov." already ends with a full stop. */
const stop = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

// French puts a space that does not break before these marks, and inside quotation marks.
const COLON = "\u00a0:";
const ASK = "\u00a0?";
const quoted = (text: string) => `«\u00a0${text}\u00a0»`;

const TIME_WORD =
  /^(?:Aujourd|Demain|Après-demain|Hier|Avant-hier|Ce|Cette|Cet|La|Le|Les|À|En|Dans|Entre|De|Du|Lundi|Mardi|Mercredi|Jeudi|Vendredi|Samedi|Dimanche)(?!\p{L})/u;
const MONTHS = "janv|févr|mars|avr|mai|juin|juil|août|sept|oct|nov|déc";
const DATE = new RegExp(`^(?:(?:lun|mar|mer|jeu|ven|sam|dim)\\.|\\d{1,2}(?:er)? (?:${MONTHS})|\\d{1,2}/\\d)`, "i");
const MONTH = new RegExp(`^(?:${MONTHS})`, "i");

function on(when: string): string {
  if (DATE.test(when)) return `le ${when}`;
  if (MONTH.test(when)) return `en ${when}`;
  if (/^\d{1,2}(?::\d\d| ?h)/.test(when)) return `à ${when}`;
  if (/^semaine/i.test(when)) return `la ${when}`;
  if (/^(?:mois|week-end) (?:prochain|dernier)/i.test(when)) return `le ${when}`;
  if (/^week-end/i.test(when)) return `ce ${when}`;
  return TIME_WORD.test(when) ? when.replace(/^./u, (letter) => letter.toLowerCase()) : when;
}

/** "pour demain", but "à faire dans les 7 prochains jours" */
function due(when: string): string {
  const time = on(when);
  return /^(?:dans|d'ici|en|entre|avant|à|de|du) /.test(time) ? `à faire ${time}` : `pour ${time}`;
}

const UNITS: Record<string, string> = { hour: "heure", hours: "heures", day: "jour", days: "jours" };

export const FR: Phrases = {
  due,
  allDay: "toute la journée",
  priority: { low: "priorité basse", medium: "priorité moyenne", high: "priorité haute", urgent: "urgent" },
  noDueDate: "sans échéance",
  reminder: (times) => `avec un rappel ${list(times)}`,
  atItsTime: "à l'heure dite",
  before: (length) => `${length.replace(/(?<![a-z])[a-z]+$/, (unit) => UNITS[unit] ?? unit)} avant`,
  repeating: "se répète",
  addedTask: (line, name) => stop(`Ajouté à ${name === null ? "tes tâches" : `la liste ${name}`}${COLON} ${line}`),
  addedEvent: (line) => stop(`Ajouté à ton agenda${COLON} ${line}`),
  noInvitation: (people) => `Avec ${people}. Aucune invitation n'a été envoyée.`,
  overlaps: (events) => stop(`Attention, cela tombe en même temps que ${events}`),
  done: (title) => stop(`C'est fait${COLON} ${title}`),
  reopened: (title) => stop(`De nouveau à faire${COLON} ${title}`),
  removedTask: (title) => stop(`Retiré de ta liste${COLON} ${title}`),
  cleared: (tasks, events) =>
    `C'est fait${COLON} ${list([
      ...(tasks > 0 ? [`${counted(tasks, "tâche retirée", "tâches retirées")} de ta liste`] : []),
      ...(events > 0 ? [`${counted(events, "événement annulé", "événements annulés")}`] : []),
    ])}.`,
  reminds: (times, title) => `Je te le rappellerai ${list(times)}${COLON} ${quoted(title)}.`,
  changed: (line) => stop(`Modifié${COLON} ${line}`),
  cancelled: (line) => stop(`Annulé${COLON} ${line}`),
  moved: (line) => stop(`Déplacé${COLON} ${line}`),
  movedToList: (name, title) => stop(`Déplacé vers la liste ${name}${COLON} ${title}`),
  providerUnchanged: "La réservation chez le prestataire reste inchangée.",
  proposed: (summary) => stop(`Voici ce que je propose, à toi de confirmer${COLON} ${summary}`),
  undone: (title) => `C'est annulé${COLON} ${title} est comme avant.`,
  redone: (title) => stop(`C'est rétabli${COLON} ${title}`),
  notUndone: (title, reason) => `Je n'ai pas pu revenir en arrière${COLON} ${stop(title)} ${reason}`,
  deeds: {
    create_task: (name) => `ajouter ${name} à tes tâches`,
    complete_task: (name) => `marquer ${name} comme fait`,
    update_task: (name) => `modifier ${name}`,
    create_event: (name) => `ajouter ${name} à ton agenda`,
    move_event: (name, to) => `déplacer ${name}${to ? ` à ${to}` : ""}`,
    remove_task: (name) => `retirer ${name} de ta liste`,
    trash_mail: (name) => `mettre l'e-mail ${name} à la corbeille`,
    cancel_event: (name) => `annuler ${name}`,
    update_event: (name) => `modifier ${name}`,
    respond_to_invitation: (name) => `répondre à l'invitation ${name}`,
    update_mail: (name) => `modifier l'e-mail ${name}`,
    schedule_task: (name) => `réserver du temps pour ${name}`,
    draft_mail: (name) => `écrire un brouillon (${name})`,
    send_mail: (name) => `envoyer ${name}`,
    delete_draft: (name) => `supprimer le brouillon ${name}`,
    unsubscribe: (name) => `annuler ton abonnement à ${name}`,
    undo: () => "revenir en arrière",
  },
  confirm: (deeds) => `Dois-je ${list(deeds)}${ASK} Réponds par oui ou non.`,
  which: (words) => (words ? `Il y a plusieurs possibilités pour ${quoted(words)}.` : "Il y a plusieurs possibilités."),
  whichOne: `Qu'est-ce que tu veux dire exactement${ASK}`,
  open: `Il reste à faire${COLON}`,
  askTitle: `Quel nom dois-je lui donner${ASK}`,
  askTask: (name) => `Que dois-je ajouter à ${name === null ? "tes tâches" : `la liste ${name}`}${ASK}`,
  askWhen: (title) => `${quoted(title)}, c'est pour quand${ASK}`,
  askMoveTo: (title) => `À quand dois-je déplacer ${quoted(title)}${ASK}`,
  askTime: (day) => `À quelle heure ${on(day)}${ASK}`,
  askDay: (span) => `Quel jour ${on(span)}, et à quelle heure${ASK}`,
  past: `Ce moment est déjà passé. C'est pour quand${ASK}`,
  whenInstead: `C'est pour quand${ASK}`,
  noTimeFound: `Je n'y ai trouvé ni jour ni heure. C'est pour quand${ASK}`,
  notFound: (name) =>
    `Je n'ai trouvé aucune tâche, aucun événement ni aucun e-mail du nom de ${quoted(name)}. Je n'ai rien modifié.`,
  unclear: "Je ne vois pas de quoi tu parles. Donne-moi le nom de la tâche, de l'événement ou de l'e-mail.",
  found: (line) => stop(`J'ai trouvé${COLON} ${line}`),
  whatToChange: (line) => `${stop(`J'ai trouvé${COLON} ${line}`)} Que dois-je modifier${ASK}`,
  unchanged: "Je n'ai rien modifié. Redis-le avec une autre date.",
  notUnderstood: (part) => `Je n'ai pas compris ${quoted(part)}.`,
  nearest: () =>
    `Je peux m'occuper de tes e-mails, de tes tâches et de ton agenda. Dis ${quoted("aide")} pour voir des exemples.`,
  remark: (part) => `J'ai pris ${quoted(part)} pour une remarque, et je n'ai rien modifié.`,
  timeIs: (time, place, isHere) => (isHere ? `Il est ${time} (${place}).` : `À ${place}, il est ${time}.`),
  cannotAnswer: "Je ne peux répondre qu’aux questions sur tes e-mails, tes tâches et ton agenda.",
  cannot:
    "Ça, je ne peux pas le faire. Je m'occupe de tes e-mails, de tes tâches et de ton agenda, et je peux te le rappeler.",
  notUsed: (words) => stop(`Je n'ai pas tenu compte de ceci${COLON} ${words}`),
  sayAgain: (rest) => `Ensuite, redis${COLON} ${quoted(rest)}.`,
  tooMany: (parts) => stop(`Un message peut modifier 10 choses au plus. Il reste donc à faire${COLON} ${parts}`),
  noted: "D'accord. Je n'ai rien modifié.",
  welcome: "Avec plaisir.",
  hello: `Bonjour\u00a0! Veux-tu savoir à quoi ressemble ta journée, ou ce qui demande ton attention${ASK}`,
  goodbye: "À bientôt\u00a0!",
  nothingToConfirm: `Il n'y a rien à confirmer. Que puis-je faire pour toi${ASK}`,
  nothingMore: `D'accord, je m'arrête là. Dis ${quoted("annuler")} pour revenir sur la dernière modification.`,
  notChanged: "D'accord. Je n'ai rien modifié.",
  noEvents: (when) => stop(`Tu n'as rien dans ton agenda ${on(when)}`),
  events: (count, when) => `Tu as ${counted(count, "événement")} ${on(when)}${COLON}`,
  tasksDue: (count) => `${counted(count, "tâche")} à faire${COLON}`,
  noTasks: (which) => stop(`Tu n'as aucune tâche ${which || "en cours"}`),
  tasks: (count, which, isOne) =>
    `Tu as ${count} ${isOne ? `tâche ${which}` : `tâches ${which.replace(/^terminée/, "$&s")}`}`.trimEnd() + COLON,
  dueIn: due,
  overdue: "en retard",
  finished: "terminée",
  nextDays: (days) => `dans les ${days} prochains jours`,
  on,
  next: (line) => stop(`Ensuite, il y a ${line}`),
  free: (when) => `Tu es libre ${on(when)}${COLON}`,
  notFree: (minutes, when) =>
    stop(`Tu n'as aucun créneau libre de ${minutes} minutes pendant tes heures de travail ${on(when)}`),
  isFree: (moment, minutes) => `Oui, tu es libre ${on(moment)} pendant ${minutes} minutes.`,
  isBusy: (moment) => `Non, tu as déjà quelque chose ${on(moment)}${COLON}`,
  taken: `Déjà pris${COLON}`,
  conflicts: "Oui, ceci se chevauche :",
  noConflicts: (when) => `Non, rien ne se chevauche ${when}.`,
  noConflict: (moment) => `Non, tu es libre ${moment}.`,
  more: (count) => `et ${count} de plus`,
  onlyEnglish: "Pour l'instant, je ne comprends ce genre de demande qu'en anglais. Je n'ai rien modifié.",
  help: [
    `Je peux t'aider avec tes e-mails, tes tâches et ton agenda. Par exemple${COLON}`,
    "- Rappelle-moi d'appeler Anne demain à 15h",
    "- Ajoute une réunion avec Paul jeudi à 10h",
    "- Déplace le dentiste à vendredi 9h",
    "- Marque appeler Anne comme fait",
    `- Qu'est-ce que j'ai demain${ASK}`,
    "- Annule ça",
  ].join("\n"),
};
