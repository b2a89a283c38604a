import * as z from "zod";
import { scopesOf } from "../../../context.ts";
import { allows, type DataScope } from "../../../lib/api-key-scopes.ts";
import { AppError } from "../../../lib/errors.ts";
import { shortQuery } from "../../../lib/search-query.ts";
import { TASK_STATUSES } from "../../../lib/task-kinds.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { listEmails } from "../../emails/list.ts";
import { getEmail } from "../../emails/service.ts";
import { listTasks } from "../../tasks/list.ts";
import { getTask } from "../../tasks/service.ts";
import { matchingEvents } from "../find-record.ts";
import { type AgentCall, type AgentTool, agentRead, timeIn } from "./agent-tool.ts";
import { NOTICE } from "./fence.ts";
import { pieceOf } from "./piece.ts";
import { eventView, mailUrl, mailView, taskView } from "./views.ts";

/** `search` and `fetch` have the shape that ChatGPT asks of its connectors. */

const EACH = 7;
const TEXT_CHARACTERS = 16_000;
const TITLE_CHARACTERS = 150;
const PAST_DAYS = 90;
const AHEAD_DAYS = 366;

export const KINDS = { mail: "emails:read", task: "tasks:read", event: "calendar:read" } as const;
type Kind = keyof typeof KINDS;
const READ_SCOPES: readonly DataScope[] = Object.values(KINDS);

const Found = z.object({ id: z.string(), title: z.string(), url: z.string() });
type Found = z.infer<typeof Found>;

export function mayRead({ ctx }: AgentCall, kind: Kind): boolean {
  const granted = scopesOf(ctx.actor);
  return granted === null || allows(granted, KINDS[kind]);
}

const titleOf = ({ fence }: AgentCall, words: string, isOutside: boolean) =>
  isOutside ? fence.around(words, TITLE_CHARACTERS) : words.slice(0, TITLE_CHARACTERS);

async function mails(call: AgentCall, q: string): Promise<Found[]> {
  const { data } = await listEmails(call.ctx, { q: shortQuery(q), limit: EACH });
  return data.map(({ id, subject, receivedAt }) => {
    const day = timeIn(call.timeZone, receivedAt).at.slice(0, 10);
    return { id: `mail:${id}`, title: `Email of ${day}: ${titleOf(call, subject, true)}`, url: mailUrl(call, id) };
  });
}

async function tasks(call: AgentCall, q: string): Promise<Found[]> {
  const { data } = await listTasks(call.ctx, {
    q: shortQuery(q),
    status: [...TASK_STATUSES],
    sort: "due",
    limit: EACH,
  });
  return data.map((task) => ({
    id: `task:${task.id}`,
    title: `Task: ${titleOf(call, task.title, task.outside)}`,
    url: taskView(call, task).url,
  }));
}

async function events(call: AgentCall, match: string): Promise<Found[]> {
  const { ctx, timeZone } = call;
  const at = (days: number) => new Date(ctx.now.getTime() + days * DAY_MS).toISOString();
  const found = await matchingEvents({ ctx, timeZone }, { match, from: at(-PAST_DAYS), until: at(AHEAD_DAYS) });
  return found.slice(0, EACH).map((event) => {
    const { id, occurrence, start, url } = eventView(call, event);
    const name = occurrence === null ? `event:${id}` : `event:${id}@${occurrence}`;
    return { id: name, title: `Event of ${start.at.slice(0, 10)}: ${titleOf(call, event.title, event.outside)}`, url };
  });
}

const FINDERS: Record<Kind, (call: AgentCall, query: string) => Promise<Found[]>> = {
  mail: mails,
  task: tasks,
  event: events,
};

const search: AgentTool = {
  name: "search",
  scopes: READ_SCOPES,
  anyOf: true,
  ...agentRead({
    title: "Search everything",
    description: "Search emails, tasks and events. Read one result with fetch.",
    input: z.strictObject({ query: z.string().trim().min(1).max(200) }),
    output: z.object({ results: z.array(Found) }),
    async run(call, { query }) {
      const kinds = (["mail", "task", "event"] as const).filter((kind) => mayRead(call, kind));
      const found = await Promise.all(kinds.map((kind) => FINDERS[kind](call, query)));
      return { results: found.flat() };
    },
  }),
};

/** What a document of each kind consists of: a text, and what is known of it. */
interface Document {
  title: string;
  url: string;
  text: string;
  isOutside: boolean;
  metadata: Record<string, unknown>;
}

export async function documentOf(call: AgentCall, kind: Kind, ref: string): Promise<Document> {
  const [id = "", occurrence] = ref.split("@");
  const number = Number(id);
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new AppError("not_found", `There is no ${kind} ${id}.`);
  if (kind === "mail") {
    const email = await getEmail(call.ctx, number);
    const { url, ...metadata } = mailView(call, email);
    return { title: email.subject, url, text: email.body, isOutside: true, metadata };
  }
  if (kind === "task") {
    const task = await getTask(call.ctx, number);
    const { url, ...metadata } = taskView(call, task);
    return { title: task.title, url, text: task.description || task.title, isOutside: task.outside, metadata };
  }
  if (occurrence !== undefined && Number.isNaN(Date.parse(occurrence))) {
    throw new AppError("not_found", `There is no event ${ref}.`);
  }
  const event = await getEvent(call.ctx, number, occurrence === undefined ? undefined : new Date(occurrence));
  const { url, ...metadata } = eventView(call, event);
  return { title: event.title, url, text: event.description || event.title, isOutside: event.outside, metadata };
}

const fetchTool: AgentTool = {
  name: "fetch",
  scopes: READ_SCOPES,
  anyOf: true,
  ...agentRead({
    title: "Fetch a search result",
    description: "Read what search found, by its id.",
    input: z.strictObject({ id: z.string().max(100), offset: z.int().min(0).default(0) }),
    output: z.object({
      ...Found.shape,
      text: z.string(),
      metadata: z.record(z.string(), z.unknown()),
      truncated: z.boolean(),
      nextOffset: z.int().nullable(),
    }),
    async run(call, { id, offset }) {
      const [, kind, ref = ""] = /^(mail|task|event):(.+)$/.exec(id) ?? [];
      if (kind !== "mail" && kind !== "task" && kind !== "event") {
        throw new AppError("not_found", `There is no result ${id}. Ids come from search, such as mail:12.`);
      }
      if (!mayRead(call, kind)) throw new AppError("insufficient_scope", `This needs the scope ${KINDS[kind]}.`);
      const { title, url, text, isOutside, metadata } = await documentOf(call, kind, ref);
      const { piece, nextOffset } = pieceOf(text, offset, TEXT_CHARACTERS);
      return {
        id,
        title: titleOf(call, title, isOutside),
        text: isOutside ? `${NOTICE}\n${call.fence.around(piece, TEXT_CHARACTERS)}` : piece,
        url,
        metadata,
        truncated: nextOffset !== null,
        nextOffset,
      };
    },
  }),
};

export const FINDING_TOOLS = [search, fetchTool];
