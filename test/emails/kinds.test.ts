import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { deliver, deliverAndAnalyse } from "./deliver.ts";
import { storeMail, subjects } from "./new-mail.ts";

const api = service();

async function receive(name: string, headers: string, { from = "a@example.com", vars = {} } = {}) {
  const raw = `From: ${from}\nMessage-ID: <${crypto.randomUUID()}>\nSubject: ${name}\n${headers}\nPlease review the budget by tomorrow. URGENT!\n`;
  await deliverAndAnalyse(raw, { to: `${name}@example.com`, vars });
  const [email] = (await api.get(`/api/emails?tag=${name}`)).body.data;
  const tasks = (await api.get(`/api/tasks?emailId=${email.id}&status=all`)).body.data;
  return { email, tasks: tasks.length };
}

const AWAY =
  "Thank you for your message. I am out of the office until 23 November with limited access to email. In urgent cases please contact Tim immediately.";
const BULK = "List-Unsubscribe: <https://news.example/u>\n";

describe("the kind of an email", () => {
  it("keeps bulk senders, machines, bounces and automatic replies from making tasks by default", async () => {
    const report = "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n";
    const cases: [string, string, string, string?][] = [
      ["kind-bulk", "newsletter", BULK],
      ["kind-precedence", "newsletter", "Precedence: bulk\n"],
      ["kind-machine", "notification", "", "no-reply@example.com"],
      ["kind-bounce", "bounce", report],
      ["kind-away", "auto_reply", "Auto-Submitted: auto-replied\n"],
    ];
    for (const [name, kind, headers, from] of cases) {
      const { email, tasks } = await receive(name, headers, { from });
      expect({ name, kind: email.kind, tasks }).toEqual({ name, kind, tasks: 0 });
    }
    expect(await receive("kind-person", "")).toMatchObject({ email: { kind: "person" }, tasks: 1 });
  });

  it("lets INBOUND_TASKS=every make tasks of bulk emails and machines, not of bounces and automatic replies", async () => {
    const vars = { INBOUND_TASKS: "every" };
    expect((await receive("every-bulk", BULK, { vars })).tasks).toBe(1);
    expect((await receive("every-machine", "", { vars, from: "noreply@example.com" })).tasks).toBe(1);
    expect((await receive("every-away", "Auto-Submitted: auto-replied\n", { vars })).tasks).toBe(0);
  });

  it("keeps automatic replies and newsletters from being urgent", async () => {
    for (const [name, headers] of [
      ["calm-away", "Auto-Submitted: auto-replied\n"],
      ["calm-bulk", BULK],
    ] as const) {
      const { email } = await receive(name, headers);
      expect(["low", "normal"], name).toContain(email.analysis.urgency.level);
      expect(email.analysis.replyNeeded).toBe(false);
    }
    const { email } = await receive("calm-person", "");
    expect(["high", "critical"]).toContain(email.analysis.urgency.level);
  });

  it("filters the list, alone and with other filters, with bulk as another name for newsletter", async () => {
    await receive("filter-kind", BULK);
    await deliver("From: a@example.com\nSubject: of a person\n\nHi\n", { to: "filter-kind@example.com" });
    expect(await subjects(api, "tag=filter-kind&kind=bulk")).toEqual(["filter-kind"]);
    expect(await subjects(api, "tag=filter-kind&kind=newsletter&unread=true&status=inbox")).toEqual(["filter-kind"]);
    expect(await subjects(api, "tag=filter-kind&kind=person")).toEqual(["of a person"]);
    expect(await subjects(api, "tag=filter-kind&kind=bounce")).toEqual([]);
    expect(await subjects(api, "q=budget&kind=bulk&tag=filter-kind")).toEqual(["filter-kind"]);
    expect(await subjects(api, "q=filter-kind&kind=receipt")).toEqual([]);
    expect(await subjects(api, "kind=bulk&limit=1")).toEqual(["filter-kind"]);
    expectProblem(await api.get("/api/emails?kind=nonsense"), 422, "validation_failed");
  });

  it("of an email that a request stores is what the request says, or what its sender and text suggest", async () => {
    const machine = await storeMail(api, "stored-kind", { from: "no-reply@example.com" });
    expect(machine).toMatchObject({ kind: "notification", authentication: null, delivery: null, deliveryError: null });
    const given = await storeMail(api, "stored-given", { from: "no-reply@example.com", kind: "person" });
    expect(given.kind).toBe("person");
    const away = await storeMail(api, "stored-away", { subject: "Automatic reply: Contract", body: AWAY });
    expect(away.kind).toBe("auto_reply");
    const { body } = await api.get(`/api/emails/${away.id}/ai-analysis`);
    expect(["low", "normal"]).toContain(body.urgency.level);
    const sent = await storeMail(api, "stored-sent", { direction: "outbound", subject: "Automatic reply: Contract" });
    expect(sent.kind).toBe("person");
    expectProblem(await api.post("/api/emails", { from: "a@example.com", kind: "junk" }), 422, "validation_failed");
  });

  it("of a pasted text keeps an automatic reply from being urgent", async () => {
    const { body } = await api.post("/api/ai/email-intelligence", { content: AWAY });
    expect(["low", "normal"]).toContain(body.urgency.level);
    expect(body.replyNeeded).toBe(false);
  });

  it("calls fraud spam_like, and makes no task of it", async () => {
    const raw = [
      "From: PayPal Support <paypal.help@freemail.example>",
      "Message-ID: <fraud-1@freemail.example>",
      "Subject: Your account will be suspended",
      "",
      "Send me your password by 5pm today, or your account will be closed within 24 hours.",
    ].join("\n");
    await deliverAndAnalyse(raw, { to: "fraud-kind@example.com", from: "paypal.help@freemail.example" });
    const [email] = (await api.get("/api/emails?tag=fraud-kind&status=spam")).body.data;
    expect(email.kind).toBe("spam_like");
    expect((await api.get(`/api/tasks?emailId=${email.id}&status=all`)).body.data).toEqual([]);
    expect(["low", "normal"]).toContain(email.analysis.urgency.level);
  });
});

it("the HTML of an email is described as unsafe", async () => {
  const { body } = await api.get("/api-docs");
  const { html } = body.components.schemas.Email.properties;
  expect(html.description).toMatch(/unsafe/);
  expect(html.description).toMatch(/[Ss]anitize/);
  expect(html.description).toMatch(/sandbox/);
});
