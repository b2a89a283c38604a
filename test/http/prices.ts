import { env } from "cloudflare:workers";
import { deliver } from "../emails/deliver.ts";
import { service } from "../harness.ts";
import { newCaption, newSession } from "../stream/social.ts";

/*
 * What each data endpoint may cost the database in private mode, with a session or an API key:
 *
 *   trips    round trips of a request
 *   first    round trips of the first request that an isolate gets with this credential: it knows neither the account
 *            behind it nor whether there are webhooks to deliver to
 *   written  rows written, which D1 bills at a thousand times the price of rows read
 *
 * The guard in prices.test.ts fails when a request costs more. When it costs less, lower the figure: the test prints
 * the lines that are too high. Raise one only for a reason, which belongs in docs/performance.md.
 */
export interface Limit {
  trips: number;
  first: number;
  written: number;
}

export const LIMITS: Record<string, Limit> = {
  listEmails: { trips: 1, first: 1, written: 0 },
  createEmail: { trips: 1, first: 2, written: 14 },
  updateEmails: { trips: 1, first: 1, written: 6 },
  countEmailBoxes: { trips: 1, first: 1, written: 0 },
  listEmailThreads: { trips: 1, first: 1, written: 0 },
  listEmailTags: { trips: 1, first: 1, written: 0 },
  getEmail: { trips: 1, first: 1, written: 0 },
  updateEmail: { trips: 1, first: 1, written: 6 },
  deleteEmail: { trips: 1, first: 1, written: 8 },
  getEmailThread: { trips: 1, first: 1, written: 0 },
  listEmailAttachments: { trips: 1, first: 1, written: 0 },
  getEmailAttachment: { trips: 1, first: 1, written: 0 },
  getRawEmail: { trips: 1, first: 1, written: 0 },
  getEmailFrame: { trips: 1, first: 1, written: 0 },
  getEmailAnalysis: { trips: 4, first: 4, written: 17 },
  repeatEmailAnalysis: { trips: 4, first: 4, written: 14 },
  createEmailTasks: { trips: 2, first: 2, written: 11 },
  replyToEmail: { trips: 4, first: 4, written: 26 },
  sendEmail: { trips: 4, first: 4, written: 17 },
  forwardEmail: { trips: 4, first: 4, written: 20 },
  listEmailRules: { trips: 1, first: 1, written: 0 },
  createEmailRule: { trips: 1, first: 2, written: 3 },
  previewEmailRule: { trips: 1, first: 1, written: 0 },
  getEmailRule: { trips: 1, first: 1, written: 0 },
  updateEmailRule: { trips: 1, first: 2, written: 1 },
  deleteEmailRule: { trips: 1, first: 1, written: 2 },
  applyEmailRule: { trips: 1, first: 2, written: 2 },
  listBlockedSenders: { trips: 1, first: 1, written: 0 },
  blockSender: { trips: 1, first: 2, written: 3 },
  unblockSender: { trips: 1, first: 1, written: 2 },
  blockSenderOfEmail: { trips: 2, first: 2, written: 13 },
  unsubscribeFromList: { trips: 3, first: 3, written: 0 },
  uploadAttachment: { trips: 3, first: 3, written: 8 },
  listDrafts: { trips: 1, first: 1, written: 0 },
  createDraft: { trips: 1, first: 1, written: 4 },
  getDraft: { trips: 1, first: 1, written: 0 },
  updateDraft: { trips: 1, first: 1, written: 3 },
  deleteDraft: { trips: 1, first: 1, written: 2 },
  sendDraft: { trips: 5, first: 5, written: 21 },
  cancelSending: { trips: 2, first: 2, written: 11 },
  listTasks: { trips: 1, first: 1, written: 0 },
  createTask: { trips: 1, first: 2, written: 7 },
  quickAddTask: { trips: 2, first: 3, written: 9 },
  planTasks: { trips: 5, first: 6, written: 29 },
  updateTasks: { trips: 1, first: 2, written: 10 },
  deleteTasks: { trips: 1, first: 2, written: 10 },
  undoTaskChange: { trips: 1, first: 2, written: 10 },
  skipTask: { trips: 2, first: 2, written: 10 },
  listTaskLists: { trips: 1, first: 1, written: 0 },
  createTaskList: { trips: 1, first: 1, written: 4 },
  getTaskList: { trips: 1, first: 1, written: 0 },
  updateTaskList: { trips: 1, first: 1, written: 2 },
  deleteTaskList: { trips: 1, first: 1, written: 2 },
  getTask: { trips: 1, first: 1, written: 0 },
  updateTask: { trips: 1, first: 2, written: 7 },
  deleteTask: { trips: 1, first: 1, written: 5 },
  listReminders: { trips: 1, first: 2, written: 0 },
  listUpcomingReminders: { trips: 1, first: 2, written: 0 },
  getReminder: { trips: 1, first: 2, written: 0 },
  snoozeReminder: { trips: 1, first: 2, written: 6 },
  dismissReminder: { trips: 1, first: 2, written: 6 },
  listEvents: { trips: 1, first: 1, written: 0 },
  createEvent: { trips: 1, first: 1, written: 10 },
  updateEventByBooking: { trips: 2, first: 2, written: 8 },
  getEvent: { trips: 1, first: 1, written: 0 },
  updateEvent: { trips: 1, first: 1, written: 8 },
  deleteEvent: { trips: 1, first: 1, written: 5 },
  listUpcomingEvents: { trips: 1, first: 1, written: 0 },
  getFreeBusy: { trips: 1, first: 2, written: 0 },
  findFreeSlots: { trips: 2, first: 3, written: 0 },
  getCalendarStatistics: { trips: 1, first: 2, written: 0 },
  detectMeetings: { trips: 2, first: 2, written: 8 },
  createEventFromEmail: { trips: 4, first: 4, written: 11 },
  listSyncRuns: { trips: 1, first: 1, written: 0 },
  emailIntelligence: { trips: 2, first: 2, written: 8 },
  generateText: { trips: 2, first: 2, written: 8 },
  chat: { trips: 4, first: 4, written: 28 },
  undoChatAction: { trips: 3, first: 4, written: 10 },
  listEmailImports: { trips: 1, first: 2, written: 0 },
  listCalendarImports: { trips: 1, first: 2, written: 0 },
  listConversations: { trips: 1, first: 2, written: 0 },
  listProposals: { trips: 1, first: 2, written: 0 },
  readConversation: { trips: 1, first: 2, written: 0 },
  deleteConversation: { trips: 1, first: 2, written: 3 },
  listModels: { trips: 1, first: 1, written: 0 },
  getActiveModel: { trips: 1, first: 1, written: 0 },
  setActiveModel: { trips: 1, first: 1, written: 1 },
  // The example suggests a time, so the calendar is read too.
  writeEmailResponse: { trips: 3, first: 3, written: 9 },
  digitalAudit: { trips: 2, first: 2, written: 8 },
  getModelInfo: { trips: 1, first: 1, written: 0 },
  getStreamStatus: { trips: 1, first: 1, written: 0 },
  reportStreamStatus: { trips: 1, first: 4, written: 30 },
  listStreamSessions: { trips: 1, first: 1, written: 0 },
  getStreamSession: { trips: 1, first: 1, written: 0 },
  getStreamStats: { trips: 1, first: 1, written: 0 },
  listStreamEvents: { trips: 2, first: 2, written: 0 },
  generateCaptions: { trips: 5, first: 5, written: 25 },
  listCaptions: { trips: 1, first: 1, written: 0 },
  listPendingCaptions: { trips: 1, first: 1, written: 0 },
  decidePendingCaptions: { trips: 1, first: 1, written: 0 },
  decideCaption: { trips: 2, first: 2, written: 6 },
  getCaption: { trips: 1, first: 1, written: 0 },
  editCaption: { trips: 2, first: 2, written: 2 },
  listStreamCredentials: { trips: 1, first: 1, written: 0 },
  saveStreamCredential: { trips: 4, first: 4, written: 2 },
  changeStreamCredential: { trips: 4, first: 4, written: 1 },
  deleteStreamCredential: { trips: 1, first: 1, written: 1 },
  listStreamVoices: { trips: 1, first: 1, written: 0 },
  changeStreamVoice: { trips: 1, first: 1, written: 1 },
  listMilestones: { trips: 1, first: 1, written: 0 },
  createMilestone: { trips: 1, first: 1, written: 5 },
  checkMilestones: { trips: 2, first: 2, written: 0 },
  getMilestone: { trips: 1, first: 1, written: 0 },
  updateMilestone: { trips: 1, first: 1, written: 2 },
  deleteMilestone: { trips: 1, first: 1, written: 2 },
  getMilestoneCard: { trips: 1, first: 1, written: 0 },
  followChanges: { trips: 2, first: 2, written: 0 },
  getStats: { trips: 1, first: 2, written: 0 },
  getHealthDetails: { trips: 2, first: 2, written: 0 },
};

