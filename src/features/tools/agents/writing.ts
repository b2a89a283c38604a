import * as z from "zod";
import { assertType } from "../../../lib/cast.ts";
import { EMAIL_STATUSES } from "../../../lib/email-kinds.ts";
import { AppError } from "../../../lib/errors.ts";
import { readBy } from "../../../lib/receipts.ts";
import { PRIORITIES, TASK_STATUSES } from "../../../lib/task-kinds.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { storeAgentProposals } from "../../conversations/service.ts";
import { NewDraft } from "../../emails/drafts/schemas.ts";
import { createDraft } from "../../emails/drafts/service.ts";
import { snoozeChanges } from "../../emails/snooze.ts";
import { readDue } from "../../tasks/due.ts";
import { getTask } from "../../tasks/service.ts";
import { RemindersInput } from "../reminder-input.ts";
import { instantOf } from "../tool.ts";
import { Turn } from "../turn.ts";
import { type AgentCall, agentTool, type Effect, Id, RequestIdInput, VersionInput, When } from "./agent-tool.ts";
import { mustPropose } from "./outside-memory.ts";
import { Conflicts, conflictsView, EventView, eventView, mailUrl, TaskView, taskView } from "./views.ts";

/*
 * Writes are the chat's own tools: the same checks, the same summaries, the same proposals. Here they only get their
 * input in the shape that agents send, and their records in the shape that agents read.
 */

const Proposal = z.object({ id: z.string(), url: z.string(), note: z.string(), expiresInHours: z.int() });
const outcome = { status: z.enum(["done", "proposed"]), proposal: Proposal.optional() };
type Proposed = { status: "proposed"; proposal: z.infer<typeof Proposal> };

const NOTE =
  "Nothing has changed yet: this connection was recently given text by other people, so the person has to confirm it, on Today in the console (url) or in Chat. Tell them.";

interface Write {
  tool: string;
  effect: Effect;
  input: Record<string, unknown>;
  version?: number | undefined;
}

/** Makes the change, or proposes it. */
async function write<Result>(
  call: AgentCall,
  { tool, effect, input, version }: Write,
  done: (result: Record<string, unknown>) => Promise<Result>,
): Promise<Proposed | (Result & { status: "done" })> {
  const { ctx, timeZone, connection } = call;
  const turn = new Turn(ctx, timeZone, { showsReceipts: true, ...(version !== undefined && { expected: [version] }) });
  turn.hasReadUntrusted = mustPropose(ctx, connection, effect);
  const result = await turn.call(tool, input);
  if (result.status === "refused") {
    const quotes = result.isUntrusted ? "outside" : "own";
    throw new AppError(assertType(result.code), result.message, { quotes });
  }
  if (result.status === "ambiguous") throw new AppError("conflict", result.message);
  if (result.status === "done") return { status: "done", ...(await done(result.result)) };
  await ctx.db.batch(storeAgentProposals(ctx, turn, connection.name));
  const { id } = result.proposal;
  // The summary is for the person: it quotes records, whose words may be other people's.
  return {
    status: "proposed",
    proposal: { id, url: `${ctx.baseUrl}/app`, note: NOTE, expiresInHours: 24 },
  };
}

interface Due {
  dueAt?: string | null | undefined;
  dueText?: string | undefined;
}

/** When a task is due, read as the API reads it. */
async function dueOf({ ctx, timeZone }: AgentCall, { dueAt, dueText }: Due): Promise<Record<string, unknown>> {
  if (dueAt && dueText) throw new AppError("validation_failed", "Give dueAt or dueText, not both.");
  if (dueAt === null) return { dueAt };
  const at = dueAt && dueAt.length > 10 ? instantOf(dueAt, timeZone) : dueAt;
  const { due, rule, reminders } = await readDue(ctx, { dueAt: at, dueText, timeZone });
  return {
    ...(due && { dueAt: due.dueDate ?? due.dueAt.toISOString() }),
    ...(rule && { rrule: rule.rrule, repeatFrom: rule.from }),
    ...(reminders && { reminders: reminders.map(({ minutesBefore }) => ({ minutesBefore })) }),
  };
}

