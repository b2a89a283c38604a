import { describe, expect, it } from "vitest";
import { service } from "../harness.ts";
import { ready } from "./listening.ts";

const api = service();

describe("a live client", () => {
  it("hears of a change right away", async () => {
    const listeners = await Promise.all([ready(), ready(), ready()]);
    const { body } = await api.post("/api/tasks", { title: "Call the bank" });
    for (const listener of listeners) {
      const heard = await listener.next();
      expect(heard).toMatchObject({ event: "change", data: { type: "task.created", recordId: body.id, version: 1 } });
      await listener.leave();
    }
  });
});
