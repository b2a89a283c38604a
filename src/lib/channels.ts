/*
 * How a notice reaches somebody, and the words for it. The console reads this file, too, so it imports nothing. A new
 * channel is named here; `features/notifications/channels` says how it sends.
 */

/** The channels that reach a person. */
export const PERSONAL_CHANNELS = ["push", "email"] as const;
/** The outbound events, which are for programs, are another. */
export const CHANNELS = [...PERSONAL_CHANNELS, "webhook"] as const;
/** What a reminder can ask for. `default`: the channels of the person, in their order. */
export const REMINDER_CHANNELS = ["default", ...CHANNELS] as const;

export type PersonalChannel = (typeof PERSONAL_CHANNELS)[number];
export type Channel = (typeof CHANNELS)[number];
export type ReminderChannel = (typeof REMINDER_CHANNELS)[number];

/** The order in which the channels are tried, unless the person chooses another. */
export const DEFAULT_CHANNELS: readonly PersonalChannel[] = ["push", "email"];

export const CHANNEL_WORDS: Record<Channel, { label: string; way: string; sent: string }> = {
  push: { label: "Notification", way: "on your devices", sent: "on a device" },
  email: { label: "Email", way: "by email", sent: "by email" },
  webhook: { label: "Webhook only", way: "by your webhooks", sent: "by a webhook" },
};
