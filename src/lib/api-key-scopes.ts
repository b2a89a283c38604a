/** The scopes of an API key. `admin` also allows the owner's endpoints, if the key belongs to the owner. */
export const SCOPES = {
  "emails:read": "Read emails",
  "emails:write": "Store, change, answer and delete emails",
  "tasks:read": "Read tasks",
  "tasks:write": "Create, change and delete tasks",
  "calendar:read": "Read events, free slots and booking data",
  "calendar:write": "Create, change and delete events, and run the booking sync",
  "ai:read": "Read the model catalog and the active model",
  "ai:use": "Run AI operations, chat and workflow endpoints, and choose the active model",
  "stream:read": "Read stream state, captions and milestones",
  "stream:write": "Report stream state, manage captions, credentials and milestones",
  "stats:read": "Read the dashboard statistics",
  admin: "Everything above, and the owner's endpoints if the key belongs to the owner",
} as const;

export type Scope = keyof typeof SCOPES;
export type DataScope = Exclude<Scope, "admin">;

export function allows(granted: readonly string[], needed: Scope): boolean {
  return granted.includes(needed) || granted.includes("admin");
}
