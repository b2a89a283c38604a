import { assertType } from "../../lib/cast.ts";
import { AppError } from "../../lib/errors.ts";
import { storeAgentProposals } from "../conversations/service.ts";
import type { AgentCall, AgentTool, Writing } from "../tools/agents/agent-tool.ts";
import { mustPropose } from "../tools/agents/outside-memory.ts";
import { Turn } from "../tools/turn.ts";

type Json = Record<string, unknown>;

const NOTE =
  "Nothing has changed yet: this connection was recently given text by other people, so the person has to confirm it, on Today in the console (url) or in Chat. Tell them.";

/** Makes a change as the chat makes it, with the same checks and summaries, or proposes it. */
export async function write(call: AgentCall, tool: AgentTool & Writing, given: Json): Promise<Json> {
  const { ctx, timeZone, connection } = call;
  const { requestId: _, version, ...input } = given;
  const expected = typeof version === "number" && { expected: [version] };
  const turn = new Turn(ctx, timeZone, { showsReceipts: true, ...expected });
  turn.hasReadUntrusted = mustPropose(ctx, connection, tool.effect);
  const result = await turn.call(tool.name, await tool.toInput(call, input));
  if (result.status === "refused") {
    const quotes = result.isUntrusted ? "outside" : "own";
    throw new AppError(assertType(result.code), result.message, { quotes });
  }
  if (result.status === "ambiguous") throw new AppError("conflict", result.message);
  if (result.status === "done") return { status: "done", ...(await tool.show(call, result.result, input)) };
  await ctx.db.batch(storeAgentProposals(ctx, turn, connection.name));
  const { id } = result.proposal;
  // The summary is for the person: it quotes records, whose words may be other people's.
  return {
    status: "proposed",
    proposal: { id, url: `${ctx.baseUrl}/app`, note: NOTE, expiresInHours: 24 },
  };
}
