import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { storeMail } from "./new-mail.ts";

const api = service();

async function mailWithTasks(tag: string) {
  const mail = await storeMail(api, tag, {
    body: "Please send the contract by Friday. Could you also review the budget?",
    createTasks: "action_items",
  });
  const own = await api.post("/api/tasks", { title: `Mine ${tag}`, emailId: mail.id });
  const made = await tasksOf(mail.id);
  expect(made.length).toBe(3);
  return { mail, own: own.body };
}

async function tasksOf(emailId: number): Promise<{ id: number; status: string; source: string }[]> {
  return (await api.get(`/api/tasks?emailId=${emailId}&status=all`)).body.data;
}

describe("putting an email into the trash", () => {
  it("keeps its tasks by default, and cancels those it made when asked to", async () => {
    const { mail, own } = await mailWithTasks("trash-tasks");
    await api.patch(`/api/emails/${mail.id}`, { status: "trash" });
    expect((await tasksOf(mail.id)).map(({ status }) => status)).toEqual(["todo", "todo", "todo"]);
    const done = (await tasksOf(mail.id)).find(({ source }) => source === "email");
    await api.patch(`/api/tasks/${done?.id}`, { status: "done" });
    const answer = await api.patch(`/api/emails/${mail.id}`, { status: "trash", tasks: "cancel" });
    expect(answer).toMatchObject({ status: 200, body: { status: "trash" } });
    for (const task of await tasksOf(mail.id)) {
      expect(task.status).toBe(task.id === own.id ? "todo" : task.id === done?.id ? "done" : "cancelled");
    }
  });

  it("cancels nothing when the email has another version", async () => {
    const { mail } = await mailWithTasks("trash-version");
    const answer = await api.patch(
      `/api/emails/${mail.id}`,
      { status: "trash", tasks: "cancel" },
      { headers: { "if-match": '"99"' } },
    );
    expectProblem(answer, 412, "version_conflict");
    expect((await tasksOf(mail.id)).map(({ status }) => status)).toEqual(["todo", "todo", "todo"]);
  });

  it("does the same for many at once", async () => {
    const [first, second] = [await mailWithTasks("trash-bulk-1"), await mailWithTasks("trash-bulk-2")];
    const ids = [first.mail.id, second.mail.id];
    await api.patch("/api/emails", { ids, status: "trash", tasks: "cancel" });
    for (const id of ids) {
      const open = (await tasksOf(id)).filter(({ status }) => status === "todo");
      expect(open.map(({ source }) => source)).toEqual(["manual"]);
    }
  });

  it("is needed to cancel tasks", async () => {
    const { mail } = await mailWithTasks("trash-without");
    for (const body of [{ tasks: "cancel" }, { status: "archived", tasks: "cancel" }]) {
      expectProblem(await api.patch(`/api/emails/${mail.id}`, body), 422, "validation_failed");
      expectProblem(await api.patch("/api/emails", { ids: [mail.id], ...body }), 422, "validation_failed");
    }
  });
});
