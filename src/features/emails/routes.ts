import { contextOf } from "../../http/app-env.ts";
import { ifMatch, withETag } from "../../http/etag.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { AnalysisQuery, EmailAnalysis } from "./analysis/schemas.ts";
import { readAnalysis, repeatAnalysis } from "./analysis/service.ts";
import { listEmails, listTags, listThread } from "./list.ts";
import { replyToEmail } from "./reply.ts";
import {
  BulkChanges,
  BulkResult,
  Email,
  EmailChanges,
  EmailList,
  EmailParams,
  EmailQuery,
  EmailTasks,
  NewEmail,
  Reply,
  TagList,
} from "./schemas.ts";
import { createEmail, createEmailTasks, deleteEmail, getEmail, updateEmail, updateEmails } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/emails", {
    operationId: "listEmails",
    summary: "List and search mail",
    description:
      "Newest first, without bodies. All filters given must hold. Without `status` the list holds mail of every status; " +
      "`status=inbox` leaves out what is snoozed until its time has come.",
    guard: data("emails:read"),
    query: EmailQuery,
    returns: { 200: EmailList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listEmails(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/emails", {
    operationId: "createEmail",
    summary: "Store a mail",
    description:
      "For importing and for automations; real mail arrives by itself. A `messageId` that is known answers 200 with the stored mail and changes nothing.",
    guard: data("emails:write"),
    body: NewEmail,
    returns: { 200: Email, 201: Email },
    idempotent: true,
  }),
  async (c) => {
    const { email, created } = await createEmail(contextOf(c), c.req.valid("json"));
    return c.json(withETag(c, email), created ? 201 : 200);
  },
);

routes.openapi(
  route("patch", "/api/emails", {
    operationId: "updateEmails",
    summary: "Change many mails at once",
    description: "All of them or none. Ids of no mail are listed in the answer and do not stop the others.",
    guard: data("emails:write"),
    body: BulkChanges,
    returns: { 200: BulkResult },
    errors: ["nothing_to_update"],
  }),
  async (c) => c.json(await updateEmails(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("get", "/api/emails/tags", {
    operationId: "listEmailTags",
    summary: "List the tags of mail",
    description: "Every tag in use with its number of mails, in the order of the alphabet.",
    guard: data("emails:read"),
    query: PageQuery,
    returns: { 200: TagList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listTags(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/emails/{id}", {
    operationId: "getEmail",
    summary: "Read a mail",
    guard: data("emails:read"),
    params: EmailParams,
    returns: { 200: Email },
    errors: ["not_found"],
  }),
  async (c) => c.json(withETag(c, await getEmail(contextOf(c), c.req.valid("param").id)), 200),
);

routes.openapi(
  route("patch", "/api/emails/{id}", {
    operationId: "updateEmail",
    summary: "Change a mail",
    description: "Its place and marks; what was written in it does not change.",
    guard: data("emails:write"),
    params: EmailParams,
    body: EmailChanges,
    returns: { 200: Email },
    errors: ["not_found", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await updateEmail(contextOf(c), id, c.req.valid("json"), ifMatch(c))), 200);
  },
);

routes.openapi(
  route("delete", "/api/emails/{id}", {
    operationId: "deleteEmail",
    summary: "Delete a mail for good",
    description: "Tasks made of it stay. To be able to bring it back, set `status` to `trash` instead.",
    guard: data("emails:write"),
    params: EmailParams,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => noContent(c, await deleteEmail(contextOf(c), c.req.valid("param").id, ifMatch(c))),
);

routes.openapi(
  route("get", "/api/emails/{id}/thread", {
    operationId: "getEmailThread",
    summary: "List the thread of a mail",
    description: "The whole conversation, oldest first, this mail included.",
    guard: data("emails:read"),
    params: EmailParams,
    query: PageQuery,
    returns: { 200: EmailList },
    errors: ["not_found", "invalid_cursor"],
  }),
  async (c) => c.json(await listThread(contextOf(c), c.req.valid("param").id, c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/emails/{id}/ai-analysis", {
    operationId: "getEmailAnalysis",
    summary: "Read what a mail wants",
    description: "The stored analysis; made on the first call, with its times read in `timeZone`.",
    guard: data("emails:read"),
    rateLimit: "expensive",
    writes: true,
    params: EmailParams,
    query: AnalysisQuery,
    returns: { 200: EmailAnalysis },
    errors: ["not_found"],
  }),
  async (c) => c.json(await readAnalysis(contextOf(c), c.req.valid("param").id, c.req.valid("query").timeZone), 200),
);

routes.openapi(
  route("post", "/api/emails/{id}/ai-analysis", {
    operationId: "repeatEmailAnalysis",
    summary: "Analyse a mail again",
    description: "Makes the analysis anew and stores it in place of the one before.",
    guard: data("emails:write"),
    rateLimit: "expensive",
    params: EmailParams,
    query: AnalysisQuery,
    returns: { 200: EmailAnalysis },
    errors: ["not_found"],
    idempotent: true,
  }),
  async (c) => c.json(await repeatAnalysis(contextOf(c), c.req.valid("param").id, c.req.valid("query").timeZone), 200),
);

routes.openapi(
  route("post", "/api/emails/{id}/tasks", {
    operationId: "createEmailTasks",
    summary: "Turn a mail's action items into tasks",
    description:
      "Each sentence that asks for something becomes a task, once: 201 when this call made some, 200 when all were there.",
    guard: data("emails:write"),
    params: EmailParams,
    returns: { 200: EmailTasks, 201: EmailTasks },
    errors: ["not_found"],
    idempotent: true,
  }),
  async (c) => {
    const result = await createEmailTasks(contextOf(c), c.req.valid("param").id);
    return c.json(result, result.created > 0 ? 201 : 200);
  },
);

routes.openapi(
  route("post", "/api/emails/{id}/reply", {
    operationId: "replyToEmail",
    summary: "Answer a mail",
    description:
      "Sends to the sender (its Reply-To, if it has one) and stores the answer in the thread. Send an `Idempotency-Key` to be safe to repeat.",
    guard: data("emails:write"),
    rateLimit: "expensive",
    params: EmailParams,
    body: Reply,
    returns: { 201: Email },
    errors: ["not_found", "mail_not_configured", "provider_error"],
    idempotent: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await replyToEmail(contextOf(c), id, c.req.valid("json"))), 201);
  },
);