/** Endpoints that have a price although they are no data endpoints: programs call them often. */
export const ALSO_PRICED: readonly string[] = ["getHealthDetails"];

/** Endpoints that have no price here, and why. */
export const UNPRICED: Record<string, readonly string[]> = {
  "needs a file as its body, or a job with a random id": [
    "importEmails",
    "getEmailImport",
    "deleteEmailImport",
    "importCalendar",
    "getCalendarImport",
    "deleteCalendarImport",
  ],
  "calls a provider": [
    "syncBookings",
    "listEventTypes",
    "testStreamCredential",
    "dispatchCaptions",
    "respondToInvitation",
  ],
  "needs what only a language model makes": ["applyProposal", "dismissProposal"],
};

export interface Call {
  path: string;
  body?: unknown;
  /** Sent as it is, instead of a JSON body. */
  file?: string;
}

const maker = service();
const member = service({ ACCESS_MODE: "private" });
const DAY = 24 * 60 * 60 * 1000;
let made = 0;

async function create(path: string, body: object): Promise<{ id: number }> {
  const answer = await maker.post(path, body);
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

const newEmail = () => ({
  from: { name: "Ann Lee", email: "ann@example.com" },
  to: "hello@example.com",
  subject: "Figures",
  body: "Could you please send the figures by Friday? See you on Monday at 10:00.",
});
const newEvent = () => {
  made += 1;
  const start = new Date(Date.UTC(2031, 0, 1) + made * DAY).toISOString();
  return { title: "Review", start, durationMinutes: 30, timeZone: "UTC" };
};
const newTask = () => ({ title: "Call the bank" });
const newMilestone = () => {
  made += 1;
  return { metric: "subscribers", threshold: 1_000_000 + made };
};

const newList = () => {
  made += 1;
  return { name: `List ${made}` };
};
const listId = async () => (await create("/api/tasks/lists", newList())).id;
const taskId = async () => (await create("/api/tasks", newTask())).id;
const letter = { to: "bob@example.com", subject: "Hi", body: "Hello." };
const draftId = async () => (await create("/api/emails/drafts", letter)).id;
const scheduledId = async () => (await create("/api/emails/send", { ...letter, sendAt: tomorrow() })).id;
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
const emailId = async () => (await create("/api/emails", newEmail())).id;
const emailWithFileId = async () => {
  made += 1;
  const head = `From: ann@example.com\nSubject: File ${made}\nMessage-ID: <file-${made}@example.com>`;
  const parts =
    "--b\n\nHello\n--b\nContent-Type: text/plain; name=a.txt\nContent-Disposition: attachment\n\nabc\n--b--";
  await deliver(`${head}\nContent-Type: multipart/mixed; boundary=b\n\n${parts}\n`);
  const row = await env.DB.prepare("SELECT max(id) AS id FROM emails").first<{ id: number }>();
  return row?.id ?? 0;
};
const newRule = () => ({
  name: "Newsletters",
  conditions: [{ field: "from", op: "is", value: "nobody@example.com" }],
  actions: { archive: true },
});
const ruleId = async () => (await create("/api/emails/rules", newRule())).id;
const newBlocked = () => {
  made += 1;
  return { sender: `spam-${made}@example.com` };
};
/** An email of a mailing list that was left already: nothing is sent. */
const leftListEmailId = async () => {
  const id = await emailId();
  const list = { id: `list-${id}.example.com`, url: null, mailto: null, oneClick: false, isSigned: false };
  await env.DB.batch([
    env.DB.prepare("UPDATE emails SET list = ?, from_email = 'a@example.com', authentication = ? WHERE id = ?").bind(
      JSON.stringify(list),
      JSON.stringify({ spf: "none", dkim: "pass", dmarc: "pass" }),
      id,
    ),
    env.DB.prepare("INSERT INTO left_lists (list, method, trash_later, left_at) VALUES (?, 'mailto', 0, 0)").bind(
      `${list.id} example.com`,
    ),
  ]);
  return id;
};
/** A reminder that has fired, of whoever has this credential. */
const reminderId = async (token: string) => {
  made += 1;
  await env.DB.prepare(
    `INSERT INTO reminders (user_id, kind, record_id, at, channel, state, fired_at, late)
     SELECT id, 'task', ?1, 0, 'default', 'fired', 0, 0 FROM users`,
  )
    .bind(made)
    .run();
  return (await member.get("/api/reminders?limit=1", { token })).body.data[0].id;
};
const eventId = async () => (await create("/api/calendar/events", newEvent())).id;
const bookingId = async () => {
  const id = await eventId();
  await env.DB.prepare("UPDATE events SET booking_id = ? WHERE id = ?").bind(`booking-${id}`, id).run();
  return `booking-${id}`;
};
const milestoneId = async () => (await create("/api/stream/milestones", newMilestone())).id;
const conversationId = async (token: string) =>
  (await member.post("/api/ai/chat", { message: "give me a task summary" }, { token })).body.conversationId;
const credential = async () => {
  await maker.post("/api/stream/credentials", {
    platform: "discord",
    webhookUrl: "https://discord.com/api/webhooks/1/a",
  });
  return "/api/stream/credentials/discord";
};

type MakeCall = (token: string) => Promise<Call> | Call;

const of =
  (makeId: (token: string) => Promise<number | string>, start: string, end = "", body?: unknown): MakeCall =>
  async (token) => ({ path: `${start}/${await makeId(token)}${end}`, body });

/** A request that each endpoint answers with success. Of those not named here it is the path, with the body's example. */
export const CALLS: Record<string, MakeCall> = {
  createTask: () => ({ path: "/api/tasks", body: newTask() }),
  getTask: of(taskId, "/api/tasks"),
  updateTask: of(taskId, "/api/tasks", "", { status: "done" }),
  deleteTask: of(taskId, "/api/tasks"),
  updateTasks: async () => ({ path: "/api/tasks", body: { ids: [await taskId()], priority: "high" } }),
  deleteTasks: async () => ({ path: "/api/tasks/delete", body: { ids: [await taskId()] } }),
  undoTaskChange: async () => {
    const { body } = await maker.patch("/api/tasks", { ids: [await taskId()], priority: "high" });
    return { path: "/api/tasks/undo", body: { id: body.undo.id } };
  },
  skipTask: of(
    async () => (await create("/api/tasks", { ...newTask(), rrule: "FREQ=DAILY" })).id,
    "/api/tasks",
    "/skip",
  ),
  createTaskList: () => ({ path: "/api/tasks/lists", body: newList() }),
  getTaskList: of(listId, "/api/tasks/lists"),
  updateTaskList: of(listId, "/api/tasks/lists", "", { color: "teal" }),
  deleteTaskList: of(listId, "/api/tasks/lists"),
  createEmail: () => ({ path: "/api/emails", body: newEmail() }),
  getEmail: of(emailId, "/api/emails"),
  updateEmail: of(emailId, "/api/emails", "", { isRead: true }),
  updateEmails: async () => ({ path: "/api/emails", body: { ids: [await emailId()], isRead: true } }),
  deleteEmail: of(emailId, "/api/emails"),
  getEmailThread: of(emailId, "/api/emails", "/thread"),
  listEmailAttachments: of(emailWithFileId, "/api/emails", "/attachments"),
  getEmailAttachment: of(emailWithFileId, "/api/emails", "/attachments/1"),
  getRawEmail: of(emailWithFileId, "/api/emails", "/raw"),
  getEmailFrame: of(emailWithFileId, "/api/emails", "/frame"),
  getEmailAnalysis: of(emailId, "/api/emails", "/ai-analysis"),
  repeatEmailAnalysis: of(emailId, "/api/emails", "/ai-analysis"),
  createEmailTasks: of(emailId, "/api/emails", "/tasks"),
  replyToEmail: of(emailId, "/api/emails", "/reply", { body: "Thank you." }),
  sendEmail: () => ({ path: "/api/emails/send", body: letter }),
  uploadAttachment: () => ({ path: "/api/emails/attachments?name=a.txt", file: "text" }),
  createDraft: () => ({ path: "/api/emails/drafts", body: { subject: "Hi" } }),
  getDraft: of(draftId, "/api/emails/drafts"),
  updateDraft: of(draftId, "/api/emails/drafts", "", { body: "Hello." }),
  deleteDraft: of(draftId, "/api/emails/drafts"),
  sendDraft: of(draftId, "/api/emails/drafts", "/send"),
  cancelSending: of(scheduledId, "/api/emails", "/cancel-send"),
  forwardEmail: of(emailId, "/api/emails", "/forward", { to: "bob@example.com" }),
  createEmailRule: () => ({ path: "/api/emails/rules", body: newRule() }),
  getEmailRule: of(ruleId, "/api/emails/rules"),
  updateEmailRule: of(ruleId, "/api/emails/rules", "", { enabled: false }),
  deleteEmailRule: of(ruleId, "/api/emails/rules"),
  applyEmailRule: of(ruleId, "/api/emails/rules", "/apply"),
  blockSender: () => ({ path: "/api/emails/blocked-senders", body: newBlocked() }),
  unblockSender: of(
    async () => (await create("/api/emails/blocked-senders", newBlocked())).id,
    "/api/emails/blocked-senders",
  ),
  blockSenderOfEmail: of(emailId, "/api/emails", "/block-sender", {}),
  unsubscribeFromList: of(leftListEmailId, "/api/emails", "/unsubscribe", {}),
  getReminder: of(reminderId, "/api/reminders"),
  snoozeReminder: of(reminderId, "/api/reminders", "/snooze", { minutes: 10 }),
  dismissReminder: of(reminderId, "/api/reminders", "/dismiss"),
  createEvent: () => ({ path: "/api/calendar/events", body: newEvent() }),
  getEvent: of(eventId, "/api/calendar/events"),
  updateEvent: of(eventId, "/api/calendar/events", "", { title: "Short review" }),
  deleteEvent: of(eventId, "/api/calendar/events"),
  updateEventByBooking: of(bookingId, "/api/calendar/events/by-bookingsvc", "", { title: "Short review" }),
  getFreeBusy: () => ({ path: "/api/calendar/freebusy?start=2031-01-01&end=2031-01-31" }),
  createEventFromEmail: async () => ({ path: "/api/calendar/events/from-email", body: { emailId: await emailId() } }),
  undoChatAction: async (token) => {
    const { body } = await member.post("/api/ai/chat", { message: "add a task to buy milk" }, { token });
    return { path: `/api/ai/chat/actions/${body.actions[0].id}/undo` };
  },
  readConversation: of(conversationId, "/api/ai/chat/conversations"),
  deleteConversation: of(conversationId, "/api/ai/chat/conversations"),
  createMilestone: () => ({ path: "/api/stream/milestones", body: newMilestone() }),
  getMilestone: of(milestoneId, "/api/stream/milestones"),
  updateMilestone: of(milestoneId, "/api/stream/milestones", "", { label: "Many" }),
  deleteMilestone: of(milestoneId, "/api/stream/milestones"),
  getMilestoneCard: of(milestoneId, "/api/stream/milestones", "/card.svg"),
  getStreamSession: of(() => newSession(), "/api/stream/sessions"),
  getCaption: of(() => newCaption("x"), "/api/stream/captions"),
  editCaption: of(() => newCaption("x"), "/api/stream/captions", "", { text: "We are live." }),
  decideCaption: async () => ({
    path: "/api/stream/captions/approve",
    body: { captionId: await newCaption("x"), action: "approve" },
  }),
  changeStreamCredential: async () => ({
    path: await credential(),
    body: { webhookUrl: "https://discord.com/api/webhooks/1/b" },
  }),
  deleteStreamCredential: async () => ({ path: await credential() }),
  changeStreamVoice: () => ({ path: "/api/stream/voice/x", body: { tone: "friendly" } }),
  findFreeSlots: () => ({ path: "/api/calendar/slots?durationMinutes=60" }),
};
