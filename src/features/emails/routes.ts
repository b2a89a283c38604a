import { withETag } from "../../http/etag.ts";
import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { AnalysisQuery, EmailAnalysis } from "./analysis/schemas.ts";
import { readAnalysis, repeatAnalysis } from "./analysis/service.ts";
import { countBoxes } from "./boxes.ts";
import { updateEmails } from "./bulk.ts";
import { listConversations, listEmails, listTags, listThread } from "./list.ts";
import { ConversationList, EmailBoxes, EmailQuery, TagList } from "./queries/schemas.ts";
import { BulkChanges, BulkResult, Email, EmailChanges, EmailList, EmailTasks, NewEmail } from "./schemas.ts";
import { createEmail, deleteEmail, getEmail, updateEmail } from "./service.ts";
import { createEmailTasks } from "./tasks.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/emails", {
  operationId: "listEmails",
  showsSignIn: true,
  summary: "List and search emails",
  description:
    "Returns the emails that match every filter, newest first and without their bodies. Emails in spam and trash are " +
    "left out unless `status` or `in:` asks for them. An email whose snooze has ended in the last 30 days is listed at that time, " +
    "unless `q`, `since`, `until` or `threadId` is given. A repeated filter, such as `tag` and `tag:`, must match both.",
  guard: data("emails:read"),
  query: EmailQuery,
  returns: { 200: EmailList },
  handle: ({ ctx, query }) => listEmails(ctx, query),
});

routes.endpoint("post", "/api/emails", {
  operationId: "createEmail",
  showsSignIn: true,
  summary: "Store an email",
  description:
    "Stores an email from an import or an automation, without sending it. If the `messageId` is already stored, returns " +
    "the stored email with 200 and changes nothing.",
  guard: data("emails:write"),
  body: NewEmail,
  returns: { 200: Email, 201: Email },
  errors: ["unavailable"],
  idempotent: true,
  handle: async ({ c, ctx, body }) => {
    const { email, created } = await createEmail(ctx, body);
    return c.json(withETag(c, email), created ? 201 : 200);
  },
});

routes.endpoint("patch", "/api/emails", {
  operationId: "updateEmails",
  summary: "Update many emails",
  description:
    "Updates all of them or none, by their ids or by the ids of their threads. Unknown ids are returned in `missing`; the " +
    "other emails are still updated.",
  guard: data("emails:write"),
  body: BulkChanges,
  returns: { 200: BulkResult },
  errors: ["nothing_to_update"],
  handle: ({ ctx, body }) => updateEmails(ctx, body),
});

routes.endpoint("get", "/api/emails/tags", {
  operationId: "listEmailTags",
  summary: "List email tags",
  description: "Returns every tag in use outside spam and trash with its number of emails, alphabetically.",
  guard: data("emails:read"),
  query: PageQuery,
  returns: { 200: TagList },
  handle: ({ ctx, query }) => listTags(ctx, query),
});

routes.endpoint("get", "/api/emails/boxes", {
  operationId: "countEmailBoxes",
  summary: "Count emails by box",
  description:
    "Returns the number of emails and of unread emails in each box, for a list of folders. An email can be in several: " +
    "a sent email is also in the archive. For tags, call `GET /api/emails/tags`.",
  guard: data("emails:read"),
  returns: { 200: EmailBoxes },
  handle: ({ ctx }) => countBoxes(ctx),
});

routes.endpoint("get", "/api/emails/threads", {
  operationId: "listEmailThreads",
  showsSignIn: true,
  summary: "List conversations",
  description:
    "Returns each thread that has an email matching every filter, once, by its newest matching email. Filters, search and " +
    "order work as in `GET /api/emails`. An email that is alone in its thread is a conversation of one. " +
    "`GET /api/emails/{id}/thread` returns the emails, and `PATCH /api/emails` with `threadIds` changes them.",
  guard: data("emails:read"),
  query: EmailQuery,
  returns: { 200: ConversationList },
  handle: ({ ctx, query }) => listConversations(ctx, query),
});

routes.endpoint("get", "/api/emails/{id}", {
  operationId: "getEmail",
  showsSignIn: true,
  summary: "Get an email",
  description: "Returns the email with its body.",
  guard: data("emails:read"),
  returns: { 200: Email },
  errors: ["unavailable"],
  // `threadCount` changes without the version.
  ifNoneMatch: false,
  handle: ({ ctx, params }) => getEmail(ctx, params.id),
});

routes.endpoint("patch", "/api/emails/{id}", {
  operationId: "updateEmail",
  showsSignIn: true,
  summary: "Update an email",
  description: "Changes status, flags, tags and snooze. The content cannot be changed.",
  guard: data("emails:write"),
  body: EmailChanges,
  returns: { 200: Email },
  errors: ["nothing_to_update", "unavailable"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateEmail(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/emails/{id}", {
  operationId: "deleteEmail",
  summary: "Delete an email",
  description:
    "Deletes the email permanently; its tasks stay. To be able to restore it, set `status` to `trash` instead.",
  guard: data("emails:write"),
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => deleteEmail(ctx, params.id, ifMatch),
});

routes.endpoint("get", "/api/emails/{id}/thread", {
  operationId: "getEmailThread",
  showsSignIn: true,
  summary: "List the thread of an email",
  description: "Returns every email of the thread, including this one, oldest first and without their bodies.",
  guard: data("emails:read"),
  query: PageQuery,
  returns: { 200: EmailList },
  handle: ({ ctx, params, query }) => listThread(ctx, params.id, query),
});

routes.endpoint("get", "/api/emails/{id}/ai-analysis", {
  operationId: "getEmailAnalysis",
  summary: "Get the analysis of an email",
  description:
    "Returns the stored analysis. If there is none, this call creates it. Inbound emails are analyzed in the background " +
    "after they have arrived.",
  guard: data("emails:read"),
  rateLimit: "expensive",
  writes: true,
  query: AnalysisQuery,
  returns: { 200: EmailAnalysis },
  errors: ["unavailable"],
  handle: ({ ctx, params, query }) => readAnalysis(ctx, params.id, query.timeZone),
});

routes.endpoint("post", "/api/emails/{id}/ai-analysis", {
  operationId: "repeatEmailAnalysis",
  summary: "Analyze an email again",
  description: "Creates a new analysis and replaces the stored one.",
  guard: data("emails:write"),
  derivesFrom: ["emails:read"],
  rateLimit: "expensive",
  query: AnalysisQuery,
  returns: { 200: EmailAnalysis },
  errors: ["unavailable"],
  idempotent: true,
  handle: ({ ctx, params, query }) => repeatAnalysis(ctx, params.id, query.timeZone),
});

routes.endpoint("post", "/api/emails/{id}/tasks", {
  operationId: "createEmailTasks",
  summary: "Create tasks from an email",
  description:
    "Creates a task for each request in the email, once. Returns 201 if this call created tasks, otherwise 200.",
  guard: data("emails:write"),
  derivesFrom: ["emails:read", "tasks:write"],
  returns: { 200: EmailTasks, 201: EmailTasks },
  errors: ["unavailable"],
  idempotent: true,
  handle: async ({ c, ctx, params }) => {
    const result = await createEmailTasks(ctx, params.id);
    return c.json(result, result.created > 0 ? 201 : 200);
  },
});
