/** Where somebody streams. `custom` is any other place that can send a report. */
export const STREAM_PLATFORMS = ["youtube", "twitch", "custom"] as const;
export type StreamPlatform = (typeof STREAM_PLATFORMS)[number];

export const SESSION_STATES = ["scheduled", "live", "ended", "cancelled"] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** A session that nobody has reported yet is `none`. */
export type SessionOrigin = SessionState | "none";

/** The life of a session: from each state, where it may go. The only such table; it has no way back. */
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

/** The table in words, for the API description. */
export const SESSION_MOVES_TEXT = Object.entries(SESSION_MOVES)
  .map(([from, to]) => `${from} → ${to.length > 0 ? to.join(" | ") : "nowhere, it is final"}`)
  .join("; ");

export const MILESTONE_METRICS = ["subscribers", "viewers", "peak_viewers"] as const;
export type MilestoneMetric = (typeof MILESTONE_METRICS)[number];
