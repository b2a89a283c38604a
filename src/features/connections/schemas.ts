import { z } from "@hono/zod-openapi";
import { doc, listOf, named, Timestamp } from "../../http/schemas.ts";
import { AGENT_SCOPES, PROPOSAL_RULES } from "../../lib/agent-rules.ts";

const ConnectionId = doc(z.string(), "Id of the connection.", "Yk3vJ0m7T1uVq2hN5b8xcQ");
const RULE =
  "What happens to a change within 30 minutes after the agent was given text by other people, such as an email. " +
  "`every_write`: it waits for you as a proposal. `changes`: only changes and cancellations do. `never`: it is made at once.";

const Connection = named("Connection", () => ({
  id: ConnectionId,
  name: doc(z.string(), "Name of the agent, as it called itself when you allowed it.", "Claude"),
  clientId: doc(
    z.string(),
    "Id of the agent: random, or the address of its own description.",
    "https://claude.ai/oauth/client",
  ),
  redirectHost: doc(
    z.string(),
    "Where it received your permission. A loopback address is a program on a computer.",
    "claude.ai",
  ),
  scopes: doc(z.array(z.enum(AGENT_SCOPES)), "What it may do.", ["emails:read", "tasks:read"]),
  proposals: doc(z.enum(PROPOSAL_RULES), RULE, "every_write"),
  createdAt: doc(Timestamp, "When you allowed it."),
  lastUsedAt: doc(Timestamp, "When it was last used, within about five minutes."),
  expiresAt: doc(Timestamp, "When it ends if it is not used: 90 days after the last renewal."),
}));

export { Connection };
export const ConnectionList = listOf(Connection, "ConnectionList");
export const ConnectionPath = z.object({ id: ConnectionId });

export const ConnectionChanges = named(
  "ConnectionChanges",
  () => ({ proposals: doc(z.enum(PROPOSAL_RULES).optional(), RULE) }),
  { example: { proposals: "changes" } },
);
export type ConnectionChanges = z.output<typeof ConnectionChanges>;