/** What was said in words counts unless a member says otherwise. */
const given = (members: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const taskFields = {
  title: z.string().trim().min(1).max(500),
  dueText: z.string().trim().min(1).max(200).optional().describe("In words: next friday 5pm, every monday"),
  priority: z.enum(PRIORITIES).optional(),
  list: z.string().trim().min(1).max(100).optional().describe("Name of a list"),
  reminders: RemindersInput.describe("[] for none; default: the person's"),
};
const Rrule = z.string().max(200);

const createTask = agentTool({
  name: "create_task",
  title: "Create a task",
  description: "Add a task or reminder.",
  effect: "creates",
  scopes: ["tasks:write"],
  input: z.strictObject({
    ...taskFields,
    description: z.string().max(5000).optional(),
    dueAt: When.optional(),
    rrule: Rrule.optional(),
    emailId: Id.optional().describe("With quote: the email that asks for it"),
    quote: z.string().trim().min(1).max(2000).optional(),
    requestId: RequestIdInput,
  }),
  output: z.object({ ...outcome, task: TaskView.optional() }),
  async run(call, { requestId: _, dueAt, dueText, ...task }) {
    const input = { ...(await dueOf(call, { dueAt, dueText })), ...given(task) };
    return write(call, { tool: "create_task", effect: "creates", input }, (result) =>
      // The task of a quote may be there already, and has the tags of its email.
      writtenTask(call, result, { isNew: task.emailId === undefined }),
    );
  },
});

const updateTask = agentTool({
  name: "update_task",
  title: "Change a task",
  description: "Change or complete a task (status `done`). dueAt null removes the due time.",
  effect: "changes",
  isDestructive: true,
  scopes: ["tasks:write"],
  input: z.strictObject({
    id: Id,
    ...taskFields,
    title: taskFields.title.optional(),
    dueAt: When.nullable().optional(),
    list: taskFields.list.nullable(),
    rrule: Rrule.nullable().optional(),
    status: z.enum(TASK_STATUSES).optional(),
    version: VersionInput,
    requestId: RequestIdInput,
  }),
  output: z.object({ ...outcome, task: TaskView.optional() }),
  async run(call, { requestId: _, version, dueAt, dueText, ...changes }) {
    const input = { ...(await dueOf(call, { dueAt, dueText })), ...given(changes) };
    const change = { tool: "update_task", effect: "changes", input, version } as const;
    return write(call, change, (result) => writtenTask(call, result));
  },
});

/** A new record has no words but those of this call, so it is shown with them and not as somebody else's. */
const asOwn = <Record extends { outside: boolean }>(record: Record, isNew: boolean) =>
  isNew ? { ...record, outside: false } : record;

/** The whole record: the chat's view of it has no version. */
async function writtenTask(call: AgentCall, { id }: Record<string, unknown>, { isNew } = { isNew: false }) {
  return { task: taskView(call, asOwn(await getTask(call.ctx, Number(id)), isNew)) };
}

const minutes = z.int().min(1).max(10_080).optional();
const which = { id: Id, occurrence: z.iso.datetime({ offset: true }).optional() };
const eventOutput = z.object({ ...outcome, event: EventView.optional(), conflicts: Conflicts.optional() });

async function writtenEvent(call: AgentCall, result: Record<string, unknown>, { isNew } = { isNew: false }) {
  const { id, occurrence, conflicts } = assertType<{
    id: number;
    occurrence: string | null;
    conflicts: Parameters<typeof conflictsView>[1];
  }>(result);
  const event = await getEvent(call.ctx, id, occurrence === null ? undefined : new Date(occurrence));
  return { event: eventView(call, asOwn(event, isNew)), conflicts: conflictsView(call, conflicts) };
}

const createEvent = agentTool({
  name: "create_event",
  title: "Create an event",
  description:
    "Add an event to the calendar; names what it overlaps with. Nobody is invited. A date as start with allDay.",
  effect: "creates",
  scopes: ["calendar:write"],
  input: z.strictObject({
    title: z.string().trim().min(1).max(500),
    start: When,
    end: When.optional(),
    durationMinutes: minutes,
    allDay: z.boolean().optional(),
    location: z.string().trim().max(500).optional(),
    description: z.string().max(5000).optional(),
    rrule: Rrule.optional(),
    reminders: taskFields.reminders,
    requestId: RequestIdInput,
  }),
  output: eventOutput,
  run: (call, { requestId: _, ...input }) =>
    write(call, { tool: "create_event", effect: "creates", input }, (result) =>
      writtenEvent(call, result, { isNew: true }),
    ),
});

const moveEvent = agentTool({
  name: "move_event",
  title: "Move an event",
  description: "Move an event. A date alone keeps the time of day; the duration stays unless given.",
  effect: "changes",
  isDestructive: true,
  scopes: ["calendar:write"],
  input: z.strictObject({
    ...which,
    start: When,
    end: When.optional(),
    durationMinutes: minutes,
    version: VersionInput,
    requestId: RequestIdInput,
  }),
  output: eventOutput,
  run: (call, { requestId: _, version, ...input }) =>
    write(call, { tool: "move_event", effect: "changes", input, version }, (result) => writtenEvent(call, result)),
});

const cancelEvent = agentTool({
  name: "cancel_event",
  title: "Cancel an event",
  description: "Cancel an event in the calendar. Nobody is told.",
  effect: "changes",
  isDestructive: true,
  scopes: ["calendar:write"],
  input: z.strictObject({
    ...which,
    reason: z.string().trim().max(500).optional(),
    version: VersionInput,
    requestId: RequestIdInput,
  }),
  output: eventOutput,
  run: (call, { requestId: _, version, ...input }) =>
    write(call, { tool: "cancel_event", effect: "changes", input, version }, (result) => writtenEvent(call, result)),
});

const ChangedMail = z.object({
  id: Id,
  url: z.string(),
  isRead: z.boolean(),
  isStarred: z.boolean(),
  status: z.enum(EMAIL_STATUSES),
  tags: z.array(z.string()),
  snoozedUntil: z.string().nullable(),
  version: z.int(),
});
readBy("emails:read", ChangedMail);

const updateMail = agentTool({
  name: "update_mail",
  title: "Sort an email",
  description:
    "Mark an email read, star, archive, tag or snooze it; spam; replyNeeded false: no answer needed. tags replace all tags; snoozedUntil null ends a snooze.",
  effect: "changes",
  isDestructive: true,
  scopes: ["emails:write"],
  input: z.strictObject({
    id: Id,
    isRead: z.boolean().optional(),
    isStarred: z.boolean().optional(),
    status: z.enum(["inbox", "archived", "spam"]).optional(),
    replyNeeded: z.boolean().optional(),
    tags: z.array(z.string().trim().min(1).max(50)).max(20).optional(),
    snoozedUntil: When.nullable().optional(),
    snoozeText: z.string().trim().min(1).max(200).optional().describe("In words: tomorrow morning"),
    version: VersionInput,
    requestId: RequestIdInput,
  }),
  output: z.object({ ...outcome, mail: ChangedMail.optional() }),
  async run(call, { requestId: _, version, snoozedUntil, snoozeText, ...changes }) {
    const { ctx, timeZone } = call;
    const until = snoozedUntil && snoozedUntil.length > 10 ? instantOf(snoozedUntil, timeZone) : snoozedUntil;
    const { status } = changes;
    const { snoozedUntil: snooze } = snoozeChanges(ctx, { snoozedUntil: until, snoozeText, timeZone, status });
    const input = { ...changes, ...(snooze !== undefined && { snoozedUntil: snooze?.toISOString() ?? null }) };
    return write(call, { tool: "update_mail", effect: "changes", input, version }, async (mail) => ({
      mail: { ...assertType<Omit<z.infer<typeof ChangedMail>, "url">>(mail), url: mailUrl(call, changes.id) },
    }));
  },
});

const proposeReply = agentTool({
  name: "propose_reply",
  title: "Draft a reply",
  description: "Save a reply to an email as a draft. Nothing is sent: the person reads, changes and sends it.",
  effect: "drafts",
  scopes: ["emails:read", "emails:write"],
  input: z.strictObject({
    emailId: Id,
    body: z.string().min(1).max(20_000),
    replyAll: z.boolean().default(false),
    requestId: RequestIdInput,
  }),
  output: z.object({ status: z.literal("drafted"), draftId: Id, url: z.string() }),
  async run({ ctx }, { emailId, body, replyAll }) {
    const draft = createDraft(ctx, NewDraft.parse({ inReplyTo: emailId, body, replyAll }));
    // The member has another name here.
    const { id } = await draft.catch((error) => {
      const isUnknown = error instanceof AppError && error.extras.errors?.some(({ path }) => path === "inReplyTo");
      throw isUnknown ? new AppError("not_found", `There is no email ${emailId}.`) : error;
    });
    return { status: "drafted" as const, draftId: id, url: `${ctx.baseUrl}/app/mail/drafts/${id}` };
  },
});

export const WRITING_TOOLS = [createTask, updateTask, createEvent, moveEvent, cancelEvent, updateMail, proposeReply];
