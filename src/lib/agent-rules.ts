/**
 * When a change by an agent, within half an hour of reading text from outside, is only proposed: every change, only one
 * to a record that exists, or none.
 */
export const PROPOSAL_RULES = ["every_write", "changes", "never"] as const;
export type ProposalRule = (typeof PROPOSAL_RULES)[number];

/** The scopes that a connection can have: agents need no others. */
export const AGENT_SCOPES = [
  "emails:read",
  "emails:write",
  "tasks:read",
  "tasks:write",
  "calendar:read",
  "calendar:write",
] as const;
export type AgentScope = (typeof AGENT_SCOPES)[number];
