import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { expect, it } from "vitest";
import { syncIfConnected } from "../../src/features/bookings/sync.ts";
import { service, systemCtx } from "../harness.ts";
import { rarely } from "../sampled.ts";
import { mailbox, signedInPerson } from "../settings/people.ts";
import { newAccount, slot } from "./account.ts";

it("the owner is told once of an outage, by runs at the same time too, and again of the next one", async () => {
  const account = await newAccount();
  const owner = await signedInPerson();
  const mail = mailbox();
  const vars = { ...account.vars, ...mail.vars, OWNER_EMAIL: owner.email };
  const cron = async () => {
    const execution = createExecutionContext();
    const ctx = systemCtx(vars, execution);
    await syncIfConnected(ctx, { trigger: "cron" }).catch(() => {});
    await waitOnExecutionContext(execution);
  };
  await cron();
  expect(mail.sent).toEqual([]);
  await account.faults({ kind: "401" });
  await Promise.all([cron(), cron()]);
  await cron();
  expect(mail.subjectsTo(owner.email)).toEqual(["The booking sync is failing"]);
  await account.faults();
  await cron();
  await account.faults({ kind: "401" });
  await cron();
  await cron();
  expect(mail.subjectsTo(owner.email)).toHaveLength(2);

  await account.faults();
  await cron();
  await service().patch("/api/settings/profile/notifications", { syncFailure: false }, { token: owner.token });
  await account.faults({ kind: "401" });
  await cron();
  expect(mail.sent).toHaveLength(2);
});

const many = (pages: number) => Array.from({ length: pages * 250 - 10 }, (_, n) => ({ start: slot(n) }));

rarely(
  "the owner is told of a sync that fails after its first page like of any other, once for each outage",
  async () => {
    const account = await newAccount();
    await account.book(...many(4));
    const owner = await signedInPerson();
    const mail = mailbox();
    const vars = { ...account.vars, ...mail.vars, OWNER_EMAIL: owner.email };
    const cron = async () => {
      const execution = createExecutionContext();
      const outcome = syncIfConnected(systemCtx(vars, execution), { trigger: "cron" }).then(
        () => "succeeded",
        (error) => error.code,
      );
      expect(await outcome).toBe("provider_error");
      await waitOnExecutionContext(execution);
    };
    const statuses = async () =>
      (await account.client.get("/api/bookingsvc/sync/runs")).body.data.map(({ status }: { status: string }) => status);
    await account.faults({ kind: "500", from: 2 });
    await cron();
    expect(await statuses()).toEqual(["partial"]);
    expect(mail.subjectsTo(owner.email)).toEqual(["The booking sync is failing"]);
    expect(mail.sent[0]?.text).toContain("The booking provider");
    await account.faults({ kind: "500", from: 2 });
    await cron();
    expect(await statuses()).toEqual(["partial", "partial"]);
    expect(mail.sent).toHaveLength(1);
    await account.faults();
    await syncIfConnected(systemCtx(vars), { trigger: "cron" });
    await account.faults({ kind: "500" });
    await cron();
    expect(mail.sent).toHaveLength(2);
  },
);

it("a sync that stops because its job has used its budget is no outage, and the next run continues", async () => {
  const account = await newAccount();
  await account.book(...many(2));
  const owner = await signedInPerson();
  const mail = mailbox();
  const vars = { ...account.vars, ...mail.vars, OWNER_EMAIL: owner.email };
  const execution = createExecutionContext();
  const ctx = { ...systemCtx(vars, execution), signal: AbortSignal.abort() };
  await syncIfConnected(ctx, { trigger: "cron" });
  await waitOnExecutionContext(execution);
  expect(mail.sent).toEqual([]);
  const runs = async () => (await account.client.get("/api/bookingsvc/sync/runs")).body.data;
  expect(await runs()).toMatchObject([{ status: "partial", created: 250 }]);
  await syncIfConnected(systemCtx(vars), { trigger: "cron" });
  expect((await runs())[0]).toMatchObject({ status: "succeeded", created: 240 });
});
