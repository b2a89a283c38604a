import type { ChatRecord } from "../../../../db/schema/chat.ts";
import { reminderBeforeOther, reminderPhrases } from "../../../../engine/reminder-words.ts";
import { getTask } from "../../../tasks/service.ts";
import { isOnlyGuest } from "../../../tools/language/name-match.ts";
import { contentOf } from "../../request/content.ts";
import { remindsOf, wordsOf } from "../../request/exact.ts";
import { levelIn } from "../../request/filters.ts";
import { EITHER, kindIn } from "../../request/reference.ts";
import { type Request, slotsOf } from "../../request/request.ts";
import { minutesIn, momentOf, ruleIn } from "../../request/times.ts";
import { recordsNamed } from "../find.ts";
import { listOf } from "../labels.ts";
import { eventOf, onlyOf, type Planned, refOf, type Scene, type Sight } from "../plan.ts";
import { resolve } from "../resolve.ts";
import { shorten } from "../words/voice.ts";
import { addTask, withoutArticle } from "./add.ts";
import { change, forTarget, update } from "./target.ts";
import { isTitle, newTitles, tidy } from "./titles.ts";

const INSTEAD = /\s(?:instead of|rather than|statt|anstatt|au lieu de|en vez de)\s/i;

const IN_TITLE = /\b(?:in|to|into) (?:the|its) (?:title|name)\b/i;

export async function rename(scene: Scene, request: Request): Promise<Planned> {
  const [said = ""] = newTitles(request);
  // "Parsley instead of basil": the one that is replaced is named, too.
  const [title, before] = said.split(INSTEAD);
  const about = before ? onlyOf(await recordsNamed(scene.sight, { words: before, kinds: EITHER })) : undefined;
  const meant = about ? { ...request, about } : request;
  return forTarget(scene, meant, { kinds: EITHER }, (record) => {
    const tool = record.kind === "task" ? "update_task" : "update_event";
    // "Owner Brandt, put that in the title" keeps what is there.
    if (title)
      return change(tool, record, { title: IN_TITLE.test(request.text) ? `${record.title}, ${title}` : title });
    return { text: scene.voice.say.askTitle, about: [record], question: { kind: "what", tool, input: refOf(record) } };
  });
}

export async function place(scene: Scene, request: Request): Promise<Planned> {
  const { sight, voice } = scene;
  const parts = request.names.length === 0 ? await placeParts(sight, request) : null;
  // "Change the appointment" names no place.
  const said = [...slotsOf(request, "p"), ...slotsOf(request, "n")].filter((words) => kindIn(`the ${words}`) === null);
  const [where] = parts ? [parts.where] : said;
  if (!where) return { text: "Where should it be? Say, for example: it is at the town hall.", isLost: true };
  const meant = parts ? { ...request, about: parts.event } : request;
  const who = parts ? "" : request.names.join(" ") || contentOf(request.text.replace(where, " "));
  return forTarget(scene, meant, { kinds: ["event"] }, (record) =>
    // "Ines is at the dentist" says nothing about the lunch with her.
    who !== "" && isOnlyGuest(who, record.title)
      ? { text: voice.say.noted, about: [record] }
      : change("update_event", record, { location: withoutArticle(where).replace(THIS_TIME, "") }),
  );
}

const THIS_TIME = /\s(?:this time|today|now|instead|diesmal|cette fois|esta vez)$/i;
const PLACE_NOUN = /\b(?:location|venue|place|room|ort|raum|lieu|endroit|lugar|sitio)\b/i;
const BESIDE_PLACE =
  /\b(?:(?:add|set|put|change|make|update|use|as|the|of|for|to|is|its|at|in|please|and|it|setze?|auf|als|den|des|der|von|mets|comme|du|pon|como|el|del|de)|location|venue|place|room|ort|raum|lieu|endroit|lugar|sitio)\b|[.,!?:]/gi;

/** "Add Teams as the location for the pitch", "set the venue of the panel to Tower Hall": which part is the event. */
async function placeParts(sight: Sight, { text }: Request): Promise<{ where: string; event: ChatRecord } | null> {
  const parts = PLACE_NOUN.test(text)
    ? text
        .split(BESIDE_PLACE)
        .map((part) => part?.trim() ?? "")
        .filter((part) => part !== "")
    : [];
  if (parts.length !== 2) return null;
  for (const [at, words] of parts.entries()) {
    const event = onlyOf(await recordsNamed(sight, { words, kinds: ["event"] }));
    const where = parts[1 - at];
    if (event && where) return { where, event };
  }
  return null;
}

export async function invite(scene: Scene, request: Request): Promise<Planned> {
  const said = slotsOf(request, "g").map((person) => person.replace(/^(?:in|with|to|also)\s+/i, ""));
  const people = said.length > 0 ? said : wordsOf(request.rest).filter((word) => word === "her" || word === "him");
  if (people.length === 0) return { text: "Whom should I add? Say a name or an email address.", isLost: true };
  return forTarget(scene, request, { kinds: ["event"] }, (record) =>
    change("update_event", record, { addAttendees: people.map((person) => meantPerson(person, record.title)) }),
  );
}

/** "Invite her", to "Chat with Priya": the person whom the title names. */
function meantPerson(person: string, title: string): string {
  const named = /\b(?:with|mit|avec|con)\s+(\p{Lu}[\p{L}'-]*(?:\s\p{Lu}[\p{L}'-]*)?)/u.exec(title)?.[1];
  return /^(?:her|him|them|she|he)$/i.test(person) && named ? named : person;
}

