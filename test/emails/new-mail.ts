import type { Client } from "../harness.ts";

/** A mail of one test only: `tag` is how the test finds its own. */
export async function storeMail(api: Client, tag: string, fields: Record<string, unknown> = {}) {
  const { body } = await api.post("/api/emails", {
    from: "Ann Lee <ann@example.com>",
    to: "hello@example.com",
    subject: `About ${tag}`,
    body: "Hello there.",
    tags: [tag],
    ...fields,
  });
  return body;
}

/** The subjects of a list, which tests name their mails by. */
export async function subjects(api: Client, query: string): Promise<string[]> {
  const { body } = await api.get(`/api/emails?${query}`);
  return body.data.map((mail: { subject: string }) => mail.subject);
}
