import * as z from "zod";
import { assertType } from "../../lib/cast.ts";
import { EMAIL_STATUSES } from "../../lib/email-kinds.ts";
import { readBy } from "../../lib/receipts.ts";
import { type Email, EmailChanges } from "../emails/schemas.ts";
import { getEmail, updateEmail } from "../emails/service.ts";
import { snoozeChanges } from "../emails/snooze.ts";
import { agentWrite, When } from "./agents/agent-tool.ts";
import { mailUrl } from "./agents/views.ts";
import { findEmail } from "./find-email.ts";
import { instantOf } from "./moment.ts";
import { emailWords } from "./preview.ts";
import { allOf, ELSEWHERE, factsFor, type Sayings, said, whole } from "./said.ts";
import { defineTool, Id, Match } from "./tool.ts";

const EmailChangesInput = z.object({
  id: Id.optional(),
  match: Match.optional().describe("Words of the email, or from:ann, if you do not know its id."),
  latest: z.boolean().optional().describe("With match: the newest of several."),
  isRead: z.boolean().optional(),
  isStarred: z.boolean().optional(),
  status: z
    .enum(EMAIL_STATUSES)
    .optional()
    .describe("From spam to inbox: it is not spam, and later emails of the sender are not, either."),
  replyNeeded: z.boolean().optional().describe("False: no answer is needed."),
  tags: EmailChanges.shape.tags,
  addTags: EmailChanges.shape.tags.describe("Tags to add to those it has."),
  snoozedUntil: z.iso.datetime({ offset: true }).nullable().optional(),
  followUpDays: EmailChanges.shape.followUpDays.describe(
    "Of an email that the person sent: bring it back if nobody replies within so many days. Null ends that.",
  ),
});

const STATUS_WORDS = {
  archived: "archive",
  inbox: "move to the inbox",
  spam: "move to spam",
  trash: "move to the trash",
};

const EMAIL_CHANGES: Sayings<z.output<typeof EmailChangesInput>> = {
  id: ELSEWHERE,
  match: ELSEWHERE,
  latest: ELSEWHERE,
  isRead: (isRead) => (isRead ? "mark as read" : "mark as unread"),
  isStarred: (isStarred) => (isStarred ? "star" : "remove the star"),
  status: (status) => STATUS_WORDS[status],
  replyNeeded: (isNeeded) => (isNeeded ? "mark as waiting for an answer" : "mark as needing no answer"),
  tags: (tags) => (tags.length > 0 ? `tags ${allOf(tags)}` : "remove all tags"),
  addTags: (tags) => `add the tags ${allOf(tags)}`,
  followUpDays: (days) =>
    days === null ? "do not remind of a missing reply" : `bring it back if nobody replies within ${days} days`,
  snoozedUntil: (until, { due }) => (until === null ? "end the snooze" : `snooze until ${due(Date.parse(until))}`),
};

/** What is remembered of the sender when a person moves an email into spam or out of it: see `learnFromMove`. */
function lesson({ direction, status: before, from, senderProof }: Email, { status }: { status?: string | undefined }) {
  const hasFailed = senderProof === "failed";
  if (direction !== "inbound" || status === undefined || status === "trash" || status === before) return [];
  if (status === "spam") return hasFailed ? [] : [`and send later emails of ${whole(from.email)} to spam, too`];
  if (before !== "spam") return [];
  const forged = hasFailed ? ", even those that may be forged" : "";
  return [`and take later emails of ${whole(from.email)} for no spam${forged}`];
}

const ChangedMail = z.object({
  id: Id,
  url: z.string(),
  isRead: z.boolean(),
  isStarred: z.boolean(),
  status: z.enum(EMAIL_STATUSES),
  tags: z.array(z.string()),
  snoozedUntil: z.string().nullable(),
  version: z.int(),
});
readBy("emails:read", ChangedMail);

