import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../tooling/repository.ts";
import { freePort } from "../tooling/running-service.ts";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { eventually, newProfile, signIn } from "./console.ts";
import { type RunningService, startSeededService } from "./service.ts";

/* `npm run dev:console`, with a copy of the console that can be changed. */

describe.skipIf(!executablePath)("the console in development", () => {
  let service: RunningService;
  let browser: Browser;
  let server: ChildProcess;
  let origin: string;
  let output = "";
  mkdirSync(join(root, ".console"), { recursive: true });
  // As deep as src/console, whose configuration it extends, and where packages are found.
  const source = mkdtempSync(join(root, ".console", "changed-"));
  // Beside it, as src/lib is beside src/console.
  const lib = join(root, ".console", "lib");

  beforeAll(async () => {
    cpSync(join(root, "src", "console"), source, { recursive: true });
    rmSync(lib, { force: true });
    symlinkSync(join(root, "src", "lib"), lib, "junction");
    [service, browser] = await Promise.all([startSeededService(), sharedChromium()]);
    const port = await freePort();
    origin = `http://localhost:${port}`;
    const vite = join(root, "node_modules", "vite", "bin", "vite.js");
    server = spawn(process.execPath, [vite, source, "--config", join(root, "scripts", "vite.config.mjs")], {
      env: { ...process.env, NODE_ENV: "development", PORT: String(port), SERVICE: service.origin },
    });
    for (const stream of [server.stdout, server.stderr]) stream?.on("data", (part) => (output += part));
  });
  afterAll(async () => {
    await closeContexts();
    server?.kill();
    await service?.stop();
    rmSync(lib, { force: true });
    rmSync(source, { recursive: true, force: true });
  });

  it("shows a change of any style at once, without a reload, and a change of code after one", async () => {
    await eventually(() => output).toContain("ready in");
    const page = await (await newProfile(browser)).newPage();
    await signIn(page, origin, "/app/settings/profile");
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
    await page.evaluate("window.isSame = true");
    const isSame = () => page.evaluate("window.isSame === true");
    const styleOf = (name: string) => page.evaluate(`getComputedStyle(document.body).getPropertyValue("${name}")`);

    // One of the first load, by way of style.css, and one that is loaded later.
    for (const name of ["today", "settings"]) {
      expect(await styleOf(`--changed-${name}`)).toBe("");
      appendFileSync(join(source, "styles", `${name}.css`), `\nbody { --changed-${name}: yes; }\n`);
      await eventually(() => styleOf(`--changed-${name}`)).toBe("yes");
    }
    expect(await isSame()).toBe(true);

    const file = join(source, "messages", "settings-pages.ts");
    const text = readFileSync(file, "utf8");
    expect(text).toContain('"Profile"');
    writeFileSync(file, text.replace('"Profile"', '"Changed profile"'));
    await page.getByRole("heading", { level: 1, name: "Changed profile" }).waitFor();
    expect(await isSame()).toBe(false);
    // It would keep yesterday's files.
    expect(await page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)")).toBe(0);
  });
});
