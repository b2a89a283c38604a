import { describe, expect, it } from "vitest";
import { countRows, signedInPerson } from "../auth/people.ts";
import { expectErrorLog, expectProblem, service } from "../harness.ts";
import { fakeMail, refusal } from "./fake-mail.ts";
import { storeMail } from "./new-mail.ts";

const PATH = "/api/emails/drafts";
const MAIL_FROM = "assistant@ours.example";

function desk(answer?: () => unknown) {
  const { sent, EMAIL } = fakeMail(answer);
  const api = service({ EMAIL, MAIL_FROM });
  const create = async (fields: Record<string, unknown>) => (await api.post(PATH, fields)).body;
  return { sent, api, create };
}

describe("a draft", () => {
  it("may be incomplete, is kept on every change, and is listed by its latest change", async () => {
    const { api, create } = desk();
    const empty = await create({});
    expect(empty).toMatchObject({ delivery: "draft", to: [], subject: "", body: "", html: null, version: 1 });
    const second = await create({ subject: "Second" });
    const changed = await api.patch(`${PATH}/${empty.id}`, { to: "Ann <ann@example.com>", body: "Hi" });
    expect(changed.headers.get("etag")).toBe('"2"');
    expect((await api.get(`${PATH}/${empty.id}`)).body).toEqual(changed.body);
    const first = await api.get(`${PATH}?limit=1`);
    expect(first.body.data).toEqual([changed.body]);
    const next = await api.get(`${PATH}?limit=1&cursor=${first.body.nextCursor}`);
    expect(next.body.data).toEqual([second]);
  });

  it("is changed and deleted only at the version that If-Match names", async () => {
    const { api, create } = desk();
    const { id } = await create({ subject: "Versioned" });
    const old = { headers: { "if-match": '"1"' } };
    expect((await api.patch(`${PATH}/${id}`, { subject: "New" }, old)).status).toBe(200);
    expectProblem(await api.patch(`${PATH}/${id}`, { subject: "Lost" }, old), 412, "version_conflict");
    expectProblem(await api.post(`${PATH}/${id}/send`, undefined, old), 412, "version_conflict");
    expectProblem(await api.delete(`${PATH}/${id}`, old), 412, "version_conflict");
    expectProblem(await api.patch(`${PATH}/${id}`, {}), 422, "nothing_to_update");
    expect((await api.delete(`${PATH}/${id}`)).status).toBe(204);
    expectProblem(await api.get(`${PATH}/${id}`), 404, "not_found");
  });

  it("becomes an email when it is sent, and is no draft any more", async () => {
    const { sent, api, create } = desk();
    const { id } = await create({ to: "ann@example.com", bcc: "eve@example.com", subject: "Done", html: "<p>Hi</p>" });
    const { status, body } = await api.post(`${PATH}/${id}/send`);
    expect(status).toBe(201);
    expect(body).toMatchObject({ delivery: "sent", subject: "Done", body: "Hi", bcc: [{ email: "eve@example.com" }] });
    expect(sent).toHaveLength(1);
    expectProblem(await api.get(`${PATH}/${id}`), 404, "not_found");
    expectProblem(await api.post(`${PATH}/${id}/send`), 404, "not_found");
  });

  it("sent by several requests at once leaves once", async () => {
    const { sent, api, create } = desk();
    const { id } = await create({ to: "ann@example.com", subject: "Once", body: "Hi" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(`${PATH}/${id}/send`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404, 404]);
    expect(sent).toHaveLength(1);
    expect(await countRows("emails", "subject = 'Once'")).toBe(1);
  });

  it("that lacks something is refused with what it lacks, and stays", async () => {
    const { sent, api, create } = desk();
    for (const [fields, path] of [
      [{ subject: "x", body: "x" }, "to"],
      [{ to: "ann@example.com", body: "x" }, "subject"],
      [{ to: "ann@example.com", subject: "x" }, "body"],
      [{ to: "ann@example.com", subject: "x", body: "x", sendAt: "2020-01-01T00:00:00Z" }, "sendAt"],
    ] as const) {
      const { id } = await create(fields);
      const answer = await api.post(`${PATH}/${id}/send`);
      expectProblem(answer, 422, "validation_failed");
      expect(answer.body.errors[0].path).toBe(path);
      expect((await api.get(`${PATH}/${id}`)).body.version).toBe(1);
    }
    expect(sent).toHaveLength(0);
  });

  it("is stored whatever its recipients look like, and gives them back in order, as they were written", async () => {
    const { api, create } = desk();
    const written = ["Priya", "Ann <ann@example.com>", "half@", "Jo <jo@", "a b c", "x".repeat(3000)];
    const draft = await create({ to: written, cc: "priya", bcc: [{ name: "Bo", email: "bo" }], body: "Dear Priya" });
    const kept = written.with(1, "");
    const to = kept.map((each) => each || { name: "Ann", email: "ann@example.com" });
    expect(draft).toMatchObject({ to, cc: ["priya"], bcc: ["Bo <bo>"], body: "Dear Priya" });
    const again = await api.patch(`${PATH}/${draft.id}`, { to: draft.to, cc: draft.cc, bcc: draft.bcc, body: "More" });
    expect(again.body).toMatchObject({ to, cc: ["priya"], bcc: ["Bo <bo>"], body: "More" });
    expect((await api.get(`${PATH}?limit=1`)).body.data[0].to).toEqual(to);
    expect((await create({ to: ["", "  "], body: "Hi" })).to).toEqual([]);
  });

  it("with a recipient that is no address is refused only when it is sent, with each of them named, and stays", async () => {
    const { sent, api, create } = desk();
    const fields = { to: ["Priya", "ann@example.com"], cc: ["bob@"], subject: "Hello", body: "Hi" };
    for (const sendAt of [null, "2099-01-01T00:00:00Z"]) {
      const draft = await create({ ...fields, sendAt });
      const answer = await api.post(`${PATH}/${draft.id}/send`);
      expectProblem(answer, 422, "validation_failed");
      expect(answer.body.errors).toEqual([
        { path: "to.0", message: "“Priya” is not an email address" },
        { path: "cc.0", message: "“bob@” is not an email address" },
      ]);
      expect((await api.get(`${PATH}/${draft.id}`)).body).toEqual(draft);
      await api.patch(`${PATH}/${draft.id}`, { to: "priya@example.com", cc: [], sendAt: null });
      expect((await api.post(`${PATH}/${draft.id}/send`)).body.delivery).toBe("sent");
    }
    expect(sent).toHaveLength(2);
  });

  it("is found by the email that it answers or forwards", async () => {
    const { api, create } = desk();
    const mail = await storeMail(api, "draft-found", { subject: "Found" });
    const reply = await create({ inReplyTo: mail.id, body: "Yes" });
    const forward = await create({ forwardOf: mail.id });
    await create({ body: "Another" });
    const found = (await api.get(`${PATH}?emailId=${mail.id}`)).body.data;
    expect(found.map(({ id }: { id: number }) => id).sort()).toEqual([reply.id, forward.id].sort());
  });

  it("that the email service refuses is a draft again, and can be sent later", async () => {
    expectErrorLog("mail_not_sent");
    const { api, create } = desk(() => {
      throw refusal();
    });
    const draft = await create({ to: "ann@example.com", subject: "Refused draft", body: "Hi" });
    const answer = await api.post(`${PATH}/${draft.id}/send`);
    expectProblem(answer, 502, "provider_error");
    expect(answer.body.detail).toContain("The draft is kept");
    expect((await api.get(`${PATH}/${draft.id}`)).body).toMatchObject({ body: "Hi", version: 2 });
    expect(await countRows("emails", "subject = 'Refused draft'")).toBe(0);
    const again = desk();
    expect((await again.api.post(`${PATH}/${draft.id}/send`)).body.delivery).toBe("sent");
  });

  it("whose outcome is lost is an email that may have left, and no draft that invites a second one", async () => {
    expectErrorLog("mail_not_sent");
    const { api, create } = desk(() => {
      throw new Error("connection lost");
    });
    const { id } = await create({ to: "ann@example.com", subject: "Lost draft", body: "Hi" });
    expectProblem(await api.post(`${PATH}/${id}/send`), 504, "provider_timeout");
    expectProblem(await api.get(`${PATH}/${id}`), 404, "not_found");
    const [email] = (await api.get("/api/emails?q=Lost+draft")).body.data;
    expect(email.delivery).toBe("failed");
    expectProblem(await api.post(`/api/emails/${email.id}/cancel-send`), 409, "email_already_sent");
  });

  it("of a reply knows its original: recipients, subject, thread and quote", async () => {
    const { sent, api, create } = desk();
    const mail = await storeMail(api, "draft-reply", { messageId: "<draft-o@x>", subject: "Q", cc: "bob@example.com" });
    const draft = await create({ inReplyTo: mail.id, replyAll: true });
    expect(draft).toMatchObject({
      inReplyTo: mail.id,
      to: [{ email: "ann@example.com" }],
      cc: [{ email: "hello@example.com" }, { email: "bob@example.com" }],
      subject: "Re: Q",
    });
    await api.patch(`${PATH}/${draft.id}`, { body: "Yes", cc: [] });
    const { body } = await api.post(`${PATH}/${draft.id}/send`);
    expect(body).toMatchObject({ threadId: mail.threadId, inReplyTo: "<draft-o@x>", cc: [] });
    expect(sent[0]?.text).toMatch(/^Yes\n\nOn .+ wrote:\n> Hello there\.$/);
  });

  it("of a forward carries the original, and survives its deletion", async () => {
    const { sent, api, create } = desk();
    const mail = await storeMail(api, "draft-forward", { subject: "F" });
    const draft = await create({ forwardOf: mail.id, to: "bob@example.com" });
    expect(draft).toMatchObject({ subject: "Fwd: F", forwardOf: mail.id });
    await api.post(`${PATH}/${draft.id}/send`);
    expect(sent[0]?.text).toContain("Hello there.");
    const other = await create({ forwardOf: mail.id, to: "bob@example.com", body: "Below" });
    await api.delete(`/api/emails/${mail.id}`);
    await api.post(`${PATH}/${other.id}/send`);
    expect(sent[1]?.text).toBe("Below");
    expectProblem(await api.post(PATH, { forwardOf: mail.id }), 422, "validation_failed");
    expectProblem(await api.post(PATH, { forwardOf: 1, inReplyTo: 1 }), 422, "validation_failed");
  });

  it("uses only an identity of the person who writes, and the default one once that is gone", async () => {
    const { sent, api } = desk();
    const [ada, eve] = [await signedInPerson("owner"), await signedInPerson("owner")];
    const options = { token: ada.token };
    const make = async (name: string) =>
      (await api.post("/api/settings/identities", { name, signature: `-${name}-` }, options)).body.id;
    await make("Default");
    const identityId = await make("Work");
    const fields = { to: "ann@example.com", subject: "As work", body: "Hi", identityId };
    expectProblem(await api.post(PATH, fields, { token: eve.token }), 422, "validation_failed");
    expectProblem(await api.post(PATH, fields), 422, "validation_failed");
    const { body: draft } = await api.post(PATH, fields, options);
    expectProblem(
      await api.post(`${PATH}/${draft.id}/send`, undefined, { token: eve.token }),
      422,
      "validation_failed",
    );
    await api.delete(`/api/settings/identities/${identityId}`, options);
    expect((await api.get(`${PATH}/${draft.id}`)).body.identityId).toBeNull();
    await api.post(`${PATH}/${draft.id}/send`, undefined, options);
    expect(sent[0]).toMatchObject({ from: { name: "Default" }, text: "Hi\n\n-- \n-Default-" });
  });

  it("needs the scope of emails", async () => {
    const { api } = desk();
    const person = await signedInPerson("owner");
    const { body } = await api.post(
      "/api/settings/security/api-keys",
      { name: "k", scopes: ["emails:read"], expiresInDays: null, currentPassword: "correct horse battery staple" },
      { token: person.token },
    );
    expectProblem(await api.post(PATH, {}, { token: body.key }), 403, "insufficient_scope");
    expect((await api.get(PATH, { token: body.key })).status).toBe(200);
  });
});
