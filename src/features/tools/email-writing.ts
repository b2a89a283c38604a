import * as z from "zod";
import { LETTERS } from "../../engine/reply/letters.ts";
import { QUOTED_NOTE, writeReply } from "../../engine/reply/reply.ts";
import { NewDraft } from "../emails/drafts/schemas.ts";
import { previewSending, sendDraft } from "../emails/drafts/sending.ts";
import { createDraft, deleteDraft, getDraft, previewDraft } from "../emails/drafts/service.ts";
import { toEngineInput } from "../emails/record.ts";
import { emailOf } from "../emails/sending/recipients.ts";
import { getEmail } from "../emails/service.ts";
import { unsubscribe } from "../emails/unsubscribe/service.ts";
import { readingFor } from "../people/reading.ts";
import { findEmail } from "./find-email.ts";
import { addressOf, letterWords, personWords, textWords } from "./letter-words.ts";
import { emailWords } from "./preview.ts";
import { factsFor, whole } from "./said.ts";
import { defineTool, Id, Match, NO_WORDS, type ToolContext } from "./tool.ts";

const Draft = z
  .object({
    replyTo: Id.optional().describe("Id of the email to reply to."),
    forward: Id.optional().describe("Id of the email to forward."),
    match: Match.optional().describe("Instead of an id: words of the email, or from:ann."),
    kind: z.enum(["reply", "forward"]).optional().describe("With match."),
    to: z
      .array(z.string().trim().min(1).max(500))
      .max(20)
      .optional()
      .describe("Email addresses. A name alone is kept, but cannot be sent to. Default for a reply: its sender."),
    subject: z.string().trim().max(500).optional(),
    body: z.string().trim().max(20_000).optional(),
    say: z.string().trim().max(2000).optional().describe("Instead of body: what a reply should say."),
  })
  .refine(({ replyTo, forward }) => replyTo === undefined || forward === undefined, {
    error: "give replyTo or forward, not both",
    path: ["forward"],
  });
type Draft = z.output<typeof Draft>;

/** The email that is meant, and the whole text, so that the person confirms what is written and nothing else. */
async function resolveDraft(context: ToolContext, input: Draft): Promise<Draft> {
  const named = await withOriginal(context, input);
  const { say, replyTo } = named;
  if (say === undefined || named.body !== undefined) return named;
  return { ...named, body: replyTo === undefined ? say : await replyBody(context, replyTo, say) };
}

/** What the person should know before they send it: that it only quotes what they said. */
function noteOf({ say, body = "" }: Draft): string | null {
  const isQuoted = Object.values(LETTERS).some(({ quotes: [open, close] }) => body.includes(`${open}${say}${close}`));
  return say !== undefined && isQuoted ? QUOTED_NOTE : null;
}

async function withOriginal(context: ToolContext, input: Draft): Promise<Draft> {
  const { match, kind = "reply", ...rest } = input;
  if (match === undefined) return rest;
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
  const { response, unread } = writeReply({ email, tone: "friendly", instructions: say, senderName });
  // An order that was not understood is quoted. Anything else is the text itself.
  if (unread.length > 0 && ORDER.test(say)) return response;
  return unread.length === 0 && saysIt(response, say) ? response : asSaid(response, say);
}

const ORDER =
  /^(?:please )?(?:say|tell|ask|let|accept|decline|refuse|agree|confirm|thank|apologi[sz]e|reply|answer|write|propose|suggest|offer|don't|do not)\b/i;

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

function newDraftOf({ replyTo, forward, to, subject, body }: Draft): NewDraft {
  return NewDraft.parse({
    ...(replyTo !== undefined && { inReplyTo: replyTo }),
    ...(forward !== undefined && { forwardOf: forward }),
    ...(to && { to }),
    ...(subject !== undefined && { subject }),
    ...(body !== undefined && { body }),
  });
}

export interface DraftView {
  id: number;
  subject: string;
  to: string[];
  body: string;
  version: number;
  note: string | null;
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
  resolve: resolveDraft,
  async preview({ ctx }, input) {
    const { draft, original, files } = await previewDraft(ctx, newDraftOf(input));
    const { subject, body, inReplyTo, quote } = draft;
    const email = original && { subject: original.subject, from: addressOf(original) };
    const relation = inReplyTo === null ? "forward" : "reply";
    const parts = letterWords({ ...draft, files, original: email && { email, relation, isQuoted: quote } });
    const note = noteOf(input);
    const summary = `Write a draft ${whole(subject)} ${parts.join(", ")}: ${whole(body)}${note ? `. ${note}` : ""}`;
    return { summary, record: null };
  },
  async run({ ctx }, input): Promise<DraftView> {
    const draft = await createDraft(ctx, newDraftOf(input));
    const { id, version } = draft;
    return { id, subject: draft.subject, to: draft.to.map(emailOf), body: draft.body, version, note: noteOf(input) };
  },
});

const sendTool = defineTool({
  name: "send_mail",
  description: "Send a draft. Always waits until the person has confirmed it.",
  input: z.object({ id: Id.describe("Id of the draft.") }),
  scopes: ["emails:read", "emails:write"],
  writes: true,
  asksFirst: true,
  async preview(context, { id }) {
    const { draft, original, outgoing, isSigned } = await previewSending(context.ctx, id);
    const { due } = await factsFor(context);
    const email = original && { subject: original.subject, from: addressOf(original) };
    const relation = draft.forwardOf === null ? "reply" : "forward";
    const parts = [
      ...letterWords({
        ...outgoing,
        bcc: outgoing.bcc ?? [],
        files: outgoing.attachments.map(({ name }) => name),
        original: email && { email, relation, isQuoted: draft.quote },
      }),
      `from ${whole(personWords(outgoing.from))}`,
      ...(outgoing.replyTo ? [`with replies to ${whole(personWords(outgoing.replyTo))}`] : []),
      ...(isSigned ? ["with your signature"] : []),
      ...(draft.sendAt ? [`to leave ${due(Date.parse(draft.sendAt))}`] : []),
    ];
    const summary = `Send email ${whole(draft.subject)} ${parts.join(", ")}: ${textWords(draft)}`;
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
  scopes: ["emails:read", "emails:write"],
  writes: true,
  record: "draft",
  ownWords: NO_WORDS,
  async preview({ ctx }, { id }) {
    const draft = await getDraft(ctx, id);
    const parts = letterWords({ ...draft, files: draft.attachments.map(({ name }) => name), original: null });
    return { summary: `Delete draft ${whole(draft.subject)} ${parts.join(", ")}: ${textWords(draft)}`, record: draft };
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
  ownWords: NO_WORDS,
  async resolve(context, input) {
    return input.id === undefined ? findEmail(context, input, (id) => ({ tool: "unsubscribe", input: { id } })) : input;
  },
  async preview({ ctx }, { id = 0 }) {
    const email = await getEmail(ctx, id);
    const summary = `Leave the mailing list of ${emailWords(email)}: ask its server, or send it an email, to remove your address`;
    return { summary, record: email };
  },
  async run({ ctx }, { id = 0 }) {
    const { method } = await unsubscribe(ctx, id, { trashLater: false });
    return { id, method };
  },
});

export const EMAIL_WRITING_TOOLS = [draftTool, sendTool, deleteDraftTool, unsubscribeTool];
