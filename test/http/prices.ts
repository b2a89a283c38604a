import { expect } from "vitest";
import type { Price } from "../measured.ts";

/*
 * What each data endpoint may cost the database in private mode:
 *
 *   trips    round trips of a request, with a session that the isolate knows
 *   first    round trips of the first request that an isolate gets with an API key: it does not know whose it is
 *   read     rows read, in a service that has more of everything than a page shows
 *   written  rows written, which D1 bills at a thousand times the price of rows read
 *
 * calls.test.ts fails when a request costs more, and prints the line. When it costs less, lower the figure. Raise one
 * only for a reason, which belongs in docs/performance.md.
 */

/**
 * What a write reads, with its triggers, depends on what earlier files of the same run have left in the indexes: up to
 * twenty rows were seen. A request that walks a table reads more than a hundred. What only reads is held to the row.
 */
const TRIGGERS_READ = 40;

/** The answer of `measurePrice` for a request of an isolate that knows the credential, and for the first with it. */
export function expectPrice(
  name: string,
  { roundTrips, rowsRead, rowsWritten }: Price,
  first?: Price,
  isRead = false,
): void {
  const cost: Limit = {
    trips: roundTrips,
    first: first?.roundTrips ?? 0,
    read: rowsRead,
    written: Math.max(rowsWritten, first?.rowsWritten ?? 0),
  };
  const limit = LIMITS[name] ?? { trips: 0, first: 0, read: 0, written: 0 };
  const allowed = { ...limit, read: limit.read + (isRead ? 0 : TRIGGERS_READ) };
  const exceeded = Object.entries(cost).filter(([figure, value]) => value > allowed[figure as keyof Limit]);
  const line = `{ trips: ${cost.trips}, first: ${cost.first}, read: ${cost.read}, written: ${cost.written} }`;
  expect(exceeded, `LIMITS of test/http/prices.ts allows less than\n  ${name}: ${line},\n`).toEqual([]);
}

export interface Limit {
  trips: number;
  first: number;
  read: number;
  written: number;
}