export async function uninvite(scene: Scene, request: Request): Promise<Planned> {
  const people = slotsOf(request, "g").map((person) => person.toLowerCase());
  return forTarget(scene, request, { kinds: ["event"] }, async (record) => {
    const { attendees } = await eventOf(scene.sight, record);
    const isMeant = ({ name, email }: { name: string | null; email: string }) =>
      people.some(
        (person) => email === person || `${name ?? ""} ${email.split("@")[0]}`.toLowerCase().includes(person),
      );
    const gone = attendees.filter(isMeant).map(({ email }) => email);
    if (gone.length > 0) return change("update_event", record, { removeAttendees: gone });
    return {
      text: `${shorten(people.join(", "), 60) || "Nobody of that name"} is not in “${shorten(record.title, 80)}”.`,
      about: [record],
    };
  });
}

export async function priority(scene: Scene, request: Request): Promise<Planned> {
  // "Make the fence low priority": the level is no word of the name.
  const names = request.names.map((name) => name.replace(/\s\S+$/, (word) => (levelIn(word) === null ? word : "")));
  const level = levelIn(names.reduce((rest, name) => rest.replace(name, " "), request.text)) ?? levelIn(request.text);
  if (!level) return { text: "Which priority: low, medium, high or urgent?", isLost: true };
  return forTarget(scene, { ...request, names }, { kinds: ["task"] }, (record) =>
    change("update_task", record, { priority: level }),
  );
}

export const undate = (scene: Scene, request: Request): Promise<Planned> =>
  forTarget(scene, request, { kinds: ["task"] }, (record) => change("update_task", record, { dueAt: null }));

export async function toList(scene: Scene, request: Request): Promise<Planned> {
  const list = await listOf(scene.sight, request);
  if (!list) return { text: "To which list? Say, for example: move buy milk to the shopping list.", isLost: true };
  return forTarget(scene, request, { kinds: ["task"] }, (record) => change("update_task", record, { list }));
}

export async function repeat(scene: Scene, request: Request): Promise<Planned> {
  const rrule = ruleIn(request.times);
  if (!rrule) return { text: "How often? Say, for example: every Monday.", isLost: true };
  // "On the 1st of every month, pay the window cleaner": nothing of that name is there yet.
  const fresh = request.as("add_task");
  if (request.names.length === 0 && request.reference === null && newTitles(fresh).length > 0) {
    const target = await resolve(scene.sight, request, { kinds: EITHER });
    if ("missing" in target) return addTask(scene, fresh);
  }
  return repeatBy(scene, request, rrule);
}

export const noRepeat = (scene: Scene, request: Request): Promise<Planned> => repeatBy(scene, request, null);

function repeatBy(scene: Scene, request: Request, rrule: string | null): Promise<Planned> {
  return forTarget(scene, request, { kinds: EITHER }, (record) =>
    record.kind === "task"
      ? change("update_task", record, { rrule })
      : // A rule is of the whole series.
        { calls: [{ tool: "update_event", input: { id: record.id, rrule }, label: record.title }] },
  );
}

/** When to be reminded of something that exists. */
export async function remind(scene: Scene, said: Request): Promise<Planned> {
  const { sight } = scene;
  // "Remind me before the rehearsal to pack the folder": the rehearsal only says when.
  const fresh = said.as("add_task");
  if (remindsOf(said.text) && newTitles(fresh).length > 0) return addTask(scene, fresh);
  // "Put a reminder on the flight": the reminder is not what it is about.
  const request = said.kind === "task" && said.names.length > 0 ? { ...said, kind: null } : said;
  const phrases = reminderPhrases(request.text);
  const before =
    reminderBeforeOther(request.text)?.minutesBefore ?? phrases.flatMap(({ minutesBefore }) => minutesBefore);
  const minutes = minutesIn(request.times);
  const moment = momentOf(request.times, sight.clock);
  const reminders =
    before.length > 0
      ? before.map((minutesBefore) => ({ minutesBefore }))
      : minutes !== null
        ? [{ minutesBefore: minutes }]
        : moment?.time
          ? [{ at: moment.at.toISOString() }]
          : null;
  const target = await resolve(sight, request, { kinds: EITHER });
  // "Remind me at 8 to take the pills": nothing of that name is there yet.
  if ("unclear" in target && before.length > 0)
    return { text: "Of what? Say, for example: remind me an hour before the dentist.", isLost: true };
  if ("missing" in target && before.length > 0)
    return { text: scene.voice.say.notFound(shorten(target.missing, 60)), isLost: true };
  if (!("records" in target) && !("options" in target)) return addTask(scene, request.as("add_task"));
  if (!reminders) return { text: "When should I remind you of it? Say, for example: an hour before.", isLost: true };
  return forTarget(scene, request, { kinds: EITHER }, (record) => update(record, { reminders }));
}

/** Adds a remark to what is written down already. */
export async function note(scene: Scene, request: Request): Promise<Planned> {
  const { sight } = scene;
  const text = slotsOf(request, "n").join(", ") || slotsOf(request, "m").join(", ");
  if (!text) return { text: "What should I note?", isLost: true };
  // "Make a note: the wifi password is 1234" is about nothing that exists.
  const isNoted = request.names.length === 0 && /\bnote\b/i.test(request.text);
  const isOwn = isNoted && "unclear" in (await resolve(sight, { ...request, reference: null }, { kinds: EITHER }));
  if (isOwn && !isTitle(tidy(text))) return { text: "What should I note?", isLost: true };
  if (isOwn) return { calls: [{ tool: "create_task", input: { title: tidy(text) }, label: tidy(text) }] };
  return forTarget(scene, request, { kinds: EITHER }, async (record) => {
    const { description } = await (record.kind === "task" ? getTask(sight.ctx, record.id) : eventOf(sight, record));
    const whole = [description, tidy(text)].filter(Boolean).join("\n").slice(0, 5000);
    return update(record, { description: whole });
  });
}
