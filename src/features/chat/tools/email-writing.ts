import * as z from "zod";
import { writeReply } from "../../../engine/reply/reply.ts";
import { quoted } from "../../../lib/quoted.ts";
import { firstCharacters } from "../../../lib/text.ts";
import { NewDraft } from "../../emails/drafts/schemas.ts";
import { sendDraft } from "../../emails/drafts/sending.ts";
import { createDraft, deleteDraft, getDraft } from "../../emails/drafts/service.ts";
import { toEngineInput } from "../../emails/record.ts";
import { getEmail } from "../../emails/service.ts";
import { unsubscribe } from "../../emails/unsubscribe/service.ts";
import { readingFor } from "../../people/reading.ts";
import { findEmail } from "./find-email.ts";
import { ALWAYS_UNTRUSTED, defineTool, Id, Match, NEVER_UNTRUSTED, type ToolContext } from "./tool.ts";

const BODY_SHOWN = 1000;

const Draft = z
  .object({
    replyTo: Id.optional().describe("Id of the email to reply to."),
    forward: Id.optional().describe("Id of the email to forward."),
    match: Match.optional().describe("Instead of an id: words of the email, or from:ann."),
    kind: z.enum(["reply", "forward"]).optional().describe("With match."),
    to: z.array(z.email()).max(20).optional().describe("Default for a reply: its sender."),
    subject: z.string().trim().max(500).optional(),
    body: z.string().trim().max(20_000).optional(),
    say: z.string().trim().max(2000).optional().describe("Instead of body: what a reply should say."),
  })
  .refine(({ replyTo, forward }) => replyTo === undefined || forward === undefined, {
    error: "give replyTo or forward, not both",
    path: ["forward"],
  });
type Draft = z.output<typeof Draft>;

async function resolveDraft(context: ToolContext, input: Draft): Promise<Draft> {
  const { match, kind = "reply", ...rest } = input;
  if (match === undefined) return input;
  const { id } = await findEmail(context, { match }, (id) => ({
    tool: "draft_mail",
    input: { ...rest, ...(kind === "reply" ? { replyTo: id } : { forward: id }) },
  }));
  return { ...rest, ...(kind === "reply" ? { replyTo: id } : { forward: id }) };
}

/** A reply that says what the person wants, in whole sentences. */
async function replyBody({ ctx, timeZone }: ToolContext, id: number, say: string): Promise<string> {
  const email = toEngineInput(await getEmail(ctx, id), readingFor(ctx, timeZone));
  const senderName = ctx.actor.kind === "session" ? ctx.actor.user.name : null;
  const { response } = writeReply({ email, tone: "friendly", instructions: say, senderName });
  return saysIt(response, say) ? response : asSaid(response, say);
}

const longWords = (text: string) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

/** Whether the reply has what it should say: at least half of its words. */
function saysIt(response: string, say: string): boolean {
  const said = new Set(longWords(response));
  const wanted = longWords(say);
  return wanted.filter((word) => said.has(word)).length * 2 >= wanted.length;
}

/** The words of the person themselves, between the greeting and the closing of the reply. */
function asSaid(response: string, say: string): string {
  const parts = response.split("\n\n");
  const text = `${say.trim().replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}${/[.!?]$/.test(say.trim()) ? "" : "."}`;
  return [parts[0], text, parts.at(-1)].filter((part) => part !== undefined).join("\n\n");
}

export interface DraftView {
  id: number;
  subject: string;
  to: string[];
  body: string;
  version: number;
}

