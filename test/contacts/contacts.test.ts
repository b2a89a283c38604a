import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import type { Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor, setClock, signedInPerson } from "../auth/people.ts";
import { emptyService, expectProblem, service } from "../harness.ts";

const api = service();

interface Person {
  id: number;
  name: string;
  addresses: string[];
  isSaved: boolean;
  received: number;
  sent: number;
  lastAt: string | null;
  version: number;
}

const find = async (q: string): Promise<Person[]> =>
  (await api.get(`/api/contacts?q=${encodeURIComponent(q)}&limit=8`)).body.data;
const only = async (q: string): Promise<Person> => {
  const [person, ...others] = await find(q);
  expect([person !== undefined, others.length]).toEqual([true, 0]);
  return person as Person;
};
const arrive = (from: string, more: object = {}) =>
  api.post("/api/emails", { from, to: "me@example.com", subject: "Hello", body: "Are you there?", ...more });

describe("people who write", () => {
  it("are added with their name, and counted", async () => {
    await arrive("Orla Quint <Orla.Quint@example.com>", { receivedAt: "2026-10-01T10:00:00Z" });
    await arrive("Orla Quint <orla.quint@example.com>", { receivedAt: "2026-11-01T10:00:00Z" });
    const orla = await only("orl");
    expect(orla).toMatchObject({
      name: "Orla Quint",
      addresses: ["orla.quint@example.com"],
      isSaved: false,
      outside: true,
      received: 2,
      sent: 0,
      lastAt: "2026-11-01T10:00:00.000Z",
    });
  });

  it("are not machines, newsletters or suspects", async () => {
    await arrive("Zeitung <noreply@zeitblatt.example>", { subject: "Newsletter" });
    await arrive("Vera Spamfeld <vera@spamfeld.example>", { status: "spam" });
    const found = [...(await find("zeitblatt")), ...(await find("spamfeld"))];
    expect(found.filter(({ addresses }) => !addresses[0]?.startsWith("noreply"))).toEqual([]);
  });

  it("get the name of their newest email, unless they are saved", async () => {
    await arrive("tove@namechange.example", { receivedAt: "2026-10-01T10:00:00Z" });
    await arrive("Tove Lind <tove@namechange.example>", { receivedAt: "2026-10-02T10:00:00Z" });
    await arrive("Old Name <tove@namechange.example>", { receivedAt: "2026-09-02T10:00:00Z" });
    const tove = await only("namechange");
    expect(tove.name).toBe("Tove Lind");
    await api.patch(`/api/contacts/${tove.id}`, { name: "Tove L." });
    await arrive("Evil <tove@namechange.example>");
    expect(await only("namechange")).toMatchObject({ name: "Tove L.", isSaved: true, outside: true, received: 4 });
  });
});

describe("people who are written to or invited", () => {
  it("are added once, whatever field names them", async () => {
    await api.post("/api/emails", {
      direction: "outbound",
      from: "me@example.com",
      to: [
        { name: "Ida Fern", email: "ida@fernpost.example" },
        { name: "", email: "IDA@fernpost.example" },
      ],
      cc: [{ name: "Bo", email: "bo@fernpost.example" }],
      subject: "Plan",
      body: "Here it is.",
    });
    const people = await find("fernpost");
    expect(people.map(({ name, sent }) => [name, sent]).sort()).toEqual([
      ["Bo", 1],
      ["Ida Fern", 1],
    ]);
  });

  it("were not contacted in the future", async () => {
    const sendAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    await api.post("/api/emails/send", { to: "later@future.example", subject: "Later", body: "…", sendAt });
    const { lastAt } = await only("later future");
    expect(Date.parse(lastAt ?? "")).toBeLessThanOrEqual(Date.now());
  });

  it("are found after an event with guests", async () => {
    const event = { title: "Lunch", start: "2026-12-01T12:00:00Z", durationMinutes: 60 };
    await api.post("/api/calendar/events", {
      ...event,
      attendees: [{ name: "Nils Guest", email: "nils@table.example" }],
    });
    expect(await only("nils gue")).toMatchObject({ name: "Nils Guest", received: 0, sent: 0 });
  });
});

