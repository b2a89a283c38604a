import { counted } from "../../../../lib/spoken-time.ts";
import type { Phrases } from "./phrases.ts";

const list = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} und ${parts.at(-1)}`;

/** "Fr., 27. Nov." already ends with a full stop. */
const stop = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

const SMALL =
  /^(?:Heute|Morgen|Übermorgen|Gestern|Vorgestern|Diese|Nächste|Kommende|Letzte|Am|Um|Im|In|Ab|Zwischen|Von)/;
const DAY =
  /^(?:(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|wochenende|vormittag|nachmittag|abend)|(?:mo|di|mi|do|fr|sa|so)\.|\d{1,2}\.(?!\d\d ?uhr))/i;
const MONTH = /^(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)/i;
const CLOCK = /^\d{1,2}(?::\d\d| ?uhr)/i;

function on(when: string): string {
  const name = when.replace(/^./u, (letter) => letter.toUpperCase());
  if (DAY.test(when)) return `am ${name}`;
  if (MONTH.test(when)) return `im ${name}`;
  if (CLOCK.test(when)) return `um ${when}`;
  return SMALL.test(when) ? when.replace(/^./u, (letter) => letter.toLowerCase()) : when;
}

const UNITS: Record<string, string> = {
  minute: "Minute",
  minutes: "Minuten",
  hour: "Stunde",
  hours: "Stunden",
  day: "Tag",
  days: "Tage",
};

/** "Aufgaben, die überfällig sind", "Aufgaben (ohne Termin)" */
function those(which: string, isOne: boolean): string {
  if (which === "") return "";
  const said = which.replace(/^(überfällig|erledigt) /, "$1 und ");
  return /(?:fällig|erledigt|offen)$/.test(which) ? `, die ${said} ${isOne ? "ist" : "sind"}` : ` (${which})`;
}

export const DE: Phrases = {
  due: (when) => `fällig ${on(when)}`,
  allDay: "ganztägig",
  priority: { low: "niedrige Priorität", medium: "mittlere Priorität", high: "hohe Priorität", urgent: "dringend" },
  noDueDate: "ohne Termin",
  reminder: (times) => `mit Erinnerung ${list(times)}`,
  atItsTime: "zur genannten Zeit",
  before: (length) => `${length.replace(/(?<![a-z])[a-z]+$/, (unit) => UNITS[unit] ?? unit)} vorher`,
  repeating: "wiederholt sich",
  addedTask: (line, name) =>
    stop(`${name === null ? "Als Aufgabe notiert" : `Auf die Liste ${name} gesetzt`}: ${line}`),
  addedEvent: (line) => stop(`In deinen Kalender eingetragen: ${line}`),
  noInvitation: (people) => `Mit ${people}. Eine Einladung wurde nicht verschickt.`,
  overlaps: (events) => stop(`Das überschneidet sich mit ${events}`),
  done: (title) => stop(`Erledigt: ${title}`),
  reopened: (title) => stop(`Wieder offen: ${title}`),
  removedTask: (title) => stop(`Von deiner Liste gestrichen: ${title}`),
  cleared: (tasks, events) =>
    `Erledigt: ${list([
      ...(tasks > 0 ? [`${counted(tasks, "Aufgabe", "Aufgaben")} gestrichen`] : []),
      ...(events > 0 ? [`${counted(events, "Termin", "Termine")} abgesagt`] : []),
    ])}.`,
  reminds: (times, title) => `Ich erinnere dich ${list(times)}: „${title}“.`,
  changed: (line) => stop(`Geändert: ${line}`),
  cancelled: (line) => stop(`Abgesagt: ${line}`),
  moved: (line) => stop(`Verschoben: ${line}`),
  movedToList: (name, title) => stop(`Auf die Liste ${name} verschoben: ${title}`),
  providerUnchanged: "Die Buchung beim Anbieter bleibt, wie sie ist.",
  proposed: (summary) => stop(`Das schlage ich vor, bitte bestätige es: ${summary}`),
  undone: (title) => `Rückgängig gemacht: ${title} ist wieder wie vorher.`,
  redone: (title) => stop(`Wiederhergestellt: ${title}`),
  notUndone: (title, reason) => `Nicht rückgängig gemacht: ${stop(title)} ${reason}`,
  deeds: {
    create_task: (name) => `${name} als Aufgabe notieren`,
    complete_task: (name) => `${name} als erledigt markieren`,
    update_task: (name) => `${name} ändern`,
    create_event: (name) => `${name} in deinen Kalender eintragen`,
    move_event: (name, to) => `${name}${to ? ` auf ${to}` : ""} verschieben`,
    remove_task: (name) => `${name} von deiner Liste streichen`,
    trash_mail: (name) => `die E-Mail ${name} in den Papierkorb legen`,
    cancel_event: (name) => `${name} absagen`,
    update_event: (name) => `${name} ändern`,
    respond_to_invitation: (name) => `die Einladung zu ${name} beantworten`,
    update_mail: (name) => `die E-Mail ${name} ändern`,
    schedule_task: (name) => `Zeit für ${name} reservieren`,
    draft_mail: (name) => `einen Entwurf schreiben (${name})`,
    send_mail: (name) => `${name} senden`,
    delete_draft: (name) => `den Entwurf ${name} löschen`,
    unsubscribe: (name) => `${name} abbestellen`,
    undo: () => "das rückgängig machen",
  },
  confirm: (deeds) => `Soll ich ${list(deeds)}? Sag ja oder nein.`,
  which: (words) => (words ? `Zu „${words}“ passt mehr als eins.` : "Da gibt es mehr als eins."),
  whichOne: "Was davon meinst du?",
  open: "Offen sind:",
  askTitle: "Wie soll ich es nennen?",
  askTask: (name) =>
    name === null ? "Was soll ich als Aufgabe notieren?" : `Was soll ich auf die Liste ${name} setzen?`,
  askWhen: (title) => `Wann soll „${title}“ sein?`,
  askMoveTo: (title) => `Auf wann soll ich „${title}“ verschieben?`,
  askTime: (day) => `Um wie viel Uhr ${on(day)}?`,
  askDay: (span) => `An welchem Tag ${on(span)}, und um wie viel Uhr?`,
  past: "Dieser Zeitpunkt ist schon vorbei. Wann soll es sein?",
  whenInstead: "Wann soll es sein?",
  noTimeFound: "Darin habe ich keine Zeit gefunden. Wann soll es sein?",
  notFound: (name) =>
    `Ich habe keine Aufgabe, keinen Termin und keine E-Mail namens „${name}“ gefunden. Ich habe nichts geändert.`,
  unclear: "Ich weiß nicht, was du damit meinst. Nenn mir die Aufgabe, den Termin oder die E-Mail.",
  found: (line) => stop(`Gefunden: ${line}`),
  whatToChange: (line) => `${stop(`Gefunden: ${line}`)} Was soll ich ändern?`,
  unchanged: "Ich habe nichts geändert. Sag es noch einmal mit einem anderen Datum.",
  notUnderstood: (part) => `„${part}“ habe ich nicht verstanden.`,
  nearest: () => "Ich kümmere mich um deine E-Mails, Aufgaben und Termine. Sag „Hilfe“ für Beispiele.",
  remark: (part) => `„${part}“ habe ich als Bemerkung gelesen und nichts geändert.`,
  timeIs: (time, place, isHere) => (isHere ? `Es ist ${time} Uhr (${place}).` : `In ${place} ist es ${time} Uhr.`),
  cannotAnswer: "Ich kann nur Fragen zu deinen E-Mails, Aufgaben und deinem Kalender beantworten.",
  cannot: "Das kann ich nicht. Ich kümmere mich um deine E-Mails, Aufgaben und Termine und kann dich daran erinnern.",
  notUsed: (words) => stop(`Nicht berücksichtigt habe ich: ${words}`),
  sayAgain: (rest) => `Sag danach noch einmal: „${rest}“.`,
  tooMany: (parts) =>
    stop(`Mit einer Nachricht kann ich höchstens 10 Dinge ändern. Das ist noch nicht erledigt: ${parts}`),
  noted: "Alles klar. Ich habe nichts geändert.",
  welcome: "Gern geschehen.",
  hello: "Hallo! Soll ich dir sagen, wie dein Tag aussieht oder worum du dich kümmern solltest?",
  goodbye: "Bis bald!",
  nothingToConfirm: "Es gibt gerade nichts zu bestätigen. Was kann ich für dich tun?",
  nothingMore: "In Ordnung, ich mache nichts weiter. Mit „rückgängig“ nimmst du die letzte Änderung zurück.",
  notChanged: "In Ordnung. Ich habe nichts geändert.",
  noEvents: (when) => `In deinem Kalender steht ${on(when)} nichts.`,
  events: (count, when) => `Du hast ${on(when)} ${counted(count, "Termin", "Termine")}:`,
  tasksDue: (count) => `${counted(count, "Aufgabe ist", "Aufgaben sind")} fällig:`,
  noTasks: (which) => (which ? `Du hast keine Aufgaben${those(which, false)}.` : "Du hast keine offenen Aufgaben."),
  tasks: (count, which, isOne) => `Du hast ${count} ${isOne ? "Aufgabe" : "Aufgaben"}${those(which, isOne)}:`,
  dueIn: (when) => `${on(when)} fällig`,
  overdue: "überfällig",
  finished: "erledigt",
  nextDays: (days) => `in den nächsten ${days} Tagen`,
  on,
  next: (line) => stop(`Als Nächstes kommt ${line}`),
  free: (when) => `Du hast ${on(when)} Zeit:`,
  notFree: (minutes, when) => `Du hast ${on(when)} während deiner Arbeitszeit keine ${minutes} Minuten am Stück frei.`,
  isFree: (moment, minutes) => `Ja, ${on(moment)} hast du ${minutes} Minuten Zeit.`,
  isBusy: (moment) => `Nein, ${on(moment)} hast du schon etwas vor:`,
  taken: "Belegt:",
  conflicts: "Ja, hier gibt es Überschneidungen:",
  noConflicts: (when) => `Nein, ${when} überschneidet sich nichts.`,
  noConflict: (moment) => `Nein, ${moment} bist du frei.`,
  more: (count) => `und noch ${count}`,
  onlyEnglish: "So eine Anfrage verstehe ich bisher nur auf Englisch. Ich habe nichts geändert.",
  help: [
    "Ich helfe dir mit E-Mails, Aufgaben und Kalender. Zum Beispiel:",
    "- Erinnere mich morgen um 15 Uhr daran, Anna anzurufen",
    "- Trag am Donnerstag um 10 Uhr ein Treffen mit Ben ein",
    "- Verschieb den Zahnarzt auf Freitag um 9 Uhr",
    "- Anna anrufen ist erledigt",
    "- Was steht morgen an?",
    "- Mach das rückgängig",
  ].join("\n"),
};
