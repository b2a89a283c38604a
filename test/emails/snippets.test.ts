import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";

const api = service();
const PATH = "/api/emails/snippets";

describe("snippets", () => {
  it("are created, listed by name, changed and deleted", async () => {
    const created = await api.post(PATH, { name: " Zulu-Thanks ", text: "Hello {first name},\n{cursor}" });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ name: "zulu-thanks", text: "Hello {first name},\n{cursor}", version: 1 });
    await api.post(PATH, { name: "alpha", text: "A" });
    const names = (await api.get(PATH)).body.data.map(({ name }: { name: string }) => name);
    expect(names.indexOf("alpha")).toBeLessThan(names.indexOf("zulu-thanks"));
    const path = `${PATH}/${created.body.id}`;
    expect((await api.patch(path, { text: "Dear {first name}" })).body).toMatchObject({
      name: "zulu-thanks",
      version: 2,
    });
    expectProblem(await api.patch(path, { text: "x" }, { headers: { "if-match": '"1"' } }), 412, "version_conflict");
    expectProblem(await api.patch(path, {}), 422, "nothing_to_update");
    expect((await api.delete(path)).status).toBe(204);
    expectProblem(await api.delete(path), 404, "not_found");
  });

  it("have names of their own, also when two are made at once", async () => {
    const make = () => api.post(PATH, { name: "once", text: "x" });
    const both = await Promise.all([make(), make()]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const other = await api.post(PATH, { name: "other", text: "x" });
    expectProblem(await api.patch(`${PATH}/${other.body.id}`, { name: "ONCE" }), 409, "conflict");
    for (const name of ["two words", "", ";semi", "x".repeat(41)]) {
      expectProblem(await api.post(PATH, { name, text: "x" }), 422, "validation_failed");
    }
  });
});
