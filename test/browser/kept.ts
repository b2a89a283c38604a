import type { Browser, Locator, Page } from "playwright-core";
import { callApi, GRACE, type Opened, openConsole, signIn } from "./console.ts";

/* What the tests of what a person typed share. */

export interface Draft {
  id: number;
  to: (string | { email: string })[];
  cc: (string | { email: string })[];
  subject: string;
  body: string;
  inReplyTo: number | null;
}

export async function openAsGrace(browser: Browser, origin: string, path: string): Promise<Opened> {
  const opened = await openConsole(browser, origin);
  await signIn(opened.page, origin, path, GRACE);
  return opened;
}

export const draftsOf = async (origin: string) =>
  (await callApi<{ data: Draft[] }>(origin, "GET", "/api/emails/drafts")).data;

let count = 0;

/** An email to answer. */
export async function receive(origin: string, subject: string): Promise<number> {
  count += 1;
  const from = "Rita Report <rita@example.org>";
  const messageId = `<kept${count}@example.org>`;
  const email = { from, to: GRACE.email, subject, body: "Can you help?", messageId };
  return (await callApi<{ id: number }>(origin, "POST", "/api/emails", email)).id;
}

/** Every request of the page fails, as when the cable is pulled; at once, or when it is let. */
export const cut = (page: Page, until?: Promise<void>) =>
  page.context().route("**/api/**", async (route) => {
    await until;
    // A page that was closed meanwhile has no request any more.
    await route.abort().catch(() => {});
  });
export const mend = (page: Page) => page.context().unroute("**/api/**");

export const composer = (page: Page, name = "New email") => page.getByRole("dialog", { name, exact: true });

/** What is written. */
export const message = (dialog: Locator | Page) => dialog.getByRole("textbox", { name: "Message" });
/** Closes a window, which is stored or asked about. */
export const leave = (dialog: Locator) => dialog.getByRole("button", { name: "Close" }).click();

export async function compose(page: Page, { to, subject, body }: { to: string; subject: string; body: string }) {
  await page.keyboard.press("c");
  const dialog = composer(page);
  await dialog.getByLabel("To").fill(to);
  await dialog.getByLabel("Subject").fill(subject);
  await dialog.getByLabel("Message").fill(body);
  return dialog;
}

/** All the people of a field, as chips and as what is being typed behind them. */
export const peopleIn = async (field: Locator) => {
  const box = field.locator("xpath=..");
  const chips = await box.locator("[data-chip]").evaluateAll((all) => all.map(({ title }: { title: string }) => title));
  return [...chips, await field.inputValue()].filter(Boolean).join(", ");
};
