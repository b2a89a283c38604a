import type { Browser, Page } from "playwright-core";
import { type GRACE, openTab, signIn } from "./console.ts";

/* What the tests of the calendar share: where things are on the screen, a mouse and a finger. */

export interface Answer {
  id: number;
  title: string;
  start: string;
  end: string;
  startDate: string | null;
  endDate: string | null;
  version: number;
  rrule: string | null;
  notes: string | null;
  data: Answer[];
}

export const block = (page: Page, title: string) => page.getByRole("link", { name: new RegExp(`^${title} ?,`) });
/** "Monday 16 November 2027": some versions of the locale's data put a comma after the weekday. */
export const named = (day: string) => new RegExp(`^${day.replace(" ", ",? ")}`);
export const cell = (page: Page, day: string) => page.getByRole("gridcell", { name: named(day) });

/** Where an hour of a day is on the screen. */
export async function at(page: Page, day: string, hour: number): Promise<{ x: number; y: number }> {
  const box = await cell(page, day).boundingBox();
  if (!box) throw new Error(`${day} is not there`);
  return { x: box.x + box.width / 2, y: box.y + (box.height / 24) * hour };
}

export async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 8);
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

type Spot = { x: number; y: number };

/** A finger, by the browser's own input. It drags what it has rested on; otherwise it scrolls. */
export async function touch(page: Page, { from, to, isHeld = true }: { from: Spot; to?: Spot; isHeld?: boolean }) {
  const client = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", spots: Spot[]) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints: spots });
  await send("touchStart", [from]);
  if (isHeld) await page.locator("html.is-dragging").waitFor();
  for (const step of to ? [0.3, 0.6, 1] : []) {
    const [x, y] = [from.x + ((to?.x ?? 0) - from.x) * step, from.y + ((to?.y ?? 0) - from.y) * step];
    await send("touchMove", [{ x, y }]);
  }
  await send("touchEnd", []);
  await client.detach();
}

/** A phone. */
export async function openByTouch(browser: Browser, origin: string, path: string, person: typeof GRACE) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
    timezoneId: "Asia/Tokyo",
  });
  const opened = await openTab(context, origin);
  await signIn(opened.page, origin, path, person);
  await opened.page.locator(".cal-event").first().waitFor();
  return opened;
}