const draftTool = defineTool({
  name: "draft_mail",
  description: "Write an email, a reply or a forward as a draft. Nothing is sent: send_mail does that.",
  input: Draft,
  scopes: ["emails:read", "emails:write"],
  writes: true,
  record: "draft",
  isNew: true,
  searchScope: "emails:read",
  // The subject of a reply is somebody else's.
  returnsUntrusted: ALWAYS_UNTRUSTED,
  resolve: resolveDraft,
  async preview(_, { to = [], subject = "", body, say }) {
    const words = firstCharacters(body ?? say ?? "", BODY_SHOWN);
    const whom = to.length > 0 ? ` to ${to.map(quoted).join(", ")}` : "";
    return {
      summary: `Write a draft${whom}${subject && ` with the subject ${quoted(subject)}`}: ${quoted(words)}`,
      record: null,
    };
  },
  async run(context, { replyTo, forward, to, subject, body, say }): Promise<DraftView> {
    const text = body ?? (replyTo !== undefined && say !== undefined ? await replyBody(context, replyTo, say) : say);
    const draft = await createDraft(
      context.ctx,
      NewDraft.parse({
        ...(replyTo !== undefined && { inReplyTo: replyTo }),
        ...(forward !== undefined && { forwardOf: forward }),
        ...(to && { to }),
        ...(subject !== undefined && { subject }),
        ...(text !== undefined && { body: text }),
      }),
    );
    const { id, version } = draft;
    return { id, subject: draft.subject, to: draft.to.map(({ email }) => email), body: draft.body, version };
  },
});

const sendTool = defineTool({
  name: "send_mail",
  description: "Send a draft. Always waits until the person has confirmed it.",
  input: z.object({ id: Id.describe("Id of the draft.") }),
  scopes: ["emails:read", "emails:write"],
  writes: true,
  asksFirst: true,
  returnsUntrusted: ALWAYS_UNTRUSTED,
  async preview({ ctx }, { id }) {
    const draft = await getDraft(ctx, id);
    const whom = [...draft.to, ...draft.cc, ...draft.bcc].map(({ email }) => quoted(email)).join(", ");
    const words = quoted(firstCharacters(draft.body, BODY_SHOWN));
    const original = draft.inReplyTo || draft.forwardOf ? ", with the original quoted" : "";
    const summary = `Send email ${quoted(draft.subject)} to ${whom || "nobody yet"}: ${words}${original}`;
    return { summary, record: draft };
  },
  async run({ ctx, expected }, { id }) {
    const email = await sendDraft(ctx, id, expected);
    return { id: email.id, subject: email.subject, to: email.to.map((each) => each.email), delivery: email.delivery };
  },
});

const deleteDraftTool = defineTool({
  name: "delete_draft",
  description: "Delete a draft.",
  input: z.object({ id: Id }),
  scopes: ["emails:write"],
  writes: true,
  record: "draft",
  returnsUntrusted: NEVER_UNTRUSTED,
  async preview({ ctx }, { id }) {
    const draft = await getDraft(ctx, id);
    return { summary: `Delete draft ${quoted(draft.subject)}`, record: draft };
  },
  async run({ ctx, expected }, { id }) {
    await deleteDraft(ctx, id, expected);
    return { id, deleted: true };
  },
});

const unsubscribeTool = defineTool({
  name: "unsubscribe",
  description: "Leave the mailing list that an email came from.",
  input: z
    .object({ id: Id.optional(), match: Match.optional() })
    .refine(({ id, match }) => id !== undefined || match !== undefined, { error: "give id or match", path: ["id"] }),
  scopes: ["emails:read", "emails:write"],
  writes: true,
  searchScope: "emails:read",
  returnsUntrusted: NEVER_UNTRUSTED,
  async resolve(context, input) {
    return input.id === undefined ? findEmail(context, input, (id) => ({ tool: "unsubscribe", input: { id } })) : input;
  },
  async preview({ ctx }, { id = 0 }) {
    const email = await getEmail(ctx, id);
    return { summary: `Leave the mailing list of ${quoted(email.from.email)}`, record: email };
  },
  async run({ ctx }, { id = 0 }) {
    const { method } = await unsubscribe(ctx, id, { trashLater: false });
    return { id, method };
  },
});

export const EMAIL_WRITING_TOOLS = [draftTool, sendTool, deleteDraftTool, unsubscribeTool];