export const LIMITS: Record<string, Limit> = {
  // The email, what the calendar has of its invitation, and what is at the same time.
  getEmailInvitation: { trips: 3, first: 1, read: 20, written: 0 },
  answerEmailInvitation: { trips: 7, first: 0, read: 110, written: 19 },
  listContacts: { trips: 1, first: 1, read: 105, written: 0 },
  createContact: { trips: 2, first: 2, read: 20, written: 5 },
  exportContacts: { trips: 1, first: 1, read: 105, written: 0 },
  importContacts: { trips: 2, first: 3, read: 8, written: 4 },
  getContactRelated: { trips: 1, first: 1, read: 315, written: 0 },
  getContact: { trips: 1, first: 1, read: 3, written: 0 },
  updateContact: { trips: 2, first: 2, read: 24, written: 3 },
  restoreContact: { trips: 2, first: 2, read: 30, written: 8 },
  deleteContact: { trips: 1, first: 2, read: 10, written: 3 },
  listEmails: { trips: 1, first: 1, read: 105, written: 0 },
  // The sender is known, and by another name.
  createEmail: { trips: 1, first: 2, read: 45, written: 19 },
  updateEmails: { trips: 1, first: 1, read: 24, written: 7 },
  countEmails: { trips: 1, first: 1, read: 10, written: 0 },
  updateMatchingEmails: { trips: 2, first: 3, read: 521, written: 15 },
  undoEmailUpdate: { trips: 2, first: 2, read: 60, written: 12 },
  countEmailBoxes: { trips: 1, first: 1, read: 6, written: 0 },
  listEmailThreads: { trips: 1, first: 1, read: 107, written: 0 },
  listEmailTags: { trips: 1, first: 1, read: 3, written: 0 },
  getEmail: { trips: 1, first: 1, read: 3, written: 0 },
  updateEmail: { trips: 1, first: 1, read: 21, written: 7 },
  deleteEmail: { trips: 1, first: 1, read: 25, written: 10 },
  getEmailThread: { trips: 1, first: 1, read: 4, written: 0 },
  listEmailAttachments: { trips: 1, first: 1, read: 3, written: 0 },
  getEmailAttachment: { trips: 1, first: 1, read: 3, written: 0 },
  getRawEmail: { trips: 1, first: 1, read: 3, written: 0 },
  previewEmailAttachment: { trips: 1, first: 1, read: 3, written: 0 },
  getEmailFrame: { trips: 1, first: 1, read: 3, written: 0 },
  getEmailAnalysis: { trips: 4, first: 4, read: 32, written: 14 },
  repeatEmailAnalysis: { trips: 4, first: 4, read: 32, written: 14 },
  createEmailTasks: { trips: 2, first: 2, read: 30, written: 10 },
  replyToEmail: { trips: 4, first: 4, read: 161, written: 28 },
  sendEmail: { trips: 4, first: 4, read: 90, written: 20 },
  forwardEmail: { trips: 4, first: 4, read: 92, written: 22 },
  listEmailRules: { trips: 1, first: 1, read: 3, written: 0 },
  createEmailRule: { trips: 1, first: 2, read: 20, written: 3 },
  previewEmailRule: { trips: 1, first: 1, read: 444, written: 0 },
  getEmailRule: { trips: 1, first: 1, read: 3, written: 0 },
  updateEmailRule: { trips: 1, first: 2, read: 6, written: 1 },
  deleteEmailRule: { trips: 1, first: 1, read: 4, written: 1 },
  applyEmailRule: { trips: 1, first: 2, read: 6, written: 2 },
  listSnippets: { trips: 1, first: 1, read: 3, written: 0 },
  createSnippet: { trips: 1, first: 2, read: 4, written: 3 },
  updateSnippet: { trips: 1, first: 2, read: 4, written: 2 },
  deleteSnippet: { trips: 1, first: 2, read: 4, written: 2 },
  listAttachedFiles: { trips: 1, first: 1, read: 105, written: 0 },
  listSavedSearches: { trips: 1, first: 1, read: 3, written: 0 },
  createSavedSearch: { trips: 1, first: 2, read: 20, written: 2 },
  updateSavedSearch: { trips: 1, first: 2, read: 6, written: 1 },
  deleteSavedSearch: { trips: 1, first: 1, read: 4, written: 1 },
  listBlockedSenders: { trips: 1, first: 1, read: 3, written: 0 },
  blockSender: { trips: 1, first: 2, read: 22, written: 3 },
  unblockSender: { trips: 1, first: 1, read: 5, written: 1 },
  blockSenderOfEmail: { trips: 2, first: 2, read: 55, written: 18 },
  unsubscribeFromList: { trips: 3, first: 3, read: 4, written: 0 },
  uploadAttachment: { trips: 3, first: 3, read: 14, written: 8 },
  getUploadedAttachment: { trips: 1, first: 1, read: 3, written: 0 },
  listDrafts: { trips: 1, first: 1, read: 3, written: 0 },
  createDraft: { trips: 1, first: 1, read: 38, written: 4 },
  getDraft: { trips: 1, first: 1, read: 4, written: 0 },
  updateDraft: { trips: 1, first: 1, read: 10, written: 3 },
  deleteDraft: { trips: 1, first: 1, read: 7, written: 2 },
  sendDraft: { trips: 5, first: 5, read: 95, written: 27 },
  cancelSending: { trips: 2, first: 2, read: 59, written: 13 },
  listTasks: { trips: 1, first: 1, read: 53, written: 0 },
  createTask: { trips: 1, first: 2, read: 16, written: 7 },
  quickAddTask: { trips: 2, first: 3, read: 26, written: 8 },
  planTasks: { trips: 5, first: 6, read: 336, written: 15 },
  updateTasks: { trips: 1, first: 2, read: 21, written: 7 },
  deleteTasks: { trips: 1, first: 2, read: 33, written: 8 },
  undoTaskChange: { trips: 1, first: 2, read: 38, written: 7 },
  skipTask: { trips: 2, first: 2, read: 24, written: 6 },
  listTaskLists: { trips: 1, first: 1, read: 4, written: 0 },
  createTaskList: { trips: 1, first: 1, read: 25, written: 4 },
  getTaskList: { trips: 1, first: 1, read: 3, written: 0 },
  updateTaskList: { trips: 1, first: 1, read: 7, written: 2 },
  deleteTaskList: { trips: 1, first: 1, read: 15, written: 2 },
  getTask: { trips: 1, first: 1, read: 3, written: 0 },
  updateTask: { trips: 1, first: 2, read: 16, written: 7 },
  deleteTask: { trips: 1, first: 1, read: 12, written: 5 },
  listReminders: { trips: 1, first: 2, read: 2, written: 0 },
  listUpcomingReminders: { trips: 1, first: 2, read: 27, written: 0 },
  getReminder: { trips: 1, first: 2, read: 4, written: 0 },
  snoozeReminder: { trips: 1, first: 2, read: 8, written: 4 },
  dismissReminder: { trips: 1, first: 2, read: 8, written: 3 },
  listEvents: { trips: 1, first: 1, read: 157, written: 0 },
  createEvent: { trips: 1, first: 1, read: 45, written: 9 },
  updateEventByBooking: { trips: 2, first: 2, read: 24, written: 3 },
  getEvent: { trips: 1, first: 1, read: 3, written: 0 },
  updateEvent: { trips: 1, first: 1, read: 27, written: 3 },
  deleteEvent: { trips: 1, first: 1, read: 40, written: 6 },
  restoreEvent: { trips: 2, first: 2, read: 56, written: 10 },
  listUpcomingEvents: { trips: 1, first: 1, read: 8, written: 0 },
  getFreeBusy: { trips: 1, first: 2, read: 12, written: 0 },
  findFreeSlots: { trips: 2, first: 3, read: 11, written: 0 },
  getCalendarStatistics: { trips: 1, first: 2, read: 8, written: 0 },
  // The first call of the engine here, which begins its counters.
  detectMeetings: { trips: 2, first: 2, read: 18, written: 11 },
  createEventFromEmail: { trips: 4, first: 4, read: 65, written: 11 },
  listSyncRuns: { trips: 1, first: 1, read: 53, written: 0 },
  emailIntelligence: { trips: 2, first: 2, read: 18, written: 8 },
  generateText: { trips: 2, first: 2, read: 18, written: 8 },
  chat: { trips: 4, first: 4, read: 49, written: 28 },
  undoChatAction: { trips: 3, first: 4, read: 34, written: 10 },
  listEmailImports: { trips: 1, first: 2, read: 4, written: 0 },
  listCalendarImports: { trips: 1, first: 2, read: 4, written: 0 },
  listConversations: { trips: 1, first: 2, read: 5, written: 0 },
  listProposals: { trips: 1, first: 2, read: 12, written: 0 },
  readConversation: { trips: 1, first: 2, read: 8, written: 0 },
  deleteConversation: { trips: 1, first: 2, read: 24, written: 4 },
  listModels: { trips: 1, first: 1, read: 3, written: 0 },
  getActiveModel: { trips: 1, first: 1, read: 3, written: 0 },
  setActiveModel: { trips: 1, first: 1, read: 5, written: 1 },
  // The example suggests a time, so the calendar is read too.
  writeEmailResponse: { trips: 3, first: 3, read: 24, written: 8 },
  digitalAudit: { trips: 2, first: 2, read: 18, written: 8 },
  getModelInfo: { trips: 1, first: 1, read: 3, written: 0 },
  getStreamStatus: { trips: 1, first: 1, read: 7, written: 0 },
  reportStreamStatus: { trips: 1, first: 4, read: 12, written: 30 },
  listStreamSessions: { trips: 1, first: 1, read: 53, written: 0 },
  getStreamSession: { trips: 1, first: 1, read: 5, written: 0 },
  getStreamStats: { trips: 1, first: 1, read: 164, written: 0 },
  listStreamEvents: { trips: 2, first: 2, read: 53, written: 0 },
  generateCaptions: { trips: 5, first: 5, read: 74, written: 25 },
  listCaptions: { trips: 1, first: 1, read: 53, written: 0 },
  listPendingCaptions: { trips: 1, first: 1, read: 4, written: 0 },
  decidePendingCaptions: { trips: 1, first: 1, read: 18, written: 0 },
  decideCaption: { trips: 2, first: 2, read: 21, written: 6 },
  getCaption: { trips: 1, first: 1, read: 3, written: 0 },
  editCaption: { trips: 2, first: 2, read: 10, written: 2 },
  listStreamCredentials: { trips: 1, first: 1, read: 3, written: 0 },
  saveStreamCredential: { trips: 4, first: 4, read: 14, written: 2 },
  changeStreamCredential: { trips: 4, first: 4, read: 14, written: 1 },
  deleteStreamCredential: { trips: 1, first: 1, read: 5, written: 1 },
  listStreamVoices: { trips: 1, first: 1, read: 7, written: 0 },
  changeStreamVoice: { trips: 1, first: 1, read: 6, written: 1 },
  listMilestones: { trips: 1, first: 1, read: 53, written: 0 },
  createMilestone: { trips: 1, first: 1, read: 12, written: 5 },
  checkMilestones: { trips: 2, first: 2, read: 22, written: 0 },
  getMilestone: { trips: 1, first: 1, read: 5, written: 0 },
  updateMilestone: { trips: 1, first: 1, read: 8, written: 2 },
  deleteMilestone: { trips: 1, first: 1, read: 7, written: 2 },
  getMilestoneCard: { trips: 1, first: 1, read: 6, written: 0 },
  followChanges: { trips: 2, first: 2, read: 3, written: 0 },
  getStats: { trips: 1, first: 2, read: 27, written: 0 },
  // The last row is that of the mailboxes: an empty table is one, too.
  getHealthDetails: { trips: 2, first: 2, read: 30, written: 0 },
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
