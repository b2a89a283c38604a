import { z } from "@hono/zod-openapi";
import { doc, EventIdParam, Id, named } from "../../http/schemas.ts";
import { LIVE_TYPES } from "../../lib/live-kinds.ts";

export const LiveChange = named(
  "LiveChange",
  () => ({
    id: doc(Id, "Increasing id, accepted by `Last-Event-ID`.", 57),
    type: doc(
      z.enum(LIVE_TYPES),
      "What happened to the record. New types may be added: treat one that you do not know as an update.",
      "task.updated",
    ),
    recordId: doc(
      z.union([z.int(), z.string()]),
      "Id of the record, as its own endpoint returns it: a string for syncs, proposals and deliveries.",
      12,
    ),
    version: doc(
      z.int().nullable(),
      "Version of the record after the change, or its last one if it was deleted. Null for records without a version.",
      3,
    ),
  }),
  { description: "Says that a record has changed. Read the record to see how." },
);

const lastEventId = doc(z.int(), "Id of the last change that was considered. Send it with the next request.", 57);

export const LiveChanges = named("LiveChanges", () => ({
  data: doc(z.array(LiveChange), "The changes, oldest first; at most 200."),
  lastEventId,
  reset: doc(
    z.boolean(),
    "Whether there were changes that are not listed. Then read everything again; `data` has only later changes.",
    false,
  ),
  hasMore: doc(z.boolean(), "Whether there are more changes. Then request them at once.", false),
}));

export const LiveQuery = z.object({
  lastEventId: doc(EventIdParam, "Same as `Last-Event-ID`, for clients that cannot send headers. The header wins."),
});
