import { counted } from "../../../../lib/spoken-time.ts";
import type { Phrases } from "./phrases.ts";

const list = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} y ${parts.at(-1)}`;

const TIME_WORD = /^(?:Hoy|Mañana|Pasado|Ayer|Anteayer|Est[ea]|El|La|Los|Al?|En|Entre|Desde|De)(?!\p{L})/u;
const DAY =
  /^(?:lunes|martes|miércoles|miercoles|jueves|viernes|sábado|sabado|domingo|(?:lun|mar|mié|jue|vie|sáb|dom),|fin de semana|mes|próximo|\d{1,2}(?: de |\/))/i;
const MONTH = /^(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)/i;

function on(when: string): string {
  const small = when.replace(/^./u, (letter) => letter.toLowerCase());
  if (DAY.test(when)) return `el ${small}`;
  if (/^(?:semana|próxima)/i.test(when)) return `la ${small}`;
  if (MONTH.test(when)) return `en ${small}`;
  if (/^\d{1,2}(?::\d\d| ?(?:h|[ap]\.? ?m))/i.test(when)) return `a las ${when}`;
  return TIME_WORD.test(when) ? small : when;
}

/** "para mañana", "para los próximos 7 días" */
const due = (when: string) => `para ${on(when).replace(/^(?:en|a) /, "")}`;

const UNITS: Record<string, string> = {
  minute: "minuto",
  minutes: "minutos",
  hour: "hora",
  hours: "horas",
  day: "día",
  days: "días",
};

/** "atrasada" of several tasks is "atrasadas". */
const several = (which: string) => which.replace(/^(?:atrasada|terminada)/, "$&s");

export const ES: Phrases = {
  due,
  allDay: "todo el día",
  priority: { low: "prioridad baja", medium: "prioridad media", high: "prioridad alta", urgent: "urgente" },
  noDueDate: "sin fecha",
  reminder: (times) => `con recordatorio ${list(times)}`,
  atItsTime: "a la hora indicada",
  before: (length) => `${length.replace(/(?<![a-z])[a-z]+$/, (unit) => UNITS[unit] ?? unit)} antes`,
  repeating: "se repite",
  addedTask: (line, name) => `Añadido a ${name === null ? "tus tareas" : `la lista ${name}`}: ${line}.`,
  addedEvent: (line) => `Añadido a tu calendario: ${line}.`,
  noInvitation: (people) => `Con ${people}. No se ha enviado ninguna invitación.`,
  overlaps: (events) => `Ojo, coincide con ${events}.`,
  done: (title) => `Hecho: ${title}.`,
  reopened: (title) => `De nuevo pendiente: ${title}.`,
  removedTask: (title) => `Quitado de tu lista: ${title}.`,
  cleared: (tasks, events) =>
    `Hecho: ${list([
      ...(tasks > 0 ? [counted(tasks, "tarea quitada de tu lista", "tareas quitadas de tu lista")] : []),
      ...(events > 0 ? [counted(events, "evento cancelado", "eventos cancelados")] : []),
    ])}.`,
  reminds: (times, title) => `Te lo recordaré ${list(times)}: «${title}».`,
  changed: (line) => `Cambiado: ${line}.`,
  cancelled: (line) => `Cancelado: ${line}.`,
  moved: (line) => `Movido: ${line}.`,
  movedToList: (name, title) => `Movido a la lista ${name}: ${title}.`,
  providerUnchanged: "La reserva con el proveedor sigue igual.",
  proposed: (summary) => `Esto es lo que propongo; confírmalo, por favor: ${summary}.`,
  undone: (title) => `Deshecho: ${title} está como antes.`,
  redone: (title) => `Hecho de nuevo: ${title}.`,
  notUndone: (title, reason) => `No se ha deshecho: ${title}. ${reason}`,
  deeds: {
    create_task: (name) => `añadir ${name} a tus tareas`,
    complete_task: (name) => `marcar ${name} como hecho`,
    update_task: (name) => `cambiar ${name}`,
    create_event: (name) => `añadir ${name} a tu calendario`,
    move_event: (name, to) => `mover ${name}${to ? ` a ${to}` : ""}`,
    remove_task: (name) => `quitar ${name} de tu lista`,
    trash_mail: (name) => `mover el correo ${name} a la papelera`,
    cancel_event: (name) => `cancelar ${name}`,
    update_event: (name) => `cambiar ${name}`,
    respond_to_invitation: (name) => `responder a la invitación ${name}`,
    update_mail: (name) => `cambiar el correo ${name}`,
    schedule_task: (name) => `reservar tiempo para ${name}`,
    draft_mail: (name) => `escribir un borrador (${name})`,
    send_mail: (name) => `enviar ${name}`,
    delete_draft: (name) => `borrar el borrador ${name}`,
    unsubscribe: (name) => `cancelar tu suscripción a ${name}`,
    undo: () => "deshacer eso",
  },
  confirm: (deeds) => `¿Debo ${list(deeds)}? Responde sí o no.`,
  which: (words) => (words ? `Hay más de una opción para «${words}».` : "Hay más de una opción."),
  whichOne: "¿A cuál te refieres?",
  open: "Están pendientes:",
  askTitle: "¿Qué nombre le pongo?",
  askTask: (name) => `¿Qué añado a ${name === null ? "tus tareas" : `la lista ${name}`}?`,
  askWhen: (title) => `¿Para cuándo es «${title}»?`,
  askMoveTo: (title) => `¿A qué día u hora muevo «${title}»?`,
  askTime: (day) => `¿A qué hora ${on(day)}?`,
  askDay: (span) => `¿Qué día y a qué hora ${on(span)}?`,
  past: "Ese momento ya ha pasado. ¿Para cuándo es?",
  whenInstead: "¿Para cuándo es?",
  noTimeFound: "Ahí no he encontrado ni día ni hora. ¿Para cuándo es?",
  notFound: (name) => `No he encontrado ninguna tarea, evento ni correo con el nombre «${name}». No he cambiado nada.`,
  unclear: "No sé a qué te refieres. Dime el nombre de la tarea, del evento o del correo.",
  found: (line) => `He encontrado esto: ${line}.`,
  whatToChange: (line) => `He encontrado esto: ${line}. ¿Qué cambio?`,
  unchanged: "No he cambiado nada. Dímelo otra vez con otra fecha.",
  notUnderstood: (part) => `No he entendido «${part}».`,
  nearest: () => "Puedo ocuparme de tus correos, tus tareas y tu calendario. Di «ayuda» para ver ejemplos.",
  remark: (part) => `He tomado «${part}» como un comentario y no he cambiado nada.`,
  timeIs: (time, place, isHere) => (isHere ? `Son las ${time} (${place}).` : `En ${place} son las ${time}.`),
  cannotAnswer: "Solo puedo responder preguntas sobre tus correos, tus tareas y tu calendario.",
  cannot: "Eso no puedo hacerlo. Me ocupo de tus correos, tus tareas y tu calendario, y puedo recordártelo.",
  notUsed: (words) => `No he tenido en cuenta: ${words}.`,
  sayAgain: (rest) => `Después, repite: «${rest}».`,
  tooMany: (parts) => `Con un mensaje puedo cambiar como máximo 10 cosas. Queda por hacer: ${parts}.`,
  noted: "De acuerdo. No he cambiado nada.",
  welcome: "De nada.",
  hello: "¡Hola! ¿Te cuento cómo es tu día o qué necesita tu atención?",
  goodbye: "¡Hasta pronto!",
  nothingToConfirm: "No hay nada que confirmar. ¿Qué puedo hacer por ti?",
  nothingMore: "De acuerdo, no hago nada más. Di «deshacer» para anular el último cambio.",
  notChanged: "De acuerdo. No he cambiado nada.",
  noEvents: (when) => `No tienes nada en el calendario ${on(when)}.`,
  events: (count, when) => `Tienes ${counted(count, "evento")} ${on(when)}:`,
  tasksDue: (count) => (count === 1 ? "Vence 1 tarea:" : `Vencen ${count} tareas:`),
  noTasks: (which) => `No tienes tareas ${several(which) || "pendientes"}.`,
  tasks: (count, which, isOne) =>
    `${`Tienes ${count} ${isOne ? `tarea ${which}` : `tareas ${several(which)}`}`.trimEnd()}:`,
  dueIn: due,
  overdue: "atrasada",
  finished: "terminada",
  nextDays: (days) => `en los próximos ${days} días`,
  on,
  next: (line) => `Lo siguiente es ${line}.`,
  free: (when) => `Tienes tiempo ${on(when)}:`,
  notFree: (minutes, when) => `No tienes ningún hueco de ${minutes} minutos en tu horario de trabajo ${on(when)}.`,
  isFree: (moment, minutes) => `Sí, ${on(moment)} tienes ${minutes} minutos libres.`,
  isBusy: (moment) => `No, ${on(moment)} ya tienes algo:`,
  taken: "Ocupado:",
  conflicts: "Sí, esto se solapa:",
  noConflicts: (when) => `No, nada se solapa ${when}.`,
  noConflict: (moment) => `No, estás libre ${moment}.`,
  more: (count) => `y ${count} más`,
  onlyEnglish: "De momento solo entiendo este tipo de petición en inglés. No he cambiado nada.",
  help: [
    "Puedo ayudarte con tus correos, tus tareas y tu calendario. Por ejemplo:",
    "- Recuérdame llamar a Ana mañana a las 15:00",
    "- Añade una reunión con Pablo el jueves a las 10",
    "- Mueve el dentista al viernes a las 9",
    "- Marca llamar a Ana como hecho",
    "- ¿Qué tengo mañana?",
    "- Deshazlo",
  ].join("\n"),
};
