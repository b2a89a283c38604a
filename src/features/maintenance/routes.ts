import { owner } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { rotatePart } from "./rotation.ts";
import { RecountRequest, RecountResult, RotateRequest, RotateResult } from "./schemas.ts";
import { recountPart } from "./service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/service/recount", {
  operationId: "recount",
  summary: "Check and repair counters",
  description:
    "Compares all counters, sums, tag lists and search indexes with the records they are made from, and corrects them " +
    "with `repair`. Safe while the service is in use. Large databases take several calls: repeat with `after` until " +
    "`next` is null.",
  guard: owner,
  body: RecountRequest,
  returns: { 200: RecountResult },
  handle: ({ ctx, body }) => recountPart(ctx, body),
});

routes.endpoint("post", "/api/service/rotate", {
  operationId: "rotateSecrets",
  summary: "Encrypt stored secrets again",
  description:
    "Encrypts every value that was encrypted with `ENCRYPTION_KEY_PREVIOUS` again with `ENCRYPTION_KEY`, and counts the " +
    "passwords that still depend on `PASSWORD_PEPPER_PREVIOUS`. Safe while the service is in use, and can be repeated. " +
    "Large databases take several calls: repeat with `after` until `next` is null. `npm run rotate` does that.",
  guard: owner,
  body: RotateRequest,
  returns: { 200: RotateResult },
  errors: ["unavailable"],
  handle: ({ ctx, body }) => rotatePart(ctx, body),
});
