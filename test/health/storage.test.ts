import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { recount } from "../../src/db/recount.ts";
import { deliver } from "../emails/deliver.ts";
import { fakeMail } from "../emails/fake-mail.ts";
import { service } from "../harness.ts";
import { newOperator, type Operator } from "./operator.ts";

/* The size of the file store is known without listing it. */

let op: Operator;
const api = service({ EMAIL: fakeMail().EMAIL, MAIL_FROM: "assistant@ours.example" });
beforeAll(async () => {
  op = await newOperator();
});

const counted = async (): Promise<{ objects: number; sizeBytes: number }> => (await op.details()).storage.files;

async function listed() {
  const { objects } = await env.FILES.list();
  return { objects: objects.length, sizeBytes: objects.reduce((sum, { size }) => sum + size, 0) };
}

/** What an act adds, as it is counted and as it is. */
async function addedBy(act: () => Promise<unknown>) {
  const before = [await counted(), await listed()] as const;
  await act();
  const after = [await counted(), await listed()] as const;
  return [0, 1].map((n) => ({
    objects: (after[n]?.objects ?? 0) - (before[n]?.objects ?? 0),
    sizeBytes: (after[n]?.sizeBytes ?? 0) - (before[n]?.sizeBytes ?? 0),
  }));
}

const upload = async (bytes: string) =>
  (
    await api.call("POST", "/api/emails/attachments?name=a.txt", {
      raw: bytes,
      headers: { "content-type": "application/octet-stream" },
    })
  ).body.id;

it("grows with raw messages, long texts, uploads and the files of sent emails, exactly as the store does", async () => {
  const acts: (() => Promise<unknown>)[] = [
    () => deliver("From: a@example.com\nSubject: size-short\nMessage-ID: <size-short@x>\n\nHi"),
    () => deliver(`From: a@example.com\nMessage-ID: <size-long@x>\n\n${"Grüße ".repeat(1000)}`),
    () => upload("waits"),
    async () => {
      const attachmentIds = [await upload("one"), await upload("three")];
      await api.post("/api/emails/send", {
        to: "a@example.com",
        subject: "Sized",
        body: "x".repeat(3000),
        attachmentIds,
      });
    },
    async () => {
      const [mail] = (await api.get("/api/emails?q=Sized")).body.data;
      await api.post("/api/emails/drafts", { forwardOf: mail.id });
      await api.post(`/api/emails/${mail.id}/forward`, { to: "b@example.com" });
    },
  ];
  for (const act of acts) {
    const [known, real] = await addedBy(act);
    expect(known).toEqual(real);
    expect(real?.objects).toBeGreaterThan(0);
  }
});

it("shrinks when emails, drafts and uploads go", async () => {
  const before = await counted();
  for (const { id } of (await api.get("/api/emails/drafts")).body.data) await api.delete(`/api/emails/drafts/${id}`);
  for (const { id } of (await api.get("/api/emails?limit=100")).body.data) await api.delete(`/api/emails/${id}`);
  const after = await counted();
  expect(after.sizeBytes).toBeLessThan(before.sizeBytes);
  // The upload that waits.
  expect(after).toEqual({ objects: 1, sizeBytes: 5 });
});

it("is counted again by the recount", async () => {
  await deliver("From: a@example.com\nMessage-ID: <size-recount@x>\n\nHi");
  const right = await counted();
  await env.DB.prepare("UPDATE email_totals SET objects = 77, object_bytes = 1, uploads = 0, upload_bytes = 9").run();
  expect(await counted()).not.toEqual(right);
  await recount(
    async (statement) => (await env.DB.prepare(statement).all<Record<string, string | number | null>>()).results,
    {
      repair: true,
    },
  );
  expect(await counted()).toEqual(right);
});
