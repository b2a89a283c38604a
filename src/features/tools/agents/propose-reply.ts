import * as z from "zod";
import { AppError } from "../../../lib/errors.ts";
import { NewDraft } from "../../emails/drafts/schemas.ts";
import { createDraft } from "../../emails/drafts/service.ts";
import { type AgentTool, agentRead, Id, requestId } from "./agent-tool.ts";

export const proposeReply: AgentTool = {
  name: "propose_reply",
  scopes: ["emails:read", "emails:write"],
  ...agentRead({
    effect: "drafts",
    title: "Draft a reply",
    description: "Save a reply to an email as a draft. Nothing is sent: the person reads, changes and sends it.",
    input: z.strictObject({
      emailId: Id,
      body: z.string().min(1).max(20_000),
      replyAll: z.boolean().default(false),
      requestId,
    }),
    output: z.object({ status: z.literal("drafted"), draftId: Id, url: z.string() }),
    async run({ ctx }, { emailId, body, replyAll }) {
      const draft = createDraft(ctx, NewDraft.parse({ inReplyTo: emailId, body, replyAll }));
      // The member has another name here.
      const { id } = await draft.catch((error) => {
        const isUnknown = error instanceof AppError && error.extras.errors?.some(({ path }) => path === "inReplyTo");
        throw isUnknown ? new AppError("not_found", `There is no email ${emailId}.`) : error;
      });
      return { status: "drafted" as const, draftId: id, url: `${ctx.baseUrl}/app/mail/drafts/${id}` };
    },
  }),
};