describe("the people of this service", () => {
  const closed = service({ ACCESS_MODE: "private", MAIL_FROM: "desk@own-domain.example" });

  it("are nobody's contact, under the addresses that they sign in and write with", async () => {
    const owner = await signedInPerson("owner");
    const other = await signedInPerson();
    const own = "Sales@own-domain.example";
    expect((await closed.post("/api/settings/identities", { name: "Sales", address: own }, owner)).status).toBe(201);
    const invitation = "me@elsewhere.example";
    const addresses = [owner.email, other.email, own, "guest@own-domain.example"];
    for (const from of addresses) await arrive(`Name <${from}>`);
    await api.post("/api/emails", {
      direction: "outbound",
      from: owner.email,
      to: addresses,
      subject: "Us",
      body: "…",
    });
    await api.post("/api/calendar/events", {
      title: "We",
      start: "2026-12-02T12:00:00Z",
      durationMinutes: 60,
      attendees: [...addresses, invitation].map((email) => ({ name: "Name", email })),
    });
    const { results } = await env.DB.prepare(
      "SELECT address FROM contact_addresses WHERE address IN (SELECT lower(value) FROM json_each(?)) ORDER BY address",
    )
      .bind(JSON.stringify([...addresses, invitation]))
      .all<{ address: string }>();
    expect(results.map(({ address }) => address)).toEqual(["guest@own-domain.example", invitation]);
    // Whoever wants to be in the list may save themselves.
    expect((await api.post("/api/contacts", { name: "Me", addresses: [owner.email] })).status).toBe(201);
    await arrive(`Name <${owner.email}>`);
    expect(await only(owner.email)).toMatchObject({ name: "Me", received: 1 });
  });
});

describe("completion", () => {
  it("finds the beginning of any word, without accents, and puts the likeliest first", async () => {
    const old = { receivedAt: "2024-01-01T10:00:00Z" };
    await arrive("Mäx Aaltonen <max@compl-one.example>", old);
    await arrive("Maxi Berg <maxi@compl-two.example>");
    await api.post("/api/contacts", { name: "Max Cole", addresses: ["cole@compl-three.example"] });
    for (let turn = 0; turn < 3; turn++) {
      await api.post("/api/emails", {
        direction: "outbound",
        from: "me@example.com",
        to: "Maxima Dorn <dorn@compl-four.example>",
        subject: `Note ${turn}`,
        body: "…",
      });
    }
    expect((await find("max compl")).map(({ name }) => name)).toEqual([
      "Maxima Dorn",
      "Maxi Berg",
      "Mäx Aaltonen",
      "Max Cole",
    ]);
    expect((await find("compl-two.ex")).map(({ name }) => name)).toEqual(["Maxi Berg"]);
    expect(await find('"* (')).toEqual([]);
    expect(await find("---")).toEqual([]);
  });

  it("continues with a cursor, and refuses that of another search", async () => {
    for (const name of ["Ann", "Ben", "Cid"]) await arrive(`${name} Pagesworth <${name}@pages.example>`);
    const first = await api.get("/api/contacts?q=pagesw&limit=2");
    const next = await api.get(`/api/contacts?q=pagesw&limit=2&cursor=${first.body.nextCursor}`);
    expect([first.body.data.length, next.body.data.length, next.body.nextCursor]).toEqual([2, 1, null]);
    expect((await api.get(`/api/contacts?q=other&cursor=${first.body.nextCursor}`)).status).toBe(422);
  });
});

