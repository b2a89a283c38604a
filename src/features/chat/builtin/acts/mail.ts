import type { ChatRecord } from "../../../../db/schema/chat.ts";
import { snoozeTime } from "../../../../engine/snooze-time.ts";
import { longDate } from "../../../../lib/spoken-time.ts";
import { getEmail } from "../../../emails/service.ts";
import { getTask, tasksByIds } from "../../../tasks/service.ts";
import { addressesOf } from "../../../tools/addresses.ts";
import { shareOf } from "../../../tools/language/name-match.ts";
import type { Filled } from "../../reader/read.ts";
import { type Request, slotsOf } from "../../request/request.ts";
import { letterText } from "../../request/telling.ts";
import { emailsNamed } from "../find.ts";
import { tagsIn } from "../labels.ts";
import { emailInTalk } from "../of-email.ts";
import { type Call, emailRecord, eventOf, onlyOf, type Planned, type Scene } from "../plan.ts";
import { shorten } from "../words/voice.ts";
import { change, forTarget } from "./target.ts";
import { tidy } from "./titles.ts";

/** A change of an email's flags: star, archive, read. */
export const flag =
  (changes: Record<string, unknown>) =>
  (scene: Scene, request: Request): Promise<Planned> =>
    forEmails(scene, request, () => changes);

/** The change for each email that is meant. All that the words describe are named before anything is done. */
async function forEmails(
  scene: Scene,
  request: Request,
  changesFor: (record: ChatRecord) => Record<string, unknown> | Promise<Record<string, unknown>>,
): Promise<Planned> {
  const isAll =
    request.reference?.which === "all" || /\b(?:e-?mails|mails|messages|newsletters|mailings)\b/i.test(request.text);
  const named = request.names.length > 0 || slotsOf(request, "g").length > 0 || /\bnewsletters?\b/i.test(request.text);
  if (isAll && named) return forAll(scene, request, changesFor);
  return forTarget(scene, request, { kinds: ["email"] }, async (record) =>
    change("update_mail", record, await changesFor(record)),
  );
}

const MOST = 10;

async function forAll(
  scene: Scene,
  request: Request,
  changesFor: (record: ChatRecord) => Record<string, unknown> | Promise<Record<string, unknown>>,
): Promise<Planned> {
  const [sender = ""] = slotsOf(request, "g");
  const words = request.names.join(" ") || (sender ? "" : "category:newsletter");
  const mails = await emailsNamed(scene.sight, words, sender);
  if (mails.length === 0)
    return { text: scene.voice.say.notFound([...request.names, sender].join(" ").trim()), isLost: true };
  const calls: Call[] = [];
  const records = mails.slice(0, MOST).map(emailRecord);
  for (const record of records)
    calls.push({ tool: "update_mail", input: { id: record.id, ...(await changesFor(record)) }, label: record.title });
  if (calls.length === 1) return { calls };
  const title = mails.length > MOST ? "These are the newest ten:" : `That is ${mails.length}:`;
  const list = mails
    .slice(0, MOST)
    .map(({ from, subject }) => `- ${shorten(from.name || from.email, 60)}: ${shorten(subject) || "(no subject)"}`);
  return {
    text: [title, ...list, "Should I do that for all of these? Say yes or no."].join("\n"),
    about: records,
    question: { kind: "confirm", calls },
  };
}

