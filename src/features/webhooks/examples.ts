import { BUILTIN_ENGINE } from "../../lib/ai-kinds.ts";
import type { FiredAlert } from "../ai-models/tokens/alerts.ts";
import type { toRun } from "../bookingsvc/runs.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import type { EmailSummary } from "../emails/schemas.ts";
import type { Caption } from "../stream/captions/schemas.ts";
import type { Milestone } from "../stream/milestones/schemas.ts";
import type { StreamSession } from "../stream/schemas.ts";
import type { Task } from "../tasks/schemas.ts";

/* What the events carry, to build a receiver by; the types hold these records to what the API really gives. */

const AT = "2026-11-16T09:30:00.000Z";
const LATER = "2026-11-16T11:00:00.000Z";
const FRIDAY = "2026-11-20T17:00:00.000Z";
const REQUEST = "could you send the signed contract by Friday?";

export const EMAIL: EmailSummary = {
  id: 12,
  messageId: "<7f3a@example.com>",
  threadId: 9,
  threadCount: 1,
  inReplyTo: null,
  direction: "inbound",
  source: "inbound",
  from: { name: "Ann Lee", email: "ann@example.com" },
  to: [{ name: "", email: "hello@example.org" }],
  cc: [],
  replyTo: null,
  subject: "Contract for March",
  snippet: `Hi Ada, ${REQUEST}`,
  attachments: [],
  tags: ["hello"],
  status: "inbox",
  isRead: false,
  isStarred: false,
  snoozedUntil: null,
  receivedAt: AT,
  analysis: null,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
};

export const ANALYSED_EMAIL: EmailSummary = {
  ...EMAIL,
  analysis: {
    urgency: { level: "normal", score: 45, reasons: ["asks for something by Friday"] },
    category: "work",
    sentiment: "neutral",
    summary: "Ann asks for the signed contract by Friday.",
    insights: [],
    actionItems: [
      {
        text: "Send the signed contract",
        quote: { text: REQUEST, start: 8, end: 8 + REQUEST.length },
        dueAt: FRIDAY,
        assignee: null,
        confidence: 0.8,
      },
    ],
    meeting: null,
    replyNeeded: true,
    engine: BUILTIN_ENGINE,
  },
  version: 2,
};

export const TASK: Task = {
  id: 31,
  title: "Send the signed contract",
  description: "",
  status: "todo",
  priority: "medium",
  dueAt: FRIDAY,
  tags: ["hello"],
  source: "email",
  emailId: 12,
  eventId: null,
  quote: REQUEST,
  completedAt: null,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
};

export const COMPLETED_TASK: Task = { ...TASK, status: "done", completedAt: LATER, version: 2, updatedAt: LATER };

export const EVENT: CalendarEvent = {
  id: 7,
  title: "Call with Ann",
  description: null,
  start: "2026-11-18T14:00:00.000Z",
  end: "2026-11-18T14:30:00.000Z",
  allDay: false,
  startDate: null,
  endDate: null,
  timeZone: "Europe/Berlin",
  location: null,
  meetingUrl: "https://meet.example.com/ann",
  status: "confirmed",
  busy: true,
  source: "bookingsvc",
  bookingId: "bk_7Yk2",
  organizer: { name: "Ada Lovelace", email: "ada@example.org" },
  attendees: [{ name: "Ann Lee", email: "ann@example.com", response: "accepted" }],
  tags: [],
  notes: null,
  emailId: null,
  icalUid: "bk_7Yk2@example.com",
  sequence: 0,
  rescheduledFromId: null,
  cancelReason: null,
  externalStatus: "accepted",
  externalUpdatedAt: AT,
  rrule: null,
  exdates: [],
  recurringEventId: null,
  originalStart: null,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
};

export const CANCELLED_EVENT: CalendarEvent = {
  ...EVENT,
  status: "cancelled",
  cancelReason: "Ann is ill.",
  sequence: 1,
  version: 2,
  updatedAt: LATER,
};

export const RUN: ReturnType<typeof toRun> = {
  runId: "3q2vJ0m7T1uVq2hN5b8xcQ",
  trigger: "cron",
  mode: "incremental",
  status: "succeeded",
  fetched: 12,
  created: 2,
  updated: 1,
  unchanged: 9,
  cancelled: 1,
  skipped: 0,
  errors: [],
  startedAt: AT,
  finishedAt: "2026-11-16T09:30:00.840Z",
  durationMs: 840,
};

export const FAILED_RUN: ReturnType<typeof toRun> = {
  ...RUN,
  status: "failed",
  fetched: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  cancelled: 0,
  errors: ["The provider is in trouble"],
};

export const ALERT: FiredAlert = {
  id: 2,
  unit: "percent",
  threshold: 80,
  period: "month",
  enabled: true,
  lastFired: { at: AT, used: 402_113, limit: 500_000 },
  version: 1,
  createdAt: AT,
  updatedAt: AT,
  userId: 1,
};

export const SESSION: StreamSession = {
  id: 5,
  platform: "youtube",
  externalId: "vid42",
  title: "Building a compiler",
  url: "https://youtu.be/vid42",
  thumbnailUrl: null,
  state: "live",
  scheduledFor: null,
  startedAt: AT,
  endedAt: null,
  durationSeconds: 0,
  viewers: 64,
  peakViewers: 64,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
};

export const ENDED_SESSION: StreamSession = {
  ...SESSION,
  state: "ended",
  endedAt: LATER,
  durationSeconds: 5400,
  viewers: 0,
  peakViewers: 240,
  version: 9,
  updatedAt: LATER,
};

export const CAPTION: Caption = {
  id: 14,
  sessionId: 5,
  milestoneId: null,
  kind: "go_live",
  platform: "discord",
  text: "We are live now: “Building a compiler”.\n\nWatch: https://youtu.be/vid42",
  hashtags: ["live"],
  status: "posted",
  uncertain: false,
  postUrl: "https://discord.com/channels/1/2/3",
  error: null,
  retryAt: null,
  attempts: 1,
  engine: BUILTIN_ENGINE,
  postedAt: AT,
  version: 4,
  createdAt: AT,
  updatedAt: AT,
};

export const FAILED_CAPTION: Caption = {
  ...CAPTION,
  status: "failed",
  uncertain: true,
  postUrl: null,
  error: "Discord did not answer in time.",
  postedAt: null,
};

export const MILESTONE: Milestone = {
  id: 3,
  metric: "subscribers",
  threshold: 1000,
  label: "1,000 subscribers",
  reached: true,
  reachedAt: AT,
  reachedValue: 1012,
  platform: "youtube",
  sessionId: 5,
  version: 2,
  createdAt: AT,
  updatedAt: AT,
};
