import { problemOf, Unreachable } from "./problem.ts";

export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: BodyInit | undefined;
  signal?: AbortSignal | undefined;
  /** Lets the request outlive the page. */
  keepalive?: boolean | undefined;
}

/** The state of the database that the last response saw. Sent back, it lets a nearby replica answer without going back in time. */
let bookmark: string | null = null;

export function forgetBookmark(): void {
  bookmark = null;
}

/** Somebody else has written: a replica that knows only our own bookmark may not have it yet. */
export function readFromPrimary(): void {
  bookmark = "first-primary";
}

/** One request to our own origin. Throws `Unreachable`, or `ApiProblem` for every status that is no success. */
export async function transmit({ method, path, headers, body, signal, keepalive }: Sent): Promise<Response> {
  let response: Response;
  const sent = bookmark;
  try {
    response = await fetch(path, {
      method,
      headers: { ...(sent && { "X-D1-Bookmark": sent }), ...headers },
      body: body ?? null,
      // Only the session endpoints use the cookie; the browser sends it to all, and the others ignore it.
      credentials: "same-origin",
      cache: "no-store",
      signal: signal ?? null,
      // A deletion has no body to speak of, and has to be made although the page is closed.
      keepalive: keepalive ?? method === "DELETE",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable(error);
  }
  const seen = response.headers.get("X-D1-Bookmark");
  // Responses overtake each other. Bookmarks sort by age.
  if (seen && (bookmark === sent || bookmark === null || seen > bookmark)) bookmark = seen;
  if (!response.ok) throw await problemOf(response);
  return response;
}