describe("a saved contact", () => {
  it("takes in the people that were added by themselves, with their counts", async () => {
    await arrive("P. Hahn <hahn@work.example>");
    await arrive("Petra <petra@home-hahn.example>");
    await arrive("Petra <petra@home-hahn.example>", { subject: "again" });
    const [known] = await find("hahn work");
    const saved = await api.post("/api/contacts", {
      name: "Petra Hahn",
      addresses: ["Hahn@work.example", "petra@home-hahn.example"],
      phones: [{ label: "mobile", number: "+49 170 1" }],
    });
    expect(saved.status).toBe(201);
    expect(saved.body).toMatchObject({
      isSaved: true,
      received: 3,
      addresses: ["hahn@work.example", "petra@home-hahn.example"],
    });
    expect(await find("hahn")).toHaveLength(1);
    expect(known && (await api.get(`/api/contacts/${known.id}`)).status).toBeOneOf([200, 404]);
    await arrive("Somebody <hahn@work.example>");
    expect(await only("petra hahn")).toMatchObject({ name: "Petra Hahn", received: 4 });
  });

  it("keeps its address to itself", async () => {
    const one = await api.post("/api/contacts", { name: "One", addresses: ["one@taken.example"] });
    const two = await api.post("/api/contacts", { name: "Two", addresses: ["two@taken.example"] });
    const again = await api.post("/api/contacts", { name: "Three", addresses: ["one@taken.example"] });
    expect([again.status, again.body.code, again.body.contactId]).toEqual([409, "contact_exists", one.body.id]);
    const moved = await api.patch(`/api/contacts/${two.body.id}`, { addresses: ["one@taken.example"] });
    expect([moved.status, moved.body.code]).toEqual([409, "contact_exists"]);
    expect((await find("taken")).map(({ addresses }) => addresses[0]).sort()).toEqual([
      "one@taken.example",
      "two@taken.example",
    ]);
  });

  it("is written only by those who know its version, and once at a time", async () => {
    const { body } = await api.post("/api/contacts", { name: "Ver Sion", addresses: ["v@version.example"] });
    const headers = { "if-match": `"${body.version}"` };
    const answers = await Promise.all(
      ["A", "B", "C"].map((company) => api.patch(`/api/contacts/${body.id}`, { company }, { headers })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect((await api.patch(`/api/contacts/${body.id}`, {})).body.code).toBe("nothing_to_update");
    expect((await api.patch("/api/contacts/999999", { name: "x" })).status).toBe(404);
  });

  it("saved ten times at once is there once", async () => {
    const input = { name: "Race", addresses: ["race@contacts.example"] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post("/api/contacts", input)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(await find("race contacts")).toHaveLength(1);
  });

  it("is deleted, is no longer found, and comes back with the next email", async () => {
    const { body } = await api.post("/api/contacts", { name: "Gone Soon", addresses: ["gone@soon.example"] });
    expect((await api.delete(`/api/contacts/${body.id}`)).status).toBe(200);
    expect(await find("gone soon")).toEqual([]);
    await arrive("Gone <gone@soon.example>");
    expect(await only("gone soon")).toMatchObject({ name: "Gone", isSaved: false });
  });

  it("has addresses that are addresses", async () => {
    const { status, body } = await api.post("/api/contacts", { name: "X", addresses: ["nonsense"] });
    expect([status, body.errors[0].path]).toEqual([422, "addresses.0"]);
  });
});

describe("a deleted contact", () => {
  const restore = (undo: unknown) => api.post("/api/contacts/restore", { undo });

  it("comes back as it was, with whoever was added by themselves meanwhile", async () => {
    await arrive("Bea <bea@undo.example>");
    const [{ id }] = (await api.get("/api/contacts?q=undo")).body.data;
    await api.patch(`/api/contacts/${id}`, { name: "Bea Undone", notes: "Tall", phones: [{ label: "", number: "1" }] });
    const before = (await api.get(`/api/contacts/${id}`)).body;
    const { body: deletion } = await api.delete(`/api/contacts/${id}`);
    expect(deletion.undo).not.toContain("Tall");
    await arrive("Somebody <bea@undo.example>");
    const { status, body } = await restore(deletion.undo);
    const { updatedAt: _, lastAt: __, ...same } = before;
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...same, received: 2, version: before.version + 1 });
    expect((await find("undo")).map((each) => each.id)).toEqual([id]);
    expectProblem(await restore(deletion.undo), 409, "undo_outdated");
  });

  it("is restored once, however often it is asked for at once", async () => {
    const { body } = await api.post("/api/contacts", { name: "Many Undos", addresses: ["many@undos.example"] });
    const { undo } = (await api.delete(`/api/contacts/${body.id}`)).body;
    const answers = await Promise.all(Array.from({ length: 5 }, () => restore(undo)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await find("undos")).toHaveLength(1);
  });

  it("does not take an address from a saved contact, and does not come back after a day", async () => {
    const { body } = await api.post("/api/contacts", { name: "Late", addresses: ["late@undo-two.example"] });
    const { undo } = (await api.delete(`/api/contacts/${body.id}`)).body;
    const other = await api.post("/api/contacts", { name: "Other", addresses: ["late@undo-two.example"] });
    expectProblem(await restore(undo), 409, "contact_exists");
    await api.delete(`/api/contacts/${other.body.id}`);
    setClock(Date.now() + 25 * 3_600_000);
    expectProblem(await restore(undo), 404, "not_found");
    vi.useRealTimers();
  });

  it("is what a deletion returned, and nothing else", async () => {
    expectProblem(await restore("nonsense"), 422, "validation_failed");
    expectProblem(await restore(7), 422, "validation_failed");
  });
});

describe("the list", () => {
  it("is in the order of names, and can be narrowed to saved ones", async () => {
    await api.post("/api/contacts", { name: "aab List", addresses: [] });
    await api.post("/api/contacts", { name: "AAA List", addresses: [] });
    const names = (await api.get("/api/contacts?saved=true&limit=2")).body.data.map(({ name }: Person) => name);
    expect(names).toEqual(["AAA List", "aab List"]);
    const { body } = await api.get("/api/contacts?saved=false&limit=100");
    expect(body.data.every(({ isSaved }: Person) => !isSaved)).toBe(true);
  });
});

it("has the same words in its index as in its rows", async () => {
  const { results } = await env.DB.prepare(
    "SELECT (SELECT count(*) FROM contacts) AS rows, (SELECT count(*) FROM contacts_search) AS indexed",
  ).all();
  expect(results[0]?.rows).toBe(results[0]?.indexed);
});

describe("a program", () => {
  const closed = service({ ACCESS_MODE: "private" });

  async function prepare() {
    await emptyService();
    const owner = await signedInPerson("owner");
    const scopes: Scope[] = ["emails:read", "emails:write"];
    const { key } = await createApiKey(await contextFor(owner.token), { name: "sync", scopes, expiresAt: null });
    return { person: { token: owner.token }, program: { token: key } };
  }
  const CARD =
    "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Hana\r\nEMAIL:hana@home.example\r\nEMAIL:thief@else.example\r\nEND:VCARD\r\n";

  it.each([
    ["saved", "/api/contacts", { name: "Hana Kral", addresses: ["hana@home.example"] }],
    ["met by email", "/api/emails", { from: "Hana Kral <hana@home.example>", subject: "Hi", body: "Hello." }],
  ])("changes, deletes and takes over no contact that a person %s", async (_, source, input) => {
    const { person, program } = await prepare();
    expect((await closed.post(source, input, person)).status).toBe(201);
    const [hana] = (await closed.get("/api/contacts?q=hana", person)).body.data;
    const path = `/api/contacts/${hana.id}`;
    const thief = { name: "Hana", addresses: ["thief@else.example", "hana@home.example"] };
    expectProblem(await closed.patch(path, thief, program), 403, "forbidden");
    expectProblem(await closed.delete(path, program), 403, "forbidden");
    expectProblem(await closed.post("/api/contacts", thief, program), 409, "contact_exists");
    const file = { raw: CARD, headers: { "content-type": "text/vcard" } };
    const imported = await closed.call("POST", "/api/contacts/import", { ...file, ...program });
    expect(imported.body).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    expect((await closed.get(path, person)).body).toEqual(hana);
    expect((await closed.call("POST", "/api/contacts/import", { ...file, ...person })).body.updated).toBe(1);
    expect((await closed.get(path, person)).body.addresses).toEqual(["hana@home.example", "thief@else.example"]);
    expect((await closed.delete(path, person)).status).toBe(200);
  });

  it("adds contacts: the chat asks which of the people of a name is meant", async () => {
    const { person, program } = await prepare();
    await closed.post("/api/emails", { from: "Hana <hana@home.example>", subject: "Hi", body: "Hello." }, person);
    const thief = { name: "Hana", addresses: ["thief@else.example"] };
    expect((await closed.post("/api/contacts", thief, program)).body).toMatchObject({ outside: true });
    const { body } = await closed.post("/api/ai/chat", { message: "write an email to Hana saying I am late" }, person);
    expect(body.reply).toContain("hana@home.example");
    expect(body.reply).toContain("thief@else.example");
    expect((await closed.get("/api/emails/drafts", person)).body.data).toEqual([]);
  });
});
