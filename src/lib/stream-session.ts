/** `custom` is any platform that can send reports. */
export const STREAM_PLATFORMS = ["youtube", "twitch", "custom"] as const;
export type StreamPlatform = (typeof STREAM_PLATFORMS)[number];

export const SESSION_STATES = ["scheduled", "live", "ended", "cancelled"] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** `none`: there is no session yet. */
export type SessionOrigin = SessionState | "none";

/** The states a session may move to from each state. */
export const SESSION_MOVES: Readonly<Record<SessionOrigin, readonly SessionState[]>> = {
  none: ["scheduled", "live"],
  scheduled: ["live", "cancelled"],
  live: ["ended"],
  ended: [],
  cancelled: [],
};

export function maySessionMove(from: SessionOrigin, to: SessionState): boolean {
  return SESSION_MOVES[from].includes(to);
}

/** For the API description. */
export const SESSION_MOVES_TEXT = Object.entries(SESSION_MOVES)
  .map(([from, to]) => `${from} → ${to.length > 0 ? to.join(" | ") : "(final)"}`)
  .join("; ");

export const MILESTONE_METRICS = ["subscribers", "viewers", "peak_viewers"] as const;
export type MilestoneMetric = (typeof MILESTONE_METRICS)[number];
