const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** When it expires, the client gets a new one with its refresh token. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** A session ends after this long without a refresh, … */
export const SESSION_IDLE_MS = 30 * DAY_MS;
/** … and this long after sign-in at the latest. */
export const SESSION_MAX_MS = 90 * DAY_MS;

/** The previous refresh token still works for this long, in case the response with the new one was lost. */
export const REFRESH_GRACE_MS = 10 * 1000;

/** How long after the password was confirmed in a session its sensitive requests need none. */
export const REAUTHENTICATION_MS = 15 * MINUTE_MS;

/** `lastSeenAt` is not written more often than this, so that most requests only read. */
export const LAST_SEEN_PRECISION_MS = 5 * MINUTE_MS;
