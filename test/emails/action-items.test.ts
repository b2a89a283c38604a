import { describe, expect, it } from "vitest";
import { tasksIn } from "../../src/engine/email/intelligence.ts";
import { insertCheapPerson, openSession } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { storeMail } from "./new-mail.ts";

const api = service();
const NOW = new Date("2026-11-15T12:00:00Z");

const findActionItems = (content: string, reference: Date) => tasksIn({ content, reference, timeZone: "UTC" });

const BODY = `Hi Ada,

Thanks for the call yesterday. Could you please send the signed contract
by Friday 5pm? Please find attached the draft.

- Review the budget sheet
- Book the room for Tuesday

Let me know if you have any questions. Check is in the mail.

Best regards,
Ann
Please recycle this signature.

On Mon, Nov 9, 2026 at 10:00 Ada <ada@example.com> wrote:
> Please call me back
`;

describe("action items", () => {
  it("are the sentences that ask or tell, without pleasantries, quoted text and signatures", () => {
    expect(findActionItems(BODY, NOW).map((item) => item.text)).toEqual([
      "Send the signed contract",
      "Review the budget sheet",
      "Book the room for Tuesday",
    ]);
  });

  it("quote the very words of the body, and know a deadline", () => {
    const [first] = findActionItems(BODY, NOW);
    expect(first?.quote.text).toBe("Could you please send the signed contract\nby Friday 5pm?");
    expect(first?.dueAt?.toISOString()).toBe("2026-11-20T17:00:00.000Z");
    for (const { quote } of findActionItems(BODY.replaceAll("\n", "\r\n"), NOW)) {
      expect(BODY.replaceAll("\n", "\r\n").slice(quote.start, quote.end)).toBe(quote.text);
    }
  });

  it("are none in small talk, and none in nothing", () => {
    for (const text of ["", "Thanks!", "See you on Monday. It was great.", "> Please call me", "Can you believe it?"]) {
      expect(findActionItems(text, NOW)).toEqual([]);
    }
  });
});

describe("tasks of a mail", () => {
  it("are made once each, with the mail and the sentence they come from", async () => {
    const mail = await storeMail(api, "items", { body: BODY, receivedAt: NOW.toISOString() });
    const first = await api.post(`/api/emails/${mail.id}/tasks`);
    expect([first.status, first.body.created]).toEqual([201, 3]);
    expect(first.body.tasks[0]).toMatchObject({
      title: "Send the signed contract",
      source: "email",
      emailId: mail.id,
      quote: "Could you please send the signed contract\nby Friday 5pm?",
      dueAt: "2026-11-20T17:00:00.000Z",
      tags: ["items"],
      status: "todo",
    });
    const again = await api.post(`/api/emails/${mail.id}/tasks`);
    expect([again.status, again.body.created]).toEqual([200, 0]);
    expect(again.body.tasks).toEqual(first.body.tasks);
  });

  it("are not made of courtesies", async () => {
    const body = "Let me know if you have questions. Let me know if you have any questions. Feel free to reach out.";
    const mail = await storeMail(api, "courtesy", { body });
    const answer = await api.post(`/api/emails/${mail.id}/tasks`);
    expect([answer.status, answer.body.tasks]).toEqual([200, []]);
  });

  it("are made once each by ten conversions at once", async () => {
    const mail = await storeMail(api, "items", { body: BODY });
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(`/api/emails/${mail.id}/tasks`)));
    expect(answers.reduce((sum, { body }) => sum + body.created, 0)).toBe(3);
    expect((await api.get(`/api/tasks?emailId=${mail.id}&status=all`)).body.data).toHaveLength(3);
  });

  it("come with the mail when createTasks asks for them", async () => {
    const tasksOf = async (createTasks: string) => {
      const mail = await storeMail(api, "create", { body: BODY, subject: "The contract", createTasks });
      const { body } = await api.get(`/api/tasks?emailId=${mail.id}&status=all&sort=created`);
      return body.data.map((task: { title: string; quote: string | null }) => [task.title, task.quote !== null]);
    };
    expect(await tasksOf("none")).toEqual([]);
    expect(await tasksOf("every")).toEqual([["The contract", false]]);
    expect(await tasksOf("action_items")).toHaveLength(3);
    expectProblem(await api.post("/api/emails", { from: "a@b.c", createTasks: "all" }), 422, "validation_failed");
  });

  it("do not come back with a second delivery once a person has deleted them", async () => {
    const fields = { messageId: "<again@x>", subject: "Once", createTasks: "every" };
    const mail = await storeMail(api, "again", fields);
    const { body } = await api.get(`/api/tasks?emailId=${mail.id}&status=all`);
    await api.delete(`/api/tasks/${body.data[0].id}`);
    await storeMail(api, "again", fields);
    expect((await api.get(`/api/tasks?emailId=${mail.id}&status=all`)).body.data).toEqual([]);
  });

  it("are due by the clocks of whoever is signed in", async () => {
    const { token } = await openSession((await insertCheapPerson()).id);
    await api.patch("/api/settings/profile", { timeZone: "America/New_York" }, { token });
    const fields = { from: "a@b.c", body: "Please send the report by Friday 5pm.", receivedAt: NOW.toISOString() };
    const stored = await api.post("/api/emails", { ...fields, createTasks: "action_items" }, { token });
    const { body } = await api.get(`/api/tasks?emailId=${stored.body.id}&status=all`);
    expect(body.data).toMatchObject([{ dueAt: "2026-11-20T22:00:00.000Z" }]);
    const later = await api.post("/api/emails", fields, { token });
    const made = await api.post(`/api/emails/${later.body.id}/tasks`, undefined, { token });
    expect(made.body.tasks).toMatchObject([{ dueAt: "2026-11-20T22:00:00.000Z" }]);
  });

  it("outlive their mail", async () => {
    const mail = await storeMail(api, "outlive", { body: "Please water the plants.", createTasks: "action_items" });
    const { body } = await api.get(`/api/tasks?emailId=${mail.id}&status=all`);
    await api.delete(`/api/emails/${mail.id}`);
    const task = await api.get(`/api/tasks/${body.data[0].id}`);
    expect(task.body).toMatchObject({ emailId: null, quote: "Please water the plants." });
  });
});
