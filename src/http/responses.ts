import { type RouteConfig, z } from "@hono/zod-openapi";
import { ERRORS, type ErrorCode } from "../lib/errors.ts";
import { BOOKMARK_HEADER } from "./bookmark.ts";
import { doc, named, objectOf } from "./schemas.ts";

const InvalidField = objectOf(() => ({
  path: doc(z.string(), "The field, with dots between levels: `attendees.0.email`. Empty for the body as a whole."),
  message: doc(z.string(), "Why the field is invalid."),
}));

export const Problem = named(
  "Problem",
  () => ({
    type: doc(z.string(), "A URN made of the code."),
    title: doc(z.string(), "Short description of the code."),
    status: doc(z.int(), "The HTTP status."),
    detail: doc(z.string(), "What was wrong with this request."),
    code: doc(z.string(), "A stable identifier to program against."),
    requestId: doc(z.string(), "The id of the request, as in `X-Request-Id` and the service's log."),
    errors: doc(z.array(InvalidField), "Every invalid field. Only sent with `validation_failed`.").optional(),
  }),
  { description: "An error as defined by RFC 9457." },
);

/** A response that is not JSON. */
interface Media {
  type: string | readonly string[];
  description: string;
}

/** What a stream of events contains. */
export interface EventsDescription {
  description: string;
  example: string;
}

/** Status → its JSON, another media type, or null for no content. */
export type Returns = Record<number, z.ZodType | Media | null>;

type Responses = RouteConfig["responses"];

const NO_CONTENT: Record<string, string> = { 302: "Redirect", 304: "Not modified" };

const BOOKMARK = {
  [BOOKMARK_HEADER]: {
    description: "Database bookmark of this response. Sent after a write, and when the request had one.",
    schema: { type: "string" as const },
  },
};

export function successResponses(
  returns: Returns,
  hasBookmark: boolean,
  events: string | EventsDescription | undefined,
): Responses {
  const responses: Responses = {};
  for (const [status, returned] of Object.entries(returns)) {
    responses[status] = {
      ...responseOf(status, returned, events),
      ...(hasBookmark && { headers: BOOKMARK }),
    };
  }
  return responses;
}

function responseOf(
  status: string,
  returned: Returns[number],
  events: string | EventsDescription | undefined,
): Responses[string] {
  if (returned === null) return { description: NO_CONTENT[status] ?? "No content" };
  if (isMedia(returned)) {
    const types = [returned.type].flat();
    const content = Object.fromEntries(types.map((type) => [type, { schema: mediaSchema(type) }]));
    return { description: returned.description, content };
  }
  const description = status === "201" ? "Created" : Number(status) < 400 ? "Success" : "Failure";
  const content = {
    "application/json": { schema: returned },
    ...(events && status === "200" && { "text/event-stream": { schema: eventText(events) } }),
  };
  return { description, content };
}

function mediaSchema(type: string) {
  return type.startsWith("text/") ? { type: "string" as const } : { type: "string" as const, format: "binary" };
}

function isMedia(returned: z.ZodType | Media): returned is Media {
  return !("parse" in returned);
}

function eventText(events: string | EventsDescription) {
  const { description, example = 'event: delta\ndata: {"text":"Hello"}\n\n' }: Partial<EventsDescription> =
    typeof events === "string" ? { description: events } : events;
  return { type: "string" as const, description, example };
}

/**
 * One response for each status, with an example for each of its codes; `problemExamples` has them. `others` are what
 * the endpoint returns besides, and may have the same status.
 */
export function withErrors(others: Responses, codes: readonly ErrorCode[]): Responses {
  const responses: Responses = { ...others };
  for (const status of new Set(codes.map((code) => ERRORS[code][0]))) {
    const other = others[status];
    const group = codes.filter((code) => ERRORS[code][0] === status);
    const examples = Object.fromEntries(group.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
    responses[status] = {
      description: group.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join(". "),
      content: {
        ...(other && "content" in other && other.content),
        "application/problem+json": { schema: Problem, examples },
      },
    };
  }
  return responses;
}
