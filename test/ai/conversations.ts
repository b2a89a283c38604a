import { env } from "cloudflare:workers";
import { expect, inject } from "vitest";
import { setClock, signedInPerson } from "../auth/people.ts";
import { fakeMail } from "../emails/fake-mail.ts";
import { emptyService, service } from "../harness.ts";
import { ownStore } from "./tenant.ts";

/*
 * Conversations as text, and what is stored after each turn of them:
 *
 *   ## name
 *   @T Pay rent @fri ; E Dentist @fri 10:00-11:00 ; M Ann Lee <ann@example.com> | Subject | Text     what is there before
 *   what the person says => +T new ; =T changed @mon 9:00 ; vT done ; -E gone ; /said/ ; !/not said/
 *
 * T tasks, E events, M emails by their subject, D drafts, S sent emails, P a proposal. A turn without `=>` changes
 * nothing. `@` when (a weekday is the next one), `!` priority, `+` list, `#` tag, `^` place, `&` guest, a final `*`: it
 * repeats. `|` separates alternatives, `*` stands for any words, `\n` in a message for a line break.
 */

interface Turn {
  said: string;
  expected: string[];
}
export interface Conversation {
  name: string;
  before: string[];
  turns: Turn[];
}

export function parseConversations(text: string): Conversation[] {
  const blocks = text.split(/^## /m).slice(1);
  return blocks.map((block) => {
    const [name = "", ...lines] = block.split("\n").map((line) => line.trim());
    const before = lines.filter((line) => line.startsWith("@")).flatMap((line) => split(line.slice(1)));
    const said = lines.filter((line) => line !== "" && !/^[@#]/.test(line));
    const turns = said.map((line) => {
      const [message = "", expected = ""] = line.split(/ => ?/);
      return { said: message.replaceAll("\\n", "\n"), expected: split(expected) };
    });
    return { name, before, turns };
  });
}

const split = (text: string) =>
  text
    .split(/\s*;\s+(?=[-+=v@!/P]|[TEM] )/)
    .map((part) => part.trim().replace(/;$/, ""))
    .filter((part) => part !== "");

const DAYS = ["today", "thu", "fri", "sat", "sun", "mon", "tue", "wed"];

/** "fri 10:00" as it is stored: 2026-11-20 10:00, in Berlin. */
function when(words: string): string {
  const [day = "", ...time] = words.split(" ");
  const date = /^\d\d-\d\d$/.test(day) ? `2026-${day}` : `2026-11-${18 + DAYS.indexOf(day)}`;
  return [date, ...time].join(" ");
}

const REPEATS = /(?<= @.*) \*$/;
const FIELD = / (?=[@!+#^&]\S|(?:starred|archived|trash|snoozed|read)(?: |$))/;

/** Fields in one order, so that what is expected and what is stored are the same text. */
function canonical(words: string): string {
  const repeats = REPEATS.test(words) ? " (repeats)" : "";
  const [title = "", ...fields] = words.replace(REPEATS, "").split(FIELD);
  const read = fields.map((field) => (field.startsWith("@") ? `@${when(field.slice(1))}` : field));
  return `${[title, ...read.sort()].join(" ")}${repeats}`.toLowerCase();
}

const berlin = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Berlin", dateStyle: "short", timeStyle: "short" });
const local = (at: number) => berlin.format(at);

interface Stored {
  kind: string;
  title: string;
  at: number | null;
  end: number | null;
  day: string | null;
  more: string;
  tags: string;
}

/** Everything that is stored, as the texts that conversations expect. */
async function snapshot(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT iif(status = 'done', 'v', 'T') AS kind, title, due_at AS at, NULL AS end, due_date AS day, tags,
       iif(priority = 'medium', '', ' !' || priority) || coalesce(' +' || (SELECT name FROM task_lists WHERE id = list_id), '')
       || iif(repetition IS NULL, '', ' (repeats)') AS more FROM tasks WHERE status <> 'cancelled'
     UNION ALL SELECT 'E', title, start_at, end_at, start_date, '[]', coalesce(' ^' || location, '')
       || coalesce((SELECT group_concat(' &' || (value ->> 'email'), '') FROM json_each(attendees)), '')
       || iif(rrule IS NULL, '', ' (repeats)') FROM events WHERE status <> 'cancelled' AND deleted_at IS NULL
     UNION ALL SELECT iif(direction = 'outbound', 'S', 'M'),
       iif(direction = 'outbound', (SELECT group_concat(value ->> 'email') FROM json_each(to_recipients)) || ' ', '') || subject,
       NULL, NULL, NULL, iif(direction = 'outbound', '[]', tags), iif(direction = 'outbound', '',
       iif(is_starred, ' starred', '') || iif(status = 'inbox', '', ' ' || status) || iif(snoozed_until IS NULL, '', ' snoozed')
       || iif(is_read, ' read', '')) FROM emails
     UNION ALL SELECT 'D', subject, NULL, NULL, NULL, '[]', '' FROM email_drafts`,
  ).all<Stored>();
  return results.map(({ kind, title, at, end, day, more, tags }) => {
    const time = day ? ` @${day}` : at === null ? "" : ` @${local(at)}${end ? `-${local(end).slice(11)}` : ""}`;
    const labels = (JSON.parse(tags) as string[]).filter((tag) => tag !== "me").map((tag) => ` #${tag}`);
    const fields = `${time}${labels.join("")}${more}`;
    const repeats = fields.endsWith(" (repeats)") ? " (repeats)" : "";
    const sorted = fields
      .replace(/ \(repeats\)$/, "")
      .split(FIELD)
      .filter((field) => field !== "")
      .sort();
    return `${kind} ${[title, ...sorted].join(" ")}${repeats}`.replace(/ {2,}/g, " ").toLowerCase();
  });
}

/** What is expected: one of several patterns. */
interface Pattern {
  kind: string;
  title: string;
  shapes: RegExp[];
  text: string;
}

function pattern(kind: string, words: string): Pattern {
  const texts = words.split("|").map((each) => `${kind.toLowerCase()} ${canonical(each.trim())}`);
  const shapes = texts.map(
    (text) => new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`),
  );
  const title = (words.split("|")[0] ?? "")
    .replace(/ (?:[@!+#^&]\S.*|starred.*|archived.*|trash.*|snoozed.*|read.*|\(repeats\))$/, "")
    .toLowerCase();
  return { kind, title, shapes, text: texts.join(" | ") };
}

function differences(expected: readonly Pattern[], actual: readonly string[]): string[] {
  const left = [...actual];
  const missing = expected.filter(({ shapes }) => {
    const at = left.findIndex((text) => shapes.some((shape) => shape.test(text)));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...missing.map(({ text }) => `not there: ${text}`), ...left.map((text) => `too much: ${text}`)];
}

const isNamed = (title: string, given: string) => {
  const shape = new RegExp(`^${given.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
  return shape.test(title);
};

/** The records that a turn leaves, made from those before it. */
function after(before: readonly Pattern[], expected: readonly string[], actual: readonly string[]): Pattern[] {
  let records = [...before];
  for (const each of expected) {
    const [, sign = "", kind = "", words = ""] = /^([-+=v])([TEMDS]) (.*)$/.exec(each) ?? [];
    if (!sign) continue;
    // What is sent is no draft any more.
    const sent = kind === "S" ? words.replace(/^\S+ /, "").toLowerCase() : null;
    if (sent) records = records.filter((record) => record.kind !== "D" || !isNamed(record.title, sent));
    const next = pattern(sign === "v" ? "v" : kind, words);
    const kinds = kind === "T" ? ["T", "v"] : [kind];
    const isMeant = (record: Pattern) => kinds.includes(record.kind) && isNamed(record.title, next.title);
    // Of two of the same name, the one that is no longer there.
    const isGone = (record: Pattern) =>
      isMeant(record) && !actual.some((text) => record.shapes.some((shape) => shape.test(text)));
    const gone = sign === "-" ? records.findIndex(isGone) : -1;
    const at = gone >= 0 ? gone : records.findIndex(isMeant);
    if (sign === "-") records = records.filter((_, index) => index !== at);
    else if (sign === "+") records.push(next);
    else if (sign === "v") {
      const open = records[at];
      const done = open
        ? {
            ...open,
            kind: "v",
            shapes: open.shapes.map((shape) => new RegExp(shape.source.replace("^t ", "^v "))),
            text: open.text.replace(/^t /, "v "),
          }
        : next;
      records = [...records.filter((_, index) => index !== at), done];
    } else {
      // A new name: what was touched last.
      const index = at >= 0 ? at : records.findLastIndex((record) => kinds.includes(record.kind));
      records = [...records.filter((_, place) => place !== index), next];
    }
  }
  return records;
}

interface Score {
  turns: string[];
  failures: { turn: string; problem: string }[];
}

/** A person who talks to an empty service. */
export async function newSpeaker() {
  const { EMAIL } = fakeMail();
  const vars = { KV: ownStore(), EMAIL, MAIL_FROM: "me@example.com" };
  const { id, token } = await signedInPerson();
  await env.DB.prepare("UPDATE users SET time_zone = 'Europe/Berlin' WHERE id = ?").bind(id).run();
  return { vars, token };
}
type Speaker = Awaited<ReturnType<typeof newSpeaker>>;

/** Makes these records the only ones, in the notation of conversations without `@`. */
export async function storeOnly(api: Api, token: string, before: readonly string[]): Promise<Pattern[]> {
  await emptyService();
  await env.DB.batch(
    ["email_drafts", "task_lists", "chat_conversations"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
  const given: Pattern[] = [];
  for (const each of before) given.push(await prepare(api, token, each));
  return given;
}

/** What is there before a conversation, and then each turn of it: the reply, and what is stored after it. */
export async function* heldTurns({ vars, token }: Speaker, { before, turns }: Conversation) {
  // Another address each time, for the rate limit.
  const api = service(vars);
  const given = await storeOnly(api, token, before);
  let conversationId: string | undefined;
  for (const { said, expected } of turns) {
    const body = { message: said, timeZone: "Europe/Berlin", ...(conversationId && { conversationId }) };
    const answer = await api.post("/api/ai/chat", body, { token });
    expect(answer.status, `${said}: ${answer.text}`).toBe(200);
    conversationId = answer.body.conversationId;
    const { reply, proposals }: { reply: string; proposals: unknown[] } = answer.body;
    yield { given, said, expected, reply, proposals: proposals.length, actual: await snapshot() };
  }
}

/** Has the conversations, one after the other, each in an empty service. */
async function hold(conversations: readonly Conversation[]): Promise<Score> {
  const score: Score = { turns: [], failures: [] };
  const speaker = await newSpeaker();
  for (const conversation of conversations) {
    let records: Pattern[] | null = null;
    for await (const { given, said, expected, reply, proposals, actual } of heldTurns(speaker, conversation)) {
      records = after(records ?? given, expected, actual);
      const problems = [...differences(records, actual), ...wrongWords(expected, reply, proposals)];
      const turn = `${conversation.name}: “${said.replaceAll("\n", "\\n")}”`;
      score.turns.push(turn);
      if (problems.length > 0) {
        const problem = `→ “${reply.replaceAll("\n", " / ").slice(0, 200)}”: ${problems.join("; ")}`;
        score.failures.push({ turn, problem });
        // The next turn is judged by itself.
        records = actual.map((text) => exactly(text));
      }
    }
  }
  return score;
}

function exactly(text: string): Pattern {
  const [, kind = "", words = ""] = /^(\w) (.*)$/.exec(text) ?? [];
  const title = words.replace(/ (?:[@!+#^&]\S.*|starred.*|archived.*|trash.*|snoozed.*|read.*|\(repeats\))$/, "");
  return {
    kind: kind === "v" ? "v" : kind.toUpperCase(),
    title,
    shapes: [new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`)],
    text,
  };
}

function wrongWords(expected: readonly string[], reply: string, proposals: number): string[] {
  return expected.flatMap((each) => {
    if (/^P\d?$/.test(each)) return proposals > 0 ? [] : ["nothing proposed"];
    const said = /^(!?)\/(.*)\/$/.exec(each);
    if (!said) return [];
    const isSaid = new RegExp(said[2] ?? "", "i").test(reply);
    return isSaid === (said[1] === "") ? [] : [`says ${each}`];
  });
}

/** `^` place and `&` guests of an event that is there before. */
function placeAndGuests(fields: readonly string[]) {
  const [location] = fields.filter((field) => field.startsWith("^")).map((field) => field.slice(1));
  const attendees = fields.filter((field) => field.startsWith("&")).map((field) => ({ email: field.slice(1) }));
  return { ...(location && { location }), ...(attendees.length > 0 && { attendees }) };
}

type Api = ReturnType<typeof service>;

async function prepare(api: Api, token: string, given: string): Promise<Pattern> {
  const [, kind = "", words = ""] = /^([TEM]) (.*)$/.exec(given) ?? [];
  if (kind === "M") {
    const [from, subject = "", body = ""] = words.split(/\s*\|\s*/);
    const stored = await api.post(
      "/api/emails",
      { from, to: "me@example.com", subject, body, createTasks: "none" },
      { token },
    );
    expect(stored.status, stored.text).toBe(201);
    await api.get(`/api/emails/${stored.body.id}/ai-analysis`, { token });
    return pattern("M", subject);
  }
  const [title = "", ...fields] = words.split(/ (?=[@!+#^&]\S)/);
  const time = when(fields.find((field) => field.startsWith("@"))?.slice(1) ?? "today");
  const tags = fields.filter((field) => field.startsWith("#")).map((field) => field.slice(1));
  const [date = "", clock = ""] = time.split(" ");
  const [start, end] = clock.split("-").map((each) => `${date}T${each}:00+01:00`);
  const hasTime = fields.some((field) => field.startsWith("@"));
  const priority = fields.find((field) => field.startsWith("!"))?.slice(1);
  const list = fields.find((field) => field.startsWith("+"))?.slice(1);
  const more = { ...(priority && { priority }), ...(list && { listId: await listNamed(api, token, list) }) };
  const times = clock ? { start, end } : { start: date, allDay: true };
  const due = !hasTime ? {} : clock ? { dueAt: start } : { dueDate: date };
  const stored =
    kind === "T"
      ? await api.post("/api/tasks", { title, ...due, tags, ...more }, { token })
      : await api.post(
          "/api/calendar/events",
          { title, ...times, timeZone: "Europe/Berlin", ...placeAndGuests(fields) },
          { token },
        );
  expect(stored.status, stored.text).toBe(201);
  return pattern(kind, words);
}

async function listNamed(api: Api, token: string, name: string): Promise<number> {
  const made = await api.post("/api/tasks/lists", { name }, { token });
  if (made.status === 201) return made.body.id;
  const lists = await api.get("/api/tasks/lists", { token });
  return lists.body.data.find((list: { name: string }) => list.name === name).id;
}

/** The turns that do not end as they should yet, a line each. Every other turn has to. */
const KNOWN = new Set(
  Object.values(import.meta.glob<{ default: string }>("./conversations/not-yet-*.txt", { eager: true, query: "?raw" }))
    .flatMap(({ default: text }) => text.split("\n"))
    .filter((line) => line !== ""),
);

type Files = Record<string, { default: string }>;

export const conversationsIn = (files: Files): Conversation[] =>
  Object.values(files).flatMap(({ default: text }) => parseConversations(text));

const begin = () => setClock(new Date("2026-11-18T10:00:00Z"));

/**
 * Holds the conversations of these files, or every n-th of them, and names each turn that ends otherwise than the lists
 * `conversations/not-yet-*.txt` say: those that fail now, and those that work now and have to leave the list.
 */
export async function expectTurns(files: Files, nth = 1): Promise<void> {
  begin();
  const { turns, failures } = await hold(conversationsIn(files).filter((_, index) => index % nth === 0));
  const failed = failures.filter(({ turn }) => !KNOWN.has(turn)).map(({ turn, problem }) => `${turn} ${problem}`);
  const works = turns.filter((turn) => KNOWN.has(turn) && !failures.some((failure) => failure.turn === turn));
  expect({ failed, works }, `${turns.length - failures.length} of ${turns.length} turns are right`).toEqual({
    failed: [],
    works: [],
  });
}

/** The same for all of these files, whose own list `vitest -u` writes anew. */
export async function expectAllTurns(files: Files, list: string): Promise<void> {
  if (!inject("updates")) return expectTurns(files);
  begin();
  const { failures } = await hold(conversationsIn(files));
  await expect(failures.map(({ turn }) => `${turn}\n`).join("")).toMatchFileSnapshot(`./conversations/${list}.txt`);
}
