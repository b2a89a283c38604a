import type { notificationPreferences } from "../../db/schema/notifications.ts";
import type { PersonalChannel } from "../../lib/channels.ts";
import { pagesOf } from "../../lib/pages.ts";

export type PreferencesRow = typeof notificationPreferences.$inferSelect;

interface Kind {
  /** The channels that are tried, in their order, by the person's preferences. A fixed list is for channels that read nothing. */
  channels: readonly PersonalChannel[] | ((preferences: PreferencesRow) => readonly PersonalChannel[]);
  /** The last line of the email: why the person gets it. */
  why(baseUrl: string): string;
}

const EMAIL = ["email"] as const;
const emailIf = (isOn: boolean) => (isOn ? EMAIL : []);
const settings = (baseUrl: string) =>
  `Change that here: ${pagesOf(baseUrl).reference("Profile", "updateNotificationPreferences")}`;

/** Everything that the service tells people. Security and service alerts cannot be turned off. */
export const KINDS = {
  security_alert: {
    channels: EMAIL,
    why: (baseUrl) =>
      `You get this email because it concerns the security of your account at ${baseUrl}. Such emails cannot be turned off.`,
  },
  service_alert: {
    channels: EMAIL,
    why: (baseUrl) =>
      `You get this email because you own the service at ${baseUrl}: one when a problem begins, and one when it is over.`,
  },
  sync_failure: {
    channels: ({ syncFailure }) => emailIf(syncFailure),
    why: (baseUrl) => `You get this email because emails about a failing sync are on. ${settings(baseUrl)}`,
  },
  token_alert: {
    channels: ({ tokenAlerts }) => emailIf(tokenAlerts),
    why: (baseUrl) =>
      `You get this email because you set this alert. Change your alerts here: ${pagesOf(baseUrl).reference("AI tokens", "updateTokenAlert")}`,
  },
  daily_brief: {
    channels: ({ dailyBrief }) => emailIf(dailyBrief),
    why: (baseUrl) => `You get this email every morning because the daily brief is on. ${settings(baseUrl)}`,
  },
  reminder: {
    channels: ({ reminderChannels }) => reminderChannels,
    why: (baseUrl) => `You get this email because reminders by email are on. ${settings(baseUrl)}`,
  },
} satisfies Record<string, Kind>;

export type NoticeKind = keyof typeof KINDS;
