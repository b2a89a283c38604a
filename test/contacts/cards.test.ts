import { describe, expect, it } from "vitest";
import { service } from "../harness.ts";

const api = service();
const load = (raw: string) =>
  api.call("POST", "/api/contacts/import", { raw, headers: { "content-type": "text/vcard" } });
const find = async (q: string) => (await api.get(`/api/contacts?q=${encodeURIComponent(q)}`)).body.data;
const card = (...lines: string[]) => ["BEGIN:VCARD", "VERSION:3.0", ...lines, "END:VCARD", ""].join("\r\n");

describe("a vCard file", () => {
  it("is read as address books write it", async () => {
    const file = [
      card(
        "N:Blum;Rosa;;;",
        "FN:Rosa Blum",
        "item1.EMAIL;type=INTERNET;type=pref:Rosa@Cards.Example",
        "EMAIL;TYPE=home:rosa@old.example",
        "TEL;type=CELL;type=VOICE:+49 170 55",
        "ORG:Blum\\, Söhne;Sales",
        "NOTE:First line\\nsecond; with a very long text that is folded by the program at the",
        "  seventy-fifth byte",
        "PHOTO;ENCODING=b;TYPE=JPEG:AAAA",
      ),
      "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=\n=B6rg\nEMAIL:joerg@cards.example\nEND:VCARD\n",
      card("FN:Friends", "X-ADDRESSBOOKSERVER-KIND:group"),
      card("FN:", "EMAIL:"),
      card("FN:Only Phone", "TEL:tel:+1-555-0100"),
    ].join("");
    const { status, body } = await load(file);
    expect([status, body]).toEqual([200, { created: 3, updated: 0, unchanged: 0, skipped: 2 }]);
    const [rosa] = await find("rosa cards");
    expect(rosa).toMatchObject({
      name: "Rosa Blum",
      addresses: ["rosa@cards.example", "rosa@old.example"],
      company: "Blum, Söhne",
      phones: [{ label: "mobile", number: "+49 170 55" }],
      notes: "First line\nsecond; with a very long text that is folded by the program at the seventy-fifth byte",
      isSaved: true,
    });
    expect((await find("jorg"))[0]?.name).toBe("Jörg Müller");
    expect((await find("only phone"))[0]?.phones).toEqual([{ label: "", number: "+1-555-0100" }]);
  });

  it("changes nothing the second time", async () => {
    const file = card("FN:Twice", "EMAIL:twice@cards.example");
    await load(file);
    expect((await load(file)).body).toEqual({ created: 0, updated: 0, unchanged: 1, skipped: 0 });
  });

  it("adds to a contact what it does not have, and replaces nothing", async () => {
    const { body } = await api.post("/api/contacts", {
      name: "My Name",
      addresses: ["add@cards.example"],
      notes: "Mine",
    });
    await load(card("FN:Other Name", "EMAIL:add@cards.example", "EMAIL:more@cards.example", "ORG:Firm", "NOTE:Theirs"));
    expect((await api.get(`/api/contacts/${body.id}`)).body).toMatchObject({
      name: "My Name",
      addresses: ["add@cards.example", "more@cards.example"],
      company: "Firm",
      notes: "Mine",
      version: 2,
    });
  });

  it("names people that were added by themselves, and joins those that are one", async () => {
    for (const from of ["j1@joined.example", "J Two <j2@joined.example>"]) {
      await api.post("/api/emails", { from, to: "me@example.com", subject: "Hi", body: "Hello there" });
    }
    const { body } = await load(card("FN:Jo Join", "EMAIL:j1@joined.example", "EMAIL:j2@joined.example"));
    expect(body).toMatchObject({ created: 0, updated: 1 });
    expect(await find("joined")).toMatchObject([{ name: "Jo Join", received: 2, isSaved: true }]);
  });

  it("with one person on two cards makes one contact", async () => {
    const file = card("FN:Same", "EMAIL:same@cards.example") + card("FN:Same", "EMAIL:same@cards.example", "TEL:123");
    expect((await load(file)).body.created).toBe(1);
    expect((await find("same cards"))[0]?.phones).toHaveLength(1);
  });

  it("loses nobody: not who shares an address, has an agent, only a nickname or a company", async () => {
    const file = [
      card("FN:Aunt One", "EMAIL:aunt@lost.example"),
      card("FN:Uncle Two", "EMAIL:uncle@lost.example", "TEL:2"),
      card("FN:Family Both", "EMAIL:aunt@lost.example", "EMAIL:uncle@lost.example"),
      "BEGIN:VCARD\nVERSION:2.1\nFN:Outer Lost\nAGENT:\nBEGIN:VCARD\nFN:Inner\nEND:VCARD\nEMAIL:boss@lost.example\nEND:VCARD\n",
      card("NICKNAME:Bobo", "EMAIL:bobo@lost.example"),
      card("ORG:Lost GmbH", "TEL:3"),
      "BEGIN:VCARD\nFN:Not Ended\n",
      card("FN:Same Lost", "TEL:1"),
      card("FN:Same Lost", "TEL:1"),
      card("FN:Same Lost", "TEL:2"),
      card("EMAIL:noname@lost.example"),
      "BEGIN:VCARD\nFN:Cut off",
    ].join("");
    expect((await load(file)).body).toEqual({ created: 9, updated: 0, unchanged: 0, skipped: 2 });
    const found: { name: string; addresses: string[] }[] = await find("lost");
    expect(found.map(({ name, addresses }) => [name, ...addresses].join(" ")).sort()).toEqual(
      [
        "Aunt One aunt@lost.example",
        "Bobo bobo@lost.example",
        "Lost GmbH",
        "Outer Lost boss@lost.example",
        "Same Lost",
        "Same Lost",
        "Uncle Two uncle@lost.example",
        " noname@lost.example",
      ].sort(),
    );
    expect(await find("family both")).toMatchObject([{ addresses: [] }]);
    expect((await load(file)).body).toMatchObject({ created: 0, updated: 0 });
    expect((await load((await api.get("/api/contacts/export")).text)).body).toMatchObject({ created: 0, updated: 0 });
  });

  it.each([
    [
      "UTF-16",
      (text: string) => new Uint8Array(new Uint16Array([...`\ufeff${text}`].map((each) => each.charCodeAt(0))).buffer),
    ],
    ["the encoding of Windows", (text: string) => new Uint8Array([...text].map((each) => each.charCodeAt(0)))],
  ])("is read in %s", async (name, encode) => {
    const raw = encode(card("FN:Jürgen Großmann", `EMAIL:${name.length}@encoded.example`));
    await api.call("POST", "/api/contacts/import", { raw, headers: { "content-type": "text/vcard" } });
    expect(await find(`${name.length} encoded`)).toMatchObject([{ name: "Jürgen Großmann" }]);
  });

  it("gives a contact as many addresses and numbers as it may have, however the cards are joined", async () => {
    const links = Array.from({ length: 40 }, (_, index) => [
      ...[`EMAIL:link${index}@chain.example`, `EMAIL:link${index + 1}@chain.example`, `TEL:0${index}`],
    ]);
    expect((await load(links.map((lines) => card("FN:Chain", ...lines)).join(""))).status).toBe(200);
    const people: { addresses: string[]; phones: unknown[] }[] = await find("chain");
    expect(Math.max(...people.flatMap(({ addresses, phones }) => [addresses.length, phones.length]))).toBe(20);
    const addresses = people.flatMap((person) => person.addresses);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it("is refused if it is none", async () => {
    expect((await load("hello")).status).toBe(422);
    expect((await api.post("/api/contacts/import", {})).status).toBe(422);
  });

  it("of a thousand people is imported in a few round trips, and exported whole", async () => {
    const many = Array.from({ length: 1200 }, (_, index) =>
      card(`FN:Bulk ${index}`, `EMAIL:bulk${index}@many.example`),
    );
    expect((await load(many.join(""))).body).toMatchObject({ created: 1200 });
    const file = await api.get("/api/contacts/export");
    expect(file.headers.get("content-type")).toContain("text/vcard");
    expect(file.text.match(/^FN:Bulk /gm)).toHaveLength(1200);
    expect(file.text.split("\r\n").every((line) => new TextEncoder().encode(line).length <= 75)).toBe(true);
    expect((await load(file.text)).body).toMatchObject({ created: 0, updated: 0 });
  });
});
