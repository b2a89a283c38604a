import type { TestProject } from "vitest/node";

/** `scripts/test-mail.ts` has started the servers: their certificate has to be known before the runtime is loaded. */
export default function setup(project: TestProject): void {
  project.provide("mailServers", JSON.parse(process.env.MAIL_SERVERS ?? "null"));
}
