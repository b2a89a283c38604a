import { env } from "cloudflare:workers";
import { ics } from "../calendar/inviting.ts";
import { invited } from "../calendar/responding.ts";
import { deliver } from "../emails/deliver.ts";
import { service } from "../harness.ts";
import { newCaption, newSession } from "../stream/social.ts";
import { WORDS } from "./planted.ts";

/* A request that succeeds for each operation, with the records that it needs. */

export interface Call {
  path: string;
  body?: unknown;
  /** Sent as it is, instead of a JSON body. */
  file?: string;
  /** The media type of the file. */
  type?: string;
}

/** Whom the request is prepared for. */
export interface Caller {
  userId: number;
  /** Of the key that will send it; null for a session. */
  keyId: number | null;
  /** Of the same person, with every right. */
  token: string;
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
/** As a program or an import stores it: it is not in the calendar. */
const invitingEmail = async () => {
  made += 1;
  const people = "ORGANIZER:mailto:ann@example.com\nATTENDEE:mailto:hello@example.com";
  const event = `DTSTART:${2032 + (made % 60)}0105T100000Z\nSUMMARY:Review\n${people}`;
  return (await create("/api/emails", { ...newEmail(), body: ics("REQUEST", `call-${made}`, 0, event) })).id;
};
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
const uploadedId = async () => {
  const type = "application/octet-stream";
  const path = "/api/emails/attachments?name=a.png&contentId=a";
  const { status, body } = await maker.call("POST", path, { raw: "x", headers: { "content-type": type } });
  if (status !== 201) throw new Error(`${path} answered ${status}`);
  return body.id;
};
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
const newSearch = () => ({ name: "Invoices", q: "invoice has:pdf" });
const searchId = async () => (await create("/api/emails/searches", newSearch())).id;
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
const newSnippet = () => {
  made += 1;
  return { name: `snippet-${made}`, text: "Hello {first name}" };
};
const snippetId = async () => (await create("/api/emails/snippets", newSnippet())).id;
const newContact = () => {
  made += 1;
  return { name: `Contact ${made}`, addresses: [`contact-${made}@example.com`] };
};
const contactId = async () => (await create("/api/contacts", newContact())).id;
/** One that no person wrote: programs may change it. */
const outsideContactId = async () => {
  const id = await contactId();
  await env.DB.prepare("UPDATE contacts SET outside = 1 WHERE id = ?").bind(id).run();
  return id;
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
const reminderId = async ({ token }: Caller) => {
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
const deletedEventId = async () => {
  const id = await eventId();
  await maker.delete(`/api/calendar/events/${id}`);
  return id;
};
const bookingId = async () => {
  const id = await eventId();
  await env.DB.prepare("UPDATE events SET booking_id = ? WHERE id = ?").bind(`booking-${id}`, id).run();
  return `booking-${id}`;
};
const milestoneId = async () => (await create("/api/stream/milestones", newMilestone())).id;
const credential = async () => {
  await maker.post("/api/stream/credentials", {
    platform: "discord",
    webhookUrl: "https://discord.com/api/webhooks/1/a",
  });
  return "/api/stream/credentials/discord";
};

/** A conversation with a proposal in it, about a task and with its words. */
const proposalId = async ({ userId, keyId }: Caller) => {
  const proposal = crypto.randomUUID();
  const word = WORDS["tasks:read"];
  const task = await taskId();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO chat_conversations (id, user_id, api_key_id, title, created_at, updated_at)
       VALUES (?1, ?2, ?3, 'Proposals', ?4, ?4)`,
    ).bind(proposal, userId, keyId, Date.now()),
    env.DB.prepare(
      `INSERT INTO chat_messages (conversation_id, role, text, outside, actions, created_at)
       VALUES (?1, 'assistant', ?2, 0, json_array(json_object('id', NULL, 'tool', 'update_task', 'input', json_object('title', ?2), 'result', json_object('title', ?2))), ?3)`,
    ).bind(proposal, word, Date.now()),
    env.DB.prepare(
      `INSERT INTO chat_proposals (id, conversation_id, tool, input, summary, reason, time_zone, status, result, created_at, expires_at)
       VALUES (?1, ?1, 'update_task', json_object('id', ?4, 'priority', 'high'), ?2, 'Why', 'UTC', 'open', json_object('title', ?2), ?3, ?3 + 60000)`,
    ).bind(proposal, word, Date.now(), task),
  ]);
  return proposal;
};
const MBOX = {
  path: "/api/emails/import",
  file: "From a@example.org Tue Mar  3 10:00:00 2020\nMessage-ID: <a@x>\nFrom: a@example.org\n\nHello\n\n",
  type: "application/mbox",
};
const ICS = {
  path: "/api/calendar/import",
  file: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nEND:VCALENDAR",
  type: "text/calendar",
};
const importId = async ({ path, file, type }: typeof MBOX) =>
  (await maker.post(path, undefined, { raw: file, headers: { "content-type": type } })).body.id;

type MakeCall = (caller: Caller) => Promise<Call> | Call;

const of =
  (makeId: (caller: Caller) => Promise<number | string>, start: string, end = "", body?: unknown): MakeCall =>
  async (caller) => ({ path: `${start}/${await makeId(caller)}${end}`, body });

/** Of an operation that is not named here, it is the path, with the body's example. */
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
  createContact: () => ({ path: "/api/contacts", body: newContact() }),
  getContact: of(contactId, "/api/contacts"),
  getContactRelated: of(contactId, "/api/contacts", "/related"),
  updateContact: of(outsideContactId, "/api/contacts", "", { company: "Firm" }),
  deleteContact: of(outsideContactId, "/api/contacts"),
  restoreContact: async () => {
    const { undo } = (await maker.delete(`/api/contacts/${await contactId()}`)).body;
    return { path: "/api/contacts/restore", body: { undo } };
  },
  importContacts: () => ({
    path: "/api/contacts/import",
    file: "BEGIN:VCARD\r\nFN:Ann\r\nEND:VCARD\r\n",
    type: "text/vcard",
  }),
  // From a person who has written before: a new one is added to the contacts.
  createEmail: async () => {
    await emailId();
    return { path: "/api/emails", body: newEmail() };
  },
  getEmail: of(emailId, "/api/emails"),
  updateEmail: of(emailId, "/api/emails", "", { isRead: true }),
  updateEmails: async () => ({ path: "/api/emails", body: { ids: [await emailId()], isRead: true } }),
  countEmails: async () => ({ path: `/api/emails/count?threadId=${await emailId()}` }),
  updateMatchingEmails: async () => {
    const id = await emailId();
    return { path: `/api/emails/update-matching?threadId=${id}`, body: { newestId: id, addTags: ["seen"] } };
  },
  undoEmailUpdate: async () => {
    const id = await emailId();
    const { body } = await maker.post(`/api/emails/update-matching?threadId=${id}`, { newestId: id, isRead: true });
    return { path: "/api/emails/undo", body: { id: body.undo.id } };
  },
  deleteEmail: of(emailId, "/api/emails"),
  getEmailThread: of(emailId, "/api/emails", "/thread"),
  listEmailAttachments: of(emailWithFileId, "/api/emails", "/attachments"),
  getEmailAttachment: of(emailWithFileId, "/api/emails", "/attachments/1"),
  previewEmailAttachment: of(emailWithFileId, "/api/emails", "/attachments/1/preview"),
  getRawEmail: of(emailWithFileId, "/api/emails", "/raw"),
  getEmailFrame: of(emailWithFileId, "/api/emails", "/frame"),
  getEmailAnalysis: of(emailId, "/api/emails", "/ai-analysis"),
  repeatEmailAnalysis: of(emailId, "/api/emails", "/ai-analysis"),
  createEmailTasks: of(emailId, "/api/emails", "/tasks"),
  replyToEmail: of(emailId, "/api/emails", "/reply", { body: "Thank you." }),
  sendEmail: async () => {
    await scheduledId();
    return { path: "/api/emails/send", body: letter };
  },
  uploadAttachment: () => ({ path: "/api/emails/attachments?name=a.txt", file: "text" }),
  getUploadedAttachment: of(uploadedId, "/api/emails/attachments"),
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
  createSnippet: () => ({ path: "/api/emails/snippets", body: newSnippet() }),
  updateSnippet: of(snippetId, "/api/emails/snippets", "", { text: "Dear {first name}" }),
  deleteSnippet: of(snippetId, "/api/emails/snippets"),
  createSavedSearch: () => ({ path: "/api/emails/searches", body: newSearch() }),
  updateSavedSearch: of(searchId, "/api/emails/searches", "", { name: "Bills" }),
  deleteSavedSearch: of(searchId, "/api/emails/searches"),
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
  restoreEvent: of(deletedEventId, "/api/calendar/events", "/restore"),
  updateEventByBooking: of(bookingId, "/api/calendar/events/by-bookingsvc", "", { title: "Short review" }),
  getFreeBusy: () => ({ path: "/api/calendar/freebusy?start=2031-01-01&end=2031-01-31" }),
  // Of a text that the request brings, no stored record is read: scopes.test.ts has that of a stored email.
  createEventFromEmail: async ({ keyId }) => ({
    path: "/api/calendar/events/from-email",
    body: keyId === null ? { emailId: await emailId() } : { content: "See you on Monday at 10:00." },
  }),
  // A key that may only use the assistant has nothing to undo: see NO_SUCCESS in walk.test.ts.
  undoChatAction: async ({ token, keyId }) => {
    if (keyId !== null) return { path: "/api/ai/chat/actions/none/undo" };
    const { body } = await member.post("/api/ai/chat", { message: "add a task to buy milk" }, { token });
    return { path: `/api/ai/chat/actions/${body.actions[0].id}/undo` };
  },
  readConversation: of(proposalId, "/api/ai/chat/conversations"),
  deleteConversation: of(proposalId, "/api/ai/chat/conversations"),
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
  importEmails: () => MBOX,
  getEmailImport: of(() => importId(MBOX), MBOX.path),
  deleteEmailImport: of(() => importId(MBOX), MBOX.path),
  importCalendar: () => ICS,
  getCalendarImport: of(() => importId(ICS), ICS.path),
  deleteCalendarImport: of(() => importId(ICS), ICS.path),
  testStreamCredential: () => ({ path: "/api/stream/credentials/discord/test" }),
  dispatchCaptions: async () => ({
    path: "/api/stream/captions/dispatch",
    body: { captionIds: [await newCaption("x", "approved")] },
  }),
  getEmailInvitation: of(invitingEmail, "/api/emails", "/invitation"),
  answerEmailInvitation: of(invitingEmail, "/api/emails", "/invitation", { response: "accepted", notify: false }),
  respondToInvitation: of(async () => (await invited()).id ?? 0, "/api/calendar/events", "/respond", {
    response: "accepted",
  }),
  applyProposal: of(proposalId, "/api/ai/chat/proposals"),
  dismissProposal: of(proposalId, "/api/ai/chat/proposals"),
  listProposals: async (caller) => {
    await proposalId(caller);
    return { path: "/api/ai/chat/proposals" };
  },
};