const updateEmailTool = defineTool({
  name: "update_mail",
  description:
    "Change an email: read or unread, star, inbox, archive, spam or trash, tags, snooze, whether it needs an answer, whether " +
    "to bring a sent one back if nobody replies.",
  input: EmailChangesInput.refine(({ id, match }) => id !== undefined || match !== undefined, {
    error: "give id or match",
    path: ["id"],
  }).refine(
    ({ id: _, match: __, latest: ___, ...changes }) => Object.keys(changes).length > 0,
    "give at least one change",
  ),
  scopes: ["emails:write"],
  searchScope: "emails:read",
  writes: true,
  record: "email",
  ownWords: {
    because: "Of the email it has flags and times; of its tags only those that this call gave it.",
    in: () => true,
  },
  async resolve(context, { match, latest, ...rest }) {
    if (rest.id !== undefined) return rest;
    const call = (id: number) => ({ tool: "update_mail", input: { ...rest, id } });
    return { ...rest, ...(await findEmail(context, { match, latest }, call)) };
  },
  async preview(context, input) {
    const email = await getEmail(context.ctx, input.id ?? 0);
    const parts = await said(EMAIL_CHANGES, input, await factsFor(context));
    return {
      summary: `Change email ${emailWords(email)}: ${[...parts, ...lesson(email, input)].join(", ")}`,
      record: email,
    };
  },
  async run({ ctx, expected }, { id = 0, match: _, latest: __, addTags, snoozedUntil, ...changes }) {
    const snooze = snoozedUntil ? new Date(snoozedUntil) : snoozedUntil;
    const tagged = addTags ? { tags: [...new Set([...(await getEmail(ctx, id)).tags, ...addTags])] } : {};
    const email = await updateEmail(ctx, id, { ...changes, ...tagged, snoozedUntil: snooze }, expected);
    const { isRead, isStarred, status, tags, replyNeeded, version } = email;
    // Other tags may have been chosen by a sender: one is made of the address that they wrote to.
    const given = new Set([...(changes.tags ?? []), ...(addTags ?? [])]);
    const own = given.size > 0 && { tags: tags.filter((tag) => given.has(tag)) };
    return { id, isRead, isStarred, status, ...own, replyNeeded, snoozedUntil: email.snoozedUntil, version };
  },
  agents: agentWrite({
    title: "Sort an email",
    description:
      "Mark an email read, star, archive, tag or snooze it; spam; replyNeeded false: no answer needed. tags replace all tags; snoozedUntil null ends a snooze.",
    input: z.strictObject({
      id: Id,
      isRead: z.boolean().optional(),
      isStarred: z.boolean().optional(),
      status: z.enum(["inbox", "archived", "spam"]).optional(),
      replyNeeded: z.boolean().optional(),
      tags: z.array(z.string().trim().min(1).max(50)).max(20).optional(),
      snoozedUntil: When.nullable().optional(),
      followUpDays: z.int().min(1).max(365).nullable().optional(),
      snoozeText: z.string().trim().min(1).max(200).optional().describe("In words: tomorrow morning"),
    }),
    shown: z.object({ mail: ChangedMail.optional() }),
    async toInput({ ctx, timeZone }, { snoozedUntil, snoozeText, ...changes }) {
      const until = snoozedUntil && snoozedUntil.length > 10 ? instantOf(snoozedUntil, timeZone) : snoozedUntil;
      const { status } = changes;
      const { snoozedUntil: snooze } = snoozeChanges(ctx, { snoozedUntil: until, snoozeText, timeZone, status });
      return { ...changes, ...(snooze !== undefined && { snoozedUntil: snooze?.toISOString() ?? null }) };
    },
    show: async (call, mail, { id }) => ({
      mail: { ...assertType<Omit<z.infer<typeof ChangedMail>, "url">>(mail), url: mailUrl(call, id) },
    }),
  }),
});

export const EMAIL_CHANGE_TOOLS = [updateEmailTool];
