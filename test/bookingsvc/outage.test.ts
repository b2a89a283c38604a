import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { expect, it } from "vitest";
import { syncIfConnected } from "../../src/features/bookingsvc/sync.ts";
import { service, systemCtx } from "../harness.ts";
import { mailbox, signedInPerson } from "../settings/people.ts";
import { newAccount } from "./account.ts";

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
