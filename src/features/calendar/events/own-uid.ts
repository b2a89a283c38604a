/**
 * The UIDs that this service gives out. The feed shows them and some can be guessed, so an emailed invitation must not
 * be able to take one, neither before our event exists nor after it was deleted. This service sends no invitations, so
 * no invitation from outside rightly has such a UID.
 */
const SUFFIX = "@personal-operations-assistant.invalid";

/** A new UID, or the one for something that has only one event, such as a booking. */
export function ownUid(name: string = crypto.randomUUID()): string {
  return `${name}${SUFFIX}`;
}

export function isOwnUid(uid: string): boolean {
  return uid.trim().toLowerCase().endsWith(SUFFIX);
}
