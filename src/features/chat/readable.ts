import { type Context, scopesOf } from "../../context.ts";
import { allows, type DataScope } from "../../lib/api-key-scopes.ts";
import { assertType } from "../../lib/cast.ts";
import type { toProposal } from "../conversations/proposals.ts";
import type { readConversation, toMessage } from "../conversations/service.ts";
import { toolByName } from "../tools/registry.ts";

/*
 * What a program gets to see of its own conversations: they quote records, which it may no longer read, and what a person
 * has applied for it was done with the person's eyes.
 */

const UNREAD = "The API key may not read the records that this is about.";

type Message = ReturnType<typeof toMessage>;
type Proposal = ReturnType<typeof toProposal>;
type Conversation = Awaited<ReturnType<typeof readConversation>>;

/** Whether the caller may read what a tool has written or found. */
function mayReadResult({ actor }: Context, name: string): boolean {
  const granted = scopesOf(actor);
  if (!granted) return true;
  const tool = toolByName(name);
  const scopes = [...(tool?.scopes ?? []), ...(tool?.searchScope ? [tool.searchScope] : [])];
  return scopes.every((scope) => allows(granted, assertType<DataScope>(scope.replace(":write", ":read"))));
}

export function readableProposal(ctx: Context, proposal: Proposal): Proposal {
  return mayReadResult(ctx, proposal.tool) ? proposal : { ...proposal, summary: UNREAD, result: null };
}

function readableMessage(ctx: Context, message: Message): Message {
  if (message.actions.every(({ tool }) => mayReadResult(ctx, tool))) return message;
  const actions = message.actions.map((action) =>
    mayReadResult(ctx, action.tool) ? action : { ...action, input: {}, result: {} },
  );
  return { ...message, text: UNREAD, actions };
}

export function readableConversation(ctx: Context, { messages, proposals, ...rest }: Conversation): Conversation {
  return {
    ...rest,
    messages: { ...messages, data: messages.data.map((message) => readableMessage(ctx, message)) },
    proposals: proposals.map((proposal) => readableProposal(ctx, proposal)),
  };
}
