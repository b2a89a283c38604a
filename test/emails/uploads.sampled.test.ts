import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { tidyEmailStorage } from "../../src/features/emails/orphans.ts";
import { deleteFiles } from "../../src/features/files/service.ts";
import { countRows, setClock } from "../auth/people.ts";
import { expectErrorLog, expectProblem, service, systemCtx } from "../harness.ts";
import { deliverQueue } from "../queued.ts";
import { rarely } from "../sampled.ts";
import { fakeMail, refusal } from "./fake-mail.ts";

const MB = 1024 * 1024;
const DAY = 86_400_000;
const LETTER = { to: "ann@example.com", subject: "Files", body: "Here." };

function desk(answer?: () => unknown) {
  const { sent, EMAIL } = fakeMail(answer);
  const vars = { EMAIL, MAIL_FROM: "assistant@ours.example" };
  const api = service(vars);
  const upload = (bytes: Uint8Array | string, query = "name=report.pdf", type = "application/octet-stream") =>
    api.call("POST", `/api/emails/attachments?${query}`, { raw: bytes as BodyInit, headers: { "content-type": type } });
  const idOf = async (bytes: Uint8Array | string, query?: string) => (await upload(bytes, query)).body.id as string;
  return { sent, vars, api, upload, idOf };
}

const keys = async () => (await env.FILES.list({ prefix: "uploads/" })).objects.map(({ key }) => key);
const hasObject = async (id: string) => (await keys()).some((key) => key.endsWith(id));
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

afterEach(() => {
  vi.useRealTimers();
});

describe("an uploaded file", () => {
  it("is stored as it is, typed by its name, and attached to one email", async () => {
    const { sent, api, upload } = desk();
    const { status, body } = await upload("%PDF-1", "name=Übersicht%204711.pdf");
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "Übersicht 4711.pdf", type: "application/pdf", size: 6, contentId: null });
    const answer = await api.post("/api/emails/send", { ...LETTER, attachmentIds: [body.id] });
    expect(answer.body.attachments).toMatchObject([{ name: "Übersicht 4711.pdf", size: 6 }]);
    expect(answer.text).not.toContain("uploads/");
    expect(sent[0]?.attachments).toMatchObject([
      { filename: "Übersicht 4711.pdf", type: "application/pdf", disposition: "attachment" },
    ]);
    expect(text(sent[0]?.attachments?.[0]?.content)).toBe("%PDF-1");
    expectProblem(
      await api.post("/api/emails/send", { ...LETTER, attachmentIds: [body.id] }),
      422,
      "validation_failed",
    );
    expect(await hasObject(body.id)).toBe(true);
  });

  it("is an inline picture where the HTML shows it", async () => {
    const { sent, api, idOf } = desk();
    const logo = await idOf("png", "name=logo.png&contentId=logo");
    const other = await idOf("png", "name=other.png&contentId=other");
    await api.post("/api/emails/send", { ...LETTER, html: '<img src="cid:logo">', attachmentIds: [logo, other] });
    expect(sent[0]?.attachments).toMatchObject([
      { filename: "logo.png", disposition: "inline", contentId: "logo" },
      { filename: "other.png", disposition: "attachment" },
    ]);
  });

  it("has at most 10 MB, is not empty, and has a usable name and type", async () => {
    const { upload } = desk();
    expect((await upload(new Uint8Array(10 * MB))).status).toBe(201);
    expectProblem(await upload(new Uint8Array(10 * MB + 1)), 413, "body_too_large");
    expectProblem(await upload(""), 422, "validation_failed");
    expectProblem(await upload("x", "name=a.pdf", "application/pdf"), 415, "unsupported_media_type");
    for (const query of ["", "name=", "name=a%0d%0ab", "name=a&type=nonsense", "name=a&contentId=%3Cx%3E"]) {
      expectProblem(await upload("x", query), 422, "validation_failed");
    }
  });

  rarely("makes a message of at most 25 MB: the one that is too much is named, and nothing is sent", async () => {
    const { sent, api, idOf } = desk();
    const ids = [];
    for (const size of [10, 10, 6]) ids.push(await idOf(new Uint8Array(size * MB), `name=${size}.bin`));
    const answer = await api.post("/api/emails/send", { ...LETTER, attachmentIds: ids });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0]).toMatchObject({ path: "attachmentIds.2", message: expect.stringContaining("6.bin") });
    expect(sent).toHaveLength(0);
    expect((await api.post("/api/emails/send", { ...LETTER, attachmentIds: ids.slice(0, 2) })).status).toBe(201);
  });

  it("used by two emails at once goes with one of them", async () => {
    const { sent, api, idOf } = desk();
    const id = await idOf("x");
    const send = () => api.post("/api/emails/send", { ...LETTER, attachmentIds: [id] });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expect(sent).toHaveLength(1);
  });

  it("is deleted with its file when nobody used it within a day, and never when somebody did", async () => {
    const { vars, api, idOf } = desk();
    const [unused, used, drafted] = [await idOf("a"), await idOf("b"), await idOf("c")];
    await api.post("/api/emails/send", { ...LETTER, attachmentIds: [used] });
    await api.post("/api/emails/drafts", { attachmentIds: [drafted] });
    setClock(Date.now() + 1.5 * DAY);
    await tidyEmailStorage(systemCtx(vars));
    setClock(Date.now() + 4 * DAY);
    await deleteFiles(systemCtx(vars));
    expect([await hasObject(unused), await hasObject(used), await hasObject(drafted)]).toEqual([false, true, true]);
  });
});

