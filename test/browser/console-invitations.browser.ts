import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { axeFindings, callApi, eventually, GRACE, overflows, SIZES } from "./console.ts";
import { openAsGrace } from "./kept.ts";
import { type RunningService, startService } from "./service.ts";

/* Invitations are answered in the email that they came with. */

const calendar = (uid: string, start: string, { method = "REQUEST", sequence = 0, title = "Board review" } = {}) =>
  [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", `METHOD:${method}`, "BEGIN:VEVENT", `UID:${uid}`],
    ...[`SEQUENCE:${sequence}`, `DTSTAMP:20260101T0${sequence}0000Z`, `DTSTART:${start}`, "DURATION:PT1H"],
    ...[`SUMMARY:${title}`, "LOCATION:Room 4", "ORGANIZER;CN=Gina Hall:mailto:gina@example.org"],
    ...[`ATTENDEE;CN=Grace:mailto:${GRACE.email}`, "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org"],
    ...["END:VEVENT", "END:VCALENDAR", ""],
  ].join("\r\n");

describe.skipIf(!executablePath)("invitations in Mail", () => {
  let service: RunningService;
  let browser: Browser;

  const api = <T = { id: number; version: number }>(method: string, path: string, body?: object) =>
    callApi<T>(service.origin, method, path, body);
  const store = async (subject: string, body: string) =>
    (await api("POST", "/api/emails", { from: "Gina Hall <gina@example.org>", to: GRACE.email, subject, body })).id;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    await api("POST", "/api/auth/register", { ...GRACE, name: "Grace" });
    const profile = { timeZone: "Europe/Berlin", timeFormat: "24h", weekStart: "monday", locale: "en-GB" };
    const { token } = await api<{ token: string }>("POST", "/api/auth/login", GRACE);
    await callApi(service.origin, "PATCH", "/api/settings/profile", profile, token);
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  const open = (path: string) => openAsGrace(browser, service.origin, path);
  const card = (page: Page, name = "Invitation") => page.getByRole("region", { name });
  const events = async () =>
    (
      await api<{ data: { title: string; status: string; start: string; myResponse: string }[] }>(
        "GET",
        "/api/calendar/events?start=2054-11-01&end=2054-12-31",
      )
    ).data;

  it("shows what, when in the profile's zone, where, who and conflicts; accepts, and changes the answer", async () => {
    await api("POST", "/api/calendar/events", { title: "Dentist", start: "2054-11-17T13:30:00Z", durationMinutes: 30 });
    const id = await store("Please come", calendar("b-1", "20541117T130000Z"));
    const { page, trouble } = await open(`/app/mail/inbox/${id}`);
    const invitation = card(page);
    await invitation.getByText("Board review").waitFor();
    const text = await invitation.innerText();
    // Given in UTC.
    expect(text).toMatch(/17 November 2054.*14:00 – 15:00/);
    for (const part of ["Room 4", "Gina Hall (organizer)", "bob@example.org (accepted)", "Dentist, 14:30 – 15:00"]) {
      expect(text).toContain(part);
    }
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await axeFindings(page)).toEqual([]);
    }
    await invitation.getByRole("button", { name: "Accept" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Your response was sent to the organizer.").first().waitFor();
    await invitation.getByText("Your answer: Accepted").waitFor();
    expect(await events()).toMatchObject([{ title: "Board review", status: "confirmed" }, { title: "Dentist" }]);
    await invitation.getByRole("button", { name: "Decline" }).click();
    await invitation.getByText("Your answer: Declined").waitFor();
    await eventually(() => invitation.getByRole("button", { name: "Decline" }).getAttribute("aria-pressed")).toBe(
      "true",
    );
    await page.setViewportSize(SIZES.phone);
    expect(await overflows(page)).toBe(false);
    expect(await axeFindings(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("says that an event was changed or cancelled, and does what fits", async () => {
    const first = await store("One", calendar("b-2", "20541118T130000Z", { title: "Offsite" }));
    const { page } = await open(`/app/mail/inbox/${first}`);
    await card(page).getByRole("button", { name: "Add to calendar" }).click();
    await card(page).getByText("You have not responded yet.").waitFor();
    const update = await store("Two", calendar("b-2", "20541119T090000Z", { sequence: 1, title: "Offsite" }));
    await page.goto(`${service.origin}/app/mail/inbox/${update}`);
    const changed = card(page, "Changed event");
    await changed.getByText(/It is now: .*18 November/).waitFor();
    await changed.getByRole("button", { name: "Accept" }).click();
    await page.getByText("Your response was sent to the organizer.").first().waitFor();
    await page.goto(`${service.origin}/app/mail/inbox/${first}`);
    await card(page)
      .getByText(/has changed this event since.*It is now: .*19 November/)
      .waitFor();
    const gone = calendar("b-2", "20541119T090000Z", { method: "CANCEL", sequence: 2, title: "Offsite" });
    const cancel = await store("Three", gone);
    await page.goto(`${service.origin}/app/mail/inbox/${cancel}`);
    await card(page, "Cancelled event").getByRole("button", { name: "Cancel it in the calendar" }).click();
    await card(page, "Cancelled event").getByText("The organizer has cancelled this event.").waitFor();
    await eventually(() => card(page, "Cancelled event").getByRole("button").count()).toBe(0);
    await page.goto(`${service.origin}/app/mail/inbox/${first}`);
    await card(page, "Cancelled event").waitFor();
  });

  it("does not answer an event that has changed unseen, and says when nothing was saved", async () => {
    const id = await store("Race", calendar("b-3", "20541120T130000Z", { title: "Race" }));
    const { page } = await open(`/app/mail/inbox/${id}`);
    await card(page).getByRole("button", { name: "Maybe" }).waitFor();
    // Another device adds it meanwhile; this page does not hear of it before.
    await page.route("**/api/live*", (route) => route.abort());
    await page.route(
      "**/api/emails/*/invitation",
      async (route) => {
        if (route.request().method() === "POST") await api("POST", `/api/emails/${id}/invitation`, {});
        await route.fallback();
      },
      { times: 1 },
    );
    await card(page).getByRole("button", { name: "Maybe" }).click();
    await page.getByText("The event has changed meanwhile").waitFor();
    await card(page).getByText("You have not responded yet.").waitFor();
    await page.route("**/api/emails/*/invitation", (route) => route.abort(), { times: 3 });
    await card(page).getByRole("button", { name: "Maybe" }).click();
    await page.getByText("Your response was not saved.").waitFor();
    await page.unroute("**/api/emails/*/invitation");
    await card(page).getByRole("button", { name: "Maybe" }).click();
    await card(page).getByText("Your answer: Maybe").waitFor();
  });
});