const tagOf = (words: string) => words.toLowerCase().replace(/^#/, "").trim().slice(0, 50);

/** Tags emails, and tasks that are called so. */
export async function tag(scene: Scene, request: Request): Promise<Planned> {
  const { about, names, reference } = request;
  const clear = tagsIn(request.text);
  const [name = ""] = names;
  // "Label the invoice tax": the last word is the tag.
  const ofName = slotsOf(request, "tag").length === 0 && clear.length === 0 ? name.split(/\s(?=\S{1,50}$)/) : [];
  const slots = ofName.length > 1 ? ofName : slotsOf(request, "tag");
  const said = [...new Set((clear.length > 0 ? clear : slots).map(tagOf))];
  const isFirstName = !about && (names.length === 0 || ofName.length > 1) && !reference && said.length > 1;
  const tags = isFirstName ? said.slice(1) : said;
  const meant = isFirstName && said[0] ? { ...request, names: [said[0]] } : request;
  if (tags.length === 0) return { text: "Which tag? Say, for example: tag it as taxes.", isLost: true };
  const kind = (about ?? (reference ? scene.sight.state.groups[0]?.[0] : undefined))?.kind ?? request.kind;
  const isAll = reference?.which === "all" || /\b(?:e-?mails|mails|messages|newsletters)\b/i.test(request.text);
  if (isAll && kind !== "task") return forEmails(scene, meant, () => ({ addTags: tags }));
  const kinds = kind === "task" || kind === "email" ? [kind] : (["email", "task"] as const);
  return forTarget(scene, meant, { kinds }, async (record) => {
    if (record.kind === "email") return change("update_mail", record, { addTags: tags });
    const before = (await getTask(scene.sight.ctx, record.id)).tags;
    return change("update_task", record, { tags: [...new Set([...before, ...tags])] });
  });
}

export async function untag(scene: Scene, request: Request): Promise<Planned> {
  const gone = slotsOf(request, "tag").map(tagOf);
  return forEmails(scene, request, async ({ id }) => {
    const { tags } = await getEmail(scene.sight.ctx, id);
    return { tags: tags.filter((each) => (gone.length === 0 ? each === "me" : !gone.includes(each))) };
  });
}

export async function snooze(scene: Scene, request: Request): Promise<Planned> {
  const said = request.times.map(({ text }) => text).join(" ");
  const until = said ? snoozeTime(said, scene.sight.clock) : null;
  if (!until || until < scene.sight.ctx.now)
    return { text: "Until when? Say, for example: snooze it until Monday.", isLost: true };
  return forEmails(scene, request, () => ({ snoozedUntil: until.toISOString() }));
}

export const unsubscribe = (scene: Scene, request: Request): Promise<Planned> =>
  forTarget(scene, request, { kinds: ["email"] }, (record) => change("unsubscribe", record, {}));

/** What an email is to say, from its first word to its last. If it only says to let somebody know, what was just changed. */
async function textOf(scene: Scene, { slots, message, text }: Request): Promise<string> {
  const [first, ...more] = slots.filter(({ slot }) => slot === "m");
  const said = first && more.length > 0 ? message.slice(first.start, more.at(-1)?.end) : (first?.text ?? "");
  const letter = letterText(said).replace(/\b\d{4}-\d\d-\d\d\b/g, (day) => longDate(day));
  return letter === "" && LETS_KNOW.test(text) ? changeText(scene) : letter;
}

const LETS_KNOW = /\b(?:let|tell|inform)\b/i;

/** "The call is now on Friday at 14:00." */
async function changeText({ sight, voice }: Scene): Promise<string> {
  const last = sight.state.isWritten ? onlyOf(sight.state.groups[0] ?? []) : undefined;
  if (last?.kind !== "event") return "";
  const { title, start, status } = await eventOf(sight, last);
  return `${title} is now ${status === "cancelled" ? "cancelled" : `on ${voice.moment(Date.parse(start))}`}`;
}

/** A reply to an email, as a draft. Said differently, it takes the place of the draft that was shown. */
export async function reply(scene: Scene, request: Request): Promise<Planned> {
  const say = await textOf(scene, request);
  const [[draft] = [], [answered] = []] = scene.sight.state.groups;
  if (
    say &&
    draft?.kind === "draft" &&
    answered?.kind === "email" &&
    request.names.length === 0 &&
    slotsOf(request, "g").length === 0
  ) {
    const calls: Call[] = [
      { tool: "delete_draft", input: { id: draft.id }, label: draft.title },
      { tool: "draft_mail", input: { replyTo: answered.id, say }, label: answered.title },
    ];
    return { calls };
  }
  const meant = { ...request, ...(await emailOfTasks(scene, request)) };
  return forTarget(scene, meant, { kinds: ["email"] }, ({ id, title, kind }) => {
    if (say) return { calls: [{ tool: "draft_mail", input: { replyTo: id, say }, label: title }] };
    return {
      text: "What should I answer? For example: I agree.",
      about: [{ kind, id, title }],
      question: { kind: "what", tool: "draft_mail", input: { replyTo: id } },
    };
  });
}

/** "Answer them", after tasks were made of an email: who wrote it. */
async function emailOfTasks({ sight }: Scene, request: Request): Promise<{ about?: ChatRecord }> {
  const [latest = []] = sight.state.groups;
  const isNamed = request.names.length > 0 || slotsOf(request, "g").length > 0;
  if (isNamed || latest.length === 0 || latest.some(({ kind }) => kind !== "task")) return {};
  const tasks = await tasksByIds(
    sight.ctx,
    latest.map(({ id }) => id),
  );
  const only = onlyOf([...new Set(tasks.map(({ emailId }) => emailId))]);
  return typeof only === "number" ? { about: emailRecord(await getEmail(sight.ctx, only)) } : {};
}

const TO = /\b(?:to|on to|onto|an|à|a)\s+(?:my |the |meine[nr]? )?$/i;

export async function forward(scene: Scene, request: Request): Promise<Planned> {
  if (CHANNELS.test(request.text)) return { text: scene.voice.say.cannot };
  const isRecipient = ({ slot, start, text }: Filled) =>
    slot === "g" && (text.includes("@") || TO.test(request.message.slice(0, start)));
  const to = await addressesFor(
    scene,
    request.slots.filter(isRecipient).map(({ text }) => text),
  );
  if (typeof to === "string") return { text: `${to} Say: forward it to name@example.com.`, isLost: true };
  const say = await textOf(scene, request);
  const named = { ...request, slots: request.slots.filter((slot) => !isRecipient(slot)) };
  return forTarget(scene, named, { kinds: ["email"] }, ({ id, title }) => ({
    calls: [{ tool: "draft_mail", input: { forward: id, to, say }, label: title }],
  }));
}

/** What else a message can be sent by, and what this service cannot do. */
const CHANNELS = /\b(?:an?|the)\s+(?:text|sms|whatsapp|fax|slack(?: message)?|tweet|telegram)\b|\b(?:sms|whatsapp)\b/i;

/** A new email, as a draft. */
export async function write(scene: Scene, request: Request): Promise<Planned> {
  if (CHANNELS.test(request.text)) return { text: scene.voice.say.cannot };
  // "Draft a reply to Ann" answers what she has written.
  const isReply = /\b(?:reply|answer|response)\b/i.test(
    request.text.slice(0, request.slots.find(({ slot }) => slot === "m")?.start),
  );
  if (isReply) return reply(scene, request.as("reply"));
  const answered = await emailBy(scene, request);
  if (answered) return reply(scene, { ...request, about: answered });
  const to = await addressesFor(scene, slotsOf(request, "g"));
  if (typeof to === "string") return { text: `${to} Say: write an email to name@example.com that …`, isLost: true };
  const text = await textOf(scene, request);
  const [subject] = slotsOf(request, "n");
  const input = { to, ...(subject && { subject: tidy(subject) }) };
  if (!text) return { text: "What should it say?", question: { kind: "what", tool: "draft_mail", input } };
  return { calls: [{ tool: "draft_mail", input: letter(input, text), label: to.join(", ") }] };
}

/** "Write Katrin that …", while her email is talked about, answers it. */
async function emailBy({ sight }: Scene, request: Request): Promise<ChatRecord | null> {
  const [person, ...others] = slotsOf(request, "g");
  const talked = emailInTalk(sight);
  const isNew = /\b(?:new|e-?mail|mail|message)\b|@/i.test(request.text);
  if (!person || others.length > 0 || !talked || isNew) return null;
  const { from } = await getEmail(sight.ctx, talked.id);
  return shareOf(person, [from.name ?? "", from.email]) > 0.9 ? talked : null;
}

/** What a new email says, with a subject of its own words if it has none. */
export function letter(input: Record<string, unknown>, text: string): Record<string, unknown> {
  const body = `${text.replace(/^\p{Ll}/u, (first) => first.toUpperCase())}${/[.!?]$/.test(text) ? "" : "."}`;
  return { ...input, subject: input.subject ?? (body.split(/[.!?]/)[0]?.slice(0, 60) || "Hello"), body };
}

/** The one address of each person, or why there is none. */
async function addressesFor({ sight }: Scene, people: readonly string[]): Promise<string[] | string> {
  if (people.length === 0) return "I do not know to whom.";
  const addresses: string[] = [];
  for (const person of people) {
    const known = await addressesOf(sight.ctx, person);
    const [only, ...others] = known;
    if (!only) return `I do not know the address of ${person}.`;
    if (others.length > 0) return `I know more than one address for ${person}: ${known.join(", ")}.`;
    addresses.push(only);
  }
  return addresses;
}

/** The draft that was talked about is to be sent: what follows is a proposal that the person confirms. */
export const send = (scene: Scene, request: Request): Promise<Planned> =>
  forTarget(scene, { ...request, names: [] }, { kinds: ["draft"] }, (record) => change("send_mail", record, {}));
