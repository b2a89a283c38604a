import { describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { fakeMail } from "./fake-mail.ts";

const PATH = "/api/settings/identities";
const vars = { MAIL_FROM: "assistant@ours.example", EMAIL: fakeMail().EMAIL };

async function desk(role: "owner" | "member" = "owner") {
  const person = await signedInPerson(role);
  const api = service(vars);
  const options = { token: person.token };
  const create = (fields: Record<string, unknown>) => api.post(PATH, { name: "Ada", ...fields }, options);
  return { api, person, options, create };
}

describe("sender identities", () => {
  it("belong to one person: nobody else sees, changes or deletes them", async () => {
    const mine = await desk();
    const other = await desk("member");
    const { body } = await mine.create({ signature: "Ada\nEngines Ltd" });
    expect(body).toMatchObject({
      name: "Ada",
      address: null,
      signature: "Ada\nEngines Ltd",
      isDefault: true,
      version: 1,
    });
    expect((await other.api.get(PATH, other.options)).body.data).toEqual([]);
    expectProblem(await other.api.patch(`${PATH}/${body.id}`, { name: "Eve" }, other.options), 404, "not_found");
    expectProblem(await other.api.delete(`${PATH}/${body.id}`, other.options), 404, "not_found");
    expect((await mine.api.get(PATH, mine.options)).body.data).toEqual([body]);
  });

  it("have one default, also when two are made default at once", async () => {
    const { api, options, create } = await desk();
    const first = (await create({})).body;
    const second = (await create({ name: "Work" })).body;
    expect([first.isDefault, second.isDefault]).toEqual([true, false]);
    const third = (await create({ name: "Third" })).body;
    await Promise.all([
      api.patch(`${PATH}/${second.id}`, { isDefault: true }, options),
      api.patch(`${PATH}/${third.id}`, { isDefault: true }, options),
    ]);
    const { data } = (await api.get(PATH, options)).body;
    expect(data.filter((each: { isDefault: boolean }) => each.isDefault)).toHaveLength(1);
    expect(data[0].isDefault).toBe(false);
  });

  it("are changed only at the version that If-Match names", async () => {
    const { api, options, create } = await desk();
    const { id } = (await create({})).body;
    const headers = { "if-match": '"1"' };
    expect((await api.patch(`${PATH}/${id}`, { name: "A" }, { ...options, headers })).body.version).toBe(2);
    expectProblem(await api.patch(`${PATH}/${id}`, { name: "B" }, { ...options, headers }), 412, "version_conflict");
    expectProblem(await api.delete(`${PATH}/${id}`, { ...options, headers }), 412, "version_conflict");
    expectProblem(await api.patch(`${PATH}/${id}`, {}, options), 422, "nothing_to_update");
    expect((await api.delete(`${PATH}/${id}`, options)).status).toBe(204);
  });

  it("use only addresses at the domain of the service", async () => {
    const { create } = await desk();
    expectProblem(await create({ address: "ada@elsewhere.example" }), 422, "validation_failed");
    expectProblem(await create({ address: "ada@sub.ours.example" }), 422, "validation_failed");
    expect((await create({ address: "Ada@Ours.Example" })).body.address).toBe("ada@ours.example");
  });

  it("let a member use only the service's address and their own verified one", async () => {
    const { create } = await desk("member");
    expectProblem(await create({ address: "ceo@ours.example" }), 422, "validation_failed");
    expect((await create({ address: "assistant@ours.example" })).status).toBe(201);
  });

  it("never use the address of another account", async () => {
    const { create } = await desk();
    const address = `taken-${crypto.randomUUID().slice(0, 8)}@ours.example`;
    await service().post("/api/auth/register", { email: address, password: "correct horse battery staple", name: "T" });
    const answer = await create({ address });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.detail).toContain("another account");
  });

  it("need outgoing email only for an address of their own", async () => {
    const { person } = await desk();
    const api = service({ MAIL_FROM: undefined, EMAIL: undefined, ALLOW_PRIVATE_HOSTS: "false" });
    const options = { token: person.token };
    expectProblem(await api.post(PATH, { name: "A", address: "a@ours.example" }, options), 501, "mail_not_configured");
    expect((await api.post(PATH, { name: "A" }, options)).status).toBe(201);
  });

  it("refuse a name that would break a header", async () => {
    const { create } = await desk();
    expectProblem(await create({ name: "Ada\r\nBcc: eve@example.com" }), 422, "validation_failed");
  });
});
