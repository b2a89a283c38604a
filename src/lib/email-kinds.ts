import type { Engine } from "./ai-kinds.ts";
import type { Language } from "./languages.ts";
import { words } from "./words.ts";

export const DIRECTIONS = ["inbound", "outbound"] as const;
export const EMAIL_SOURCES = ["api", "inbound", "import"] as const;
export const EMAIL_STATUSES = ["inbox", "archived", "spam", "trash"] as const;
/** Lists and counts leave these out by default. */
export const ASIDE_STATUSES = ["spam", "trash"] as const;
export const EMAIL_KINDS = words("person newsletter notification receipt bounce auto_reply invitation spam_like");
export const DELIVERY_STATES = ["scheduled", "sending", "sent", "failed"] as const;
export const AUTHENTICATION_RESULTS = ["pass", "fail", "none"] as const;
export const SIGN_IN_KINDS = ["code", "link"] as const;
export const URGENCIES = ["low", "normal", "high", "critical"] as const;
export const CATEGORIES = words("personal work meeting invoice receipt newsletter notification spam-like");
export const SENTIMENTS = ["positive", "neutral", "negative", "mixed"] as const;

/** The search index orders emails by a number that only has room for times before this. */
export const LATEST_EMAIL = new Date("2200-01-01T00:00:00Z");

export type Direction = (typeof DIRECTIONS)[number];
export type EmailStatus = (typeof EMAIL_STATUSES)[number];
/** Whether an email is put aside: in spam or in the trash. */
export function isAsideStatus(status: string): boolean {
  return ASIDE_STATUSES.some((aside) => aside === status);
}

export type EmailKind = (typeof EMAIL_KINDS)[number];
export type AuthenticationResult = (typeof AUTHENTICATION_RESULTS)[number];
export type SignInKind = (typeof SIGN_IN_KINDS)[number];
export type Urgency = (typeof URGENCIES)[number];
export type Category = (typeof CATEGORIES)[number];
export type Sentiment = (typeof SENTIMENTS)[number];

/** The code or link of an email that signs its reader in, as it is stored. */
export interface StoredSignIn {
  kind: SignInKind;
  /** Null for a link. */
  code: string | null;
  /** Null for what is used more than once. */
  expiresAt: string | null;
}

/** The receiving mail server's check of the sender. `none`: it had nothing to check. */
export interface EmailAuthentication {
  spf: AuthenticationResult;
  dkim: AuthenticationResult;
  dmarc: AuthenticationResult;
}

/** A passage of a text, with its character offsets. */
export interface Quote {
  text: string;
  start: number;
  end: number;
}

/** The analysis of an email, as `POST /api/ai/email-intelligence` returns it. */
export interface EmailAnalysis {
  urgency: { level: Urgency; score: number; reasons: string[] };
  category: Category;
  sentiment: Sentiment;
  summary: string;
  insights: string[];
  actionItems: {
    text: string;
    quote: Quote;
    dueAt: string | null;
    assignee: string | null;
    confidence: number;
  }[];
  meeting: {
    title: string;
    start: string;
    end: string;
    timeZone: string;
    allDay: boolean;
    location: string | null;
    meetingUrl: string | null;
    attendees: { name: string | null; email: string | null }[];
    confidence: number;
    ambiguous: boolean;
    proposed: boolean;
    quote: Quote;
  } | null;
  replyNeeded: boolean;
  /** Missing in analyses that were stored before there was one. */
  language?: Language | null;
  engine: Engine;
}
