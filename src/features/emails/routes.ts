import { contextOf } from "../../http/app-env.ts";
import { ifMatch, withETag } from "../../http/etag.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { AnalysisQuery, EmailAnalysis } from "./analysis/schemas.ts";
import { readAnalysis, repeatAnalysis } from "./analysis/service.ts";
import { countBoxes } from "./boxes.ts";
import { listEmails, listTags, listThread, listThreads } from "./list.ts";
import { EmailBoxes, EmailQuery, TagList, ThreadList, ThreadQuery } from "./queries/schemas.ts";
import {
  BulkChanges,
  BulkResult,
  Email,
  EmailChanges,
  EmailList,
  EmailParams,
  EmailTasks,
  NewEmail,
} from "./schemas.ts";
import { createEmail, deleteEmail, getEmail, updateEmail, updateEmails } from "./service.ts";
import { createEmailTasks } from "./tasks.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/emails", {
    operationId: "listEmails",
    summary: "List and search emails",
    description:
      "Returns the emails that match every filter, newest first and without their bodies. Emails in spam and trash are " +
      "left out unless `status` or `in:` asks for them. An email whose snooze has ended in the last 30 days is listed at that time, " +
      "unless `q`, `since`, `until` or `threadId` is given. A repeated filter, such as `tag` and `tag:`, must match both.",
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
    summary: "Store an email",
    description:
      "Stores an email from an import or an automation, without sending it. If the `messageId` is already stored, returns " +
      "the stored email with 200 and changes nothing.",
    guard: data("emails:write"),
    body: NewEmail,
    returns: { 200: Email, 201: Email },
    errors: ["unavailable"],
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
    summary: "Update many emails",
    description:
      "Updates all of them or none. Unknown ids are returned in `missing`; the other emails are still updated.",
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
    summary: "List email tags",
    description: "Returns every tag in use outside spam and trash with its number of emails, alphabetically.",
    guard: data("emails:read"),
    query: PageQuery,
    returns: { 200: TagList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listTags(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/emails/boxes", {
    operationId: "countEmailBoxes",
    summary: "Count emails by box",
    description:
      "Returns the number of emails and of unread emails in each box, for a list of folders. An email can be in several: " +
      "a sent email is also in the archive. For tags, call `GET /api/emails/tags`.",
    guard: data("emails:read"),
    returns: { 200: EmailBoxes },
  }),
  async (c) => c.json(await countBoxes(contextOf(c)), 200),
);

routes.openapi(
  route("get", "/api/emails/threads", {
    operationId: "listEmailThreads",
    summary: "List conversations",
    description:
      "Returns each thread that has an email matching every filter, ordered by the newest matching email. Filters, " +
      "search and order work as in `GET /api/emails`. `GET /api/emails/{id}/thread` returns the emails.",
    guard: data("emails:read"),
    query: ThreadQuery,
    returns: { 200: ThreadList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listThreads(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/emails/{id}", {
    operationId: "getEmail",
    summary: "Get an email",
    description: "Returns the email with its body.",
    guard: data("emails:read"),
    params: EmailParams,
    returns: { 200: Email },
    errors: ["not_found", "unavailable"],
    // `threadCount` changes without the version.
    ifNoneMatch: false,
  }),
  async (c) => c.json(withETag(c, await getEmail(contextOf(c), c.req.valid("param").id)), 200),
);

routes.openapi(
  route("patch", "/api/emails/{id}", {
    operationId: "updateEmail",
    summary: "Update an email",
    description: "Changes status, flags, tags and snooze. The content cannot be changed.",
    guard: data("emails:write"),
    params: EmailParams,
    body: EmailChanges,
    returns: { 200: Email },
    errors: ["not_found", "nothing_to_update", "unavailable"],
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
    summary: "Delete an email",
    description:
      "Deletes the email permanently; its tasks stay. To be able to restore it, set `status` to `trash` instead.",
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
    summary: "List the thread of an email",
    description: "Returns every email of the thread, including this one, oldest first and without their bodies.",
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
    summary: "Get the analysis of an email",
    description:
      "Returns the stored analysis. If there is none, this call creates it. Inbound emails are analyzed in the background " +
      "after they have arrived.",
    guard: data("emails:read"),
    rateLimit: "expensive",
    writes: true,
    params: EmailParams,
    query: AnalysisQuery,
    returns: { 200: EmailAnalysis },
    errors: ["not_found", "unavailable"],
  }),
  async (c) => c.json(await readAnalysis(contextOf(c), c.req.valid("param").id, c.req.valid("query").timeZone), 200),
);

routes.openapi(
  route("post", "/api/emails/{id}/ai-analysis", {
    operationId: "repeatEmailAnalysis",
    summary: "Analyze an email again",
    description: "Creates a new analysis and replaces the stored one.",
    guard: data("emails:write"),
    derivesFrom: ["emails:read"],
    rateLimit: "expensive",
    params: EmailParams,
    query: AnalysisQuery,
    returns: { 200: EmailAnalysis },
    errors: ["not_found", "unavailable"],
    idempotent: true,
  }),
  async (c) => c.json(await repeatAnalysis(contextOf(c), c.req.valid("param").id, c.req.valid("query").timeZone), 200),
);

routes.openapi(
  route("post", "/api/emails/{id}/tasks", {
    operationId: "createEmailTasks",
    summary: "Create tasks from an email",
    description:
      "Creates a task for each request in the email, once. Returns 201 if this call created tasks, otherwise 200.",
    guard: data("emails:write"),
    derivesFrom: ["emails:read", "tasks:write"],
    params: EmailParams,
    returns: { 200: EmailTasks, 201: EmailTasks },
    errors: ["not_found", "unavailable"],
    idempotent: true,
  }),
  async (c) => {
    const result = await createEmailTasks(contextOf(c), c.req.valid("param").id);
    return c.json(result, result.created > 0 ? 201 : 200);
  },
);