describe("the files of a draft", () => {
  it("are exactly those that it names, and go with it", async () => {
    const { api, idOf } = desk();
    const [first, second] = [await idOf("a", "name=a.txt"), await idOf("b", "name=b.txt")];
    const { body: draft } = await api.post("/api/emails/drafts", { attachmentIds: [first, second] });
    expect(draft.attachments.map(({ name }: { name: string }) => name)).toEqual(["a.txt", "b.txt"]);
    const other = await api.post("/api/emails/drafts", { attachmentIds: [first] });
    expectProblem(other, 422, "validation_failed");
    expectProblem(await api.post("/api/emails/send", { ...LETTER, attachmentIds: [first] }), 422, "validation_failed");
    const { body: changed } = await api.patch(`/api/emails/drafts/${draft.id}`, { attachmentIds: [second] });
    expect(changed.attachments).toMatchObject([{ id: second, name: "b.txt" }]);
    await api.delete(`/api/emails/drafts/${draft.id}`);
    expect(await countRows("email_uploads", "id IN (?, ?)", first, second)).toBe(0);
    expect(await countRows("files_to_delete", "key LIKE ? OR key LIKE ?", `%${first}`, `%${second}`)).toBe(2);
  });

  it("are sent with it, and are there again when it is refused or taken back", async () => {
    expectErrorLog("mail_not_sent");
    let refuses = true;
    const { sent, vars, api, idOf } = desk(() => {
      if (refuses) throw refusal();
      return { messageId: `<${crypto.randomUUID()}@mail.test>` };
    });
    const id = await idOf("content", "name=c.txt");
    const { body: draft } = await api.post("/api/emails/drafts", { ...LETTER, attachmentIds: [id] });
    expectProblem(await api.post(`/api/emails/drafts/${draft.id}/send`), 502, "provider_error");
    expect((await api.get(`/api/emails/drafts/${draft.id}`)).body.attachments).toMatchObject([{ id, name: "c.txt" }]);
    refuses = false;
    const sendAt = new Date(Date.now() + DAY).toISOString();
    await api.patch(`/api/emails/drafts/${draft.id}`, { sendAt });
    const { body: email } = await api.post(`/api/emails/drafts/${draft.id}/send`);
    expect(email).toMatchObject({ delivery: "scheduled", attachments: [{ name: "c.txt" }] });
    const { body: again } = await api.post(`/api/emails/${email.id}/cancel-send`);
    expect(again.attachments).toMatchObject([{ id, name: "c.txt", size: 7 }]);
    expect(await countRows("files_to_delete", "key LIKE ?", `%${id}`)).toBe(0);
    await api.patch(`/api/emails/drafts/${again.id}`, { sendAt });
    await api.post(`/api/emails/drafts/${again.id}/send`);
    setClock(Date.now() + DAY + 5000);
    await deliverQueue({ vars });
    expect(text(sent.at(-1)?.attachments?.[0]?.content)).toBe("content");
    expect(await countRows("emails", "delivery = 'sent' AND attachments LIKE ?", `%${id}%`)).toBe(1);
  });
});

describe("a file store that fails", () => {
  it("lets no email leave without its attachment, and the file stays usable", async () => {
    expectErrorLog("file_not_read");
    const { sent, vars, api, idOf } = desk();
    const id = await idOf("x");
    const away = () => Promise.reject(new Error("away"));
    const FILES = { get: away, put: away, delete: away } as unknown as R2Bucket;
    const letter = { ...LETTER, attachmentIds: [id] };
    expectProblem(await service({ ...vars, FILES }).post("/api/emails/send", letter), 503, "unavailable");
    expect(sent).toHaveLength(0);
    expect((await api.post("/api/emails/send", letter)).status).toBe(201);
  });
});
