import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { axeFindings, callApi, eventually, GRACE, overflows } from "./console.ts";
import { compose, composer, cut, draftsOf, leave, mend, message, openAsGrace, peopleIn, receive } from "./kept.ts";
import { type RunningService, startService } from "./service.ts";

/* Writing emails: beside what is read, with formatting, and with a word before a mistake leaves. */

describe.skipIf(!executablePath)("the composer", () => {
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    await callApi(service.origin, "POST", "/api/auth/register", { ...GRACE, name: "Grace Hopper" });
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  const open = (path: string) => openAsGrace(browser, service.origin, path);
  const drafts = () => draftsOf(service.origin);
  const draftOf = async (subject: string) => (await drafts()).find((each) => each.subject === subject);
  const sentOf = async (subject: string) => {
    const path = "/api/emails?direction=outbound&status=any";
    const { data } = await callApi<{ data: { id: number; subject: string }[] }>(service.origin, "GET", path);
    return data.find((each) => each.subject === subject);
  };
  const give = (page: Page, kind: "text" | "picture", content: string) =>
    page.evaluate(
      `(() => {
        const data = new DataTransfer();
        if (${kind === "picture"}) {
          const bytes = Uint8Array.from(atob("${PIXEL}"), (sign) => sign.charCodeAt(0));
          data.items.add(new File([bytes], ${JSON.stringify(content)}, { type: "image/png" }));
        } else {
          data.setData("text/html", ${JSON.stringify(content)});
          data.setData("text/plain", "plain");
        }
        const options = { bubbles: true, cancelable: true, clipboardData: data };
        document.querySelector(".rich-text").dispatchEvent(new ClipboardEvent("paste", options));
      })()`,
    );

  it("stands below the message that is answered, goes on as a bar elsewhere, and keeps every word and the caret", async () => {
    const first = await receive(service.origin, "The first question");
    await receive(service.origin, "The second question");
    const { page, trouble } = await open(`/app/mail/inbox/${first}`);
    await page.getByRole("heading", { name: "The first question" }).waitFor();
    await page.keyboard.press("r");
    const reply = composer(page, "Reply");
    await eventually(() => peopleIn(reply.getByLabel("To"))).toContain("rita@example.org");
    await message(reply).focus();
    await page.keyboard.type("Half a sent");
    // What is answered can be read and used meanwhile.
    expect(await page.locator(".compose-slot .composer").count()).toBe(1);
    await page.getByText("Can you help?").first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: /The second question/ }).click();
    await page.getByRole("heading", { name: "The second question" }).waitFor();
    await page.getByRole("button", { name: "Re: The first question" }).waitFor();
    await eventually(async () => (await draftOf("Re: The first question"))?.body).toBe("Half a sent");
    await page.goBack();
    await page.locator(".compose-slot .composer").waitFor();
    await message(reply).focus();
    await page.keyboard.type("ence.");
    await eventually(() => message(reply).textContent()).toBe("Half a sentence.");
    await eventually(async () => (await draftOf("Re: The first question"))?.body).toBe("Half a sentence.");
    expect(trouble).toEqual([]);
  });

  it("has several windows at once; Esc puts one aside, offline too, and nothing that was typed is lost", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    const one = await compose(page, { to: "ann@example.com", subject: "Window one", body: "First words" });
    await page.keyboard.press("Escape");
    const bar = page.getByRole("button", { name: "Window one" });
    await bar.waitFor();
    await eventually(async () => (await draftOf("Window one"))?.body).toBe("First words");
    await cut(page);
    await page.keyboard.press("c");
    const two = page.locator(".composer[data-form=window]");
    await two.getByLabel("Subject").fill("Window two");
    await message(two).fill("Other words");
    await two.getByText("kept on this device").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Window two" }).waitFor();
    expect(await page.locator(".composer").count()).toBe(2);
    await mend(page);
    await eventually(async () => (await draftOf("Window two"))?.body).toBe("Other words");
    await bar.click();
    await eventually(() => message(one.first()).textContent()).toBe("First words");
    expect(await axeFindings(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("sends what was formatted as it was formatted, with a text that says the same", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    const dialog = await compose(page, { to: "ann@example.com", subject: "Formatted", body: "" });
    await message(dialog).focus();
    await page.keyboard.type("Dear Ann,");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+b");
    await page.keyboard.type("two");
    await page.keyboard.press("Control+b");
    await page.keyboard.type(" things:");
    await page.keyboard.press("Enter");
    await page.keyboard.type("bread");
    await dialog.getByRole("button", { name: "Bulleted list" }).click();
    await page.keyboard.press("Enter");
    await page.keyboard.type("salt");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+k");
    const link = page.getByRole("dialog", { name: "Link" });
    await link.getByLabel("Address").fill("example.com/list");
    await link.getByLabel("Text").fill("the list");
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await give(page, "picture", "green.png");
    await dialog.getByText("green.png").waitFor();
    await page.keyboard.press("Control+Enter");
    await eventually(() => sentOf("Formatted")).toBeTruthy();
    const email = await callApi<{ html: string; body: string; attachments: object[] }>(
      service.origin,
      "GET",
      `/api/emails/${(await sentOf("Formatted"))?.id}`,
    );
    expect(email.html).toContain("<b>two</b>");
    expect(email.html).toMatch(/<ul><li>bread<\/li><li>salt(?:<br>)?<\/li><\/ul>/);
    expect(email.html).toMatch(/<a href="https:\/\/example.com\/list"[^>]*>the list<\/a>/);
    expect(email.html).toMatch(/<img src="cid:[\w-]+" alt="green.png">/);
    expect(email.body).toContain("Dear Ann,\ntwo things:\n- bread\n- salt\nthe list <https://example.com/list>");
    expect(email.attachments).toMatchObject([{ name: "green.png", inline: true }]);
    // Taken back, it is as it was written.
    await page.getByRole("button", { name: "Undo" }).last().click();
    const again = page.getByRole("dialog", { name: "Draft" });
    await again.locator(".rich-text b").getByText("two").waitFor();
    await eventually(() => again.locator(".rich-text img").evaluate((img) => Reflect.get(img, "naturalWidth"))).toBe(1);
    expect(trouble).toEqual([]);
  });

  it("takes of a paste what shows something, and runs and loads nothing", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    const dialog = await compose(page, { to: "ann@example.com", subject: "Pasted", body: "" });
    await message(dialog).focus();
    await give(
      page,
      "text",
      `<p onclick="hit=1">Kept <strong>bold</strong></p><script>hit=1</script><img src=x onerror="hit=1">
      <img src="https://evil.example/t.png" alt="tracker"><a href="java&#10;script:hit=1">bad</a>
      <svg onload="hit=1"><style>*{color:red}</style></svg><math><mtext></p><img src=x onerror=hit=1></math>
      <iframe srcdoc="<script>parent.hit=1</script>"></iframe><form action="//evil.example"><input name=q></form>
      <a href="https://example.com">good</a>`,
    );
    await dialog.locator(".rich-text b").getByText("bold").waitFor();
    await eventually(async () => Reflect.get((await draftOf("Pasted")) ?? {}, "html")).toContain("<b>bold</b>");
    const html = String(Reflect.get((await draftOf("Pasted")) ?? {}, "html"));
    expect(html).not.toMatch(/script|onerror|onclick|evil|svg|style|iframe|form|input/i);
    expect(html).toContain('<a href="https://example.com">good</a>');
    expect(html).toContain("[tracker]");
    expect(await page.evaluate("typeof hit")).toBe("undefined");
    expect(trouble).toEqual([]);
  });

  it("shows the signature, changes it with the sender, and puts it in once", async () => {
    for (const [name, signature, isDefault] of [
      ["Grace at home", "Grace, from home", true],
      ["Grace at work", "Rear Admiral Hopper", false],
    ]) {
      await callApi(service.origin, "POST", "/api/settings/identities", { name, signature, isDefault }, await token());
    }
    const { page, trouble } = await open("/app/mail/inbox");
    const dialog = await compose(page, { to: "ann@example.com", subject: "Signed", body: "Hello." });
    const signature = dialog.getByRole("region", { name: "Signature" });
    await signature.getByText("Grace, from home").waitFor();
    await dialog.getByLabel("From").selectOption({ label: "Grace at work" });
    await signature.getByText("Rear Admiral Hopper").waitFor();
    await page.keyboard.press("Control+Enter");
    await eventually(() => sentOf("Signed")).toBeTruthy();
    const { body } = await callApi<{ body: string }>(
      service.origin,
      "GET",
      `/api/emails/${(await sentOf("Signed"))?.id}`,
    );
    expect(body).toBe("Hello.\n\n-- \nRear Admiral Hopper");
    expect(trouble).toEqual([]);
  });

  it("asks before a mentioned file is forgotten, and about an address that is nearly a known one", async () => {
    await receive(service.origin, "So that Rita is known");
    const { page, trouble } = await open("/app/mail/inbox");
    const dialog = await compose(page, {
      to: "rita@exmaple.org",
      subject: "Forgotten",
      body: "Der Plan ist im Anhang.",
    });
    await dialog.getByText("Did you mean rita@example.org?").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Use that one" }).click();
    await eventually(() => peopleIn(dialog.getByLabel("To"))).toBe("rita@example.org");
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Send without a file?" });
    await question.getByText("You wrote “Anhang”").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(await sentOf("Forgotten")).toBeUndefined();
    expect(await message(dialog).textContent()).toBe("Der Plan ist im Anhang.");
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await question.getByRole("button", { name: "Send anyway" }).click();
    await eventually(() => sentOf("Forgotten")).toBeTruthy();
    expect(trouble).toEqual([]);
  });

  it("sends and archives with one key, and writes plain text where that is chosen", async () => {
    const id = await receive(service.origin, "Quick one");
    const { page, trouble } = await open(`/app/mail/inbox/${id}`);
    await page.getByRole("heading", { name: "Quick one" }).waitFor();
    await page.keyboard.press("r");
    const reply = composer(page, "Reply");
    await eventually(() => peopleIn(reply.getByLabel("To"))).toContain("rita@example.org");
    await reply.getByRole("button", { name: "Write plain text" }).click();
    await reply.locator("textarea").fill("Done.");
    await page.keyboard.press("Control+Shift+Enter");
    await eventually(async () => {
      const { status } = await callApi<{ status: string }>(service.origin, "GET", `/api/emails/${id}`);
      return status;
    }).toBe("archived");
    await eventually(() => sentOf("Re: Quick one")).toMatchObject({ delivery: "scheduled" });
    // The choice stays.
    await page.reload();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    const next = await compose(page, { to: "", subject: "Plain again", body: "As before" });
    expect(await next.locator("textarea").count()).toBe(1);
    await leave(next);
    expect(trouble).toEqual([]);
  });

  it("fills the screen of a phone, and nothing behind it can be reached", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Compose" }).click();
    const dialog = composer(page);
    await message(dialog).fill("On the way");
    const box = await dialog.boundingBox();
    expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    expect(await overflows(page)).toBe(false);
    expect(await page.locator("main").evaluate((main) => Reflect.get(main, "inert"))).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Minimize" }).click();
    await eventually(() => page.locator("main").evaluate((main) => Reflect.get(main, "inert"))).toBe(false);
    await page.locator(".composer-title").click();
    expect(await message(dialog).textContent()).toBe("On the way");
    expect(trouble).toEqual([]);
  });

  async function token(): Promise<string> {
    return (await callApi<{ token: string }>(service.origin, "POST", "/api/auth/login", GRACE)).token;
  }
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
