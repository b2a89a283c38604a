/**
 * When a change by an agent, within half an hour of reading text from outside, is only proposed: every change, only one
 * to a record that exists, or none.
 */
export const PROPOSAL_RULES = ["every_write", "changes", "never"] as const;
export type ProposalRule = (typeof PROPOSAL_RULES)[number];

/** What a connection may be allowed: what agents can do here needs no other scope. */
export const AGENT_SCOPES = [
  "emails:read",
  "emails:write",
  "tasks:read",
  "tasks:write",
  "calendar:read",
  "calendar:write",
] as const;
export type AgentScope = (typeof AGENT_SCOPES)[number];
