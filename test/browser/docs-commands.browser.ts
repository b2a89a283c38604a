import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../tooling/repository.ts";
import { freePort } from "../tooling/running-service.ts";
import { type DevelopmentService, startForDevelopment } from "./service.ts";

/*
 * Every command that the README and the docs show is run, and its response must have the shape shown there. The
 * tour continues where the README ends, so both run on one service, in this order.
 */

const read = (page: string) => readFileSync(join(root, page), "utf8");

interface Step {
  title: string;
  commands: string[];
  /** The responses of the last commands, as shown. */
  shown: string[];
}

/** Shell blocks, each with the JSON block right below it. */
function stepsOf(page: string): Step[] {
  const blocks = read(page).matchAll(/^```sh\n([\s\S]*?)^```\n(?:```json\n([\s\S]*?)^```\n)?/gm);
  return [...blocks].map(([, shell = "", json = ""]) => ({
    title: `${page}: ${shell.split("\n")[0]}`,
    // A command begins at the start of a line with a letter; what is indented or quoted continues it.
    commands: shell.split(/\n(?=[A-Za-z])/).map((command) => command.trim()),
    shown: json.split("\n").filter((line) => line !== ""),
  }));
}

/** What cannot run in a test: it needs an account, the network, another program or terminal, or does not end. */
const NOT_RUN =
  /^(?:claude |curl -N|npx wrangler|npm run|npm test|git pull|curl https:\/\/<your)|bookingsvc|scheduled\?cron/;

/** `…` stands for what is left out: more members, more elements, or the rest of a text. */
function parseShown(text: string): unknown {
  const complete = text
    .replaceAll(/,…(?=[}])/g, ',"…":0')
    .replaceAll("{…}", '{"…":0}')
    .replaceAll(/,…(?=\])/g, ',"…"')
    .replaceAll("[…]", '["…"]');
  return JSON.parse(complete);
}

const kindOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** Where a response differs in shape from what is shown: a member missing, added, or of another type. */
function differences(shown: unknown, real: unknown, path = "$"): string[] {
  if (kindOf(shown) !== kindOf(real)) return [`${path} is ${kindOf(real)}, not ${kindOf(shown)}`];
  if (Array.isArray(shown) && Array.isArray(real)) {
    const wanted = shown.filter((element) => element !== "…");
    const hasMore = wanted.length < shown.length;
    if (hasMore ? real.length < wanted.length : real.length !== wanted.length) {
      return [`${path} has ${real.length} elements`];
    }
    return wanted.flatMap((element, index) => differences(element, real[index], `${path}[${index}]`));
  }
  if (isRecord(shown) && isRecord(real)) {
    const names = Object.keys(shown).filter((name) => name !== "…");
    const added = "…" in shown ? [] : Object.keys(real).filter((name) => !names.includes(name));
    return [
      ...added.map((name) => `${path}.${name} is not shown`),
      ...names.flatMap((name) =>
        name in real ? differences(shown[name], real[name], `${path}.${name}`) : [`${path}.${name} is missing`],
      ),
    ];
  }
  return [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === "object";
}

describe("the commands in README and docs", () => {
  let service: DevelopmentService;
  let provider: ChildProcess;
  /** What commands before have set, such as TOKEN. */
  const variables: string[] = [];

  beforeAll(async () => {
    const port = String(await freePort());
    provider = spawn(process.execPath, [join(root, "scripts", "fake-bookingsvc.ts"), "--port", port]);
    service = await startForDevelopment({ BOOKINGSVC_BASE_URL: `http://127.0.0.1:${port}/v2` });
  });
  afterAll(async () => {
    provider?.kill();
    await service?.stop();
  });

  function run(command: string): string {
    const local = command.replaceAll(/(?:http:\/\/)?localhost:8787/g, service.origin);
    const script = [...variables, local.replace(/^curl /, "curl -sS ").replace("-o card.svg", "-o /dev/null")].join(
      "\n",
    );
    const { stdout, stderr, status } = spawnSync("bash", ["-ec", script], { cwd: root, encoding: "utf8" });
    expect(status, `${command}\n${stderr}`).toBe(0);
    if (/^[A-Z_]+=/.test(command)) variables.push(local);
    return stdout;
  }

  const steps = ["README.md", "docs/tour.md"].flatMap(stepsOf);

  it.each(steps.map((step) => [step.title, step] as const))("%s", (_, { commands, shown }) => {
    const outputs = commands.filter((command) => !NOT_RUN.test(command)).map(run);
    if (outputs.length === 0) return;
    const responses = outputs.slice(outputs.length - shown.length);
    shown.forEach((line, index) => {
      const response = responses[index] ?? "";
      expect(differences(parseShown(line), JSON.parse(response)), `${line}\n${response}`).toEqual([]);
    });
  });
});

describe("this check", () => {
  it("sees a member that is missing, added or of another type, and lets `…` stand for the rest", () => {
    const shown = parseShown('{"id":1,"tags":["a",…],"from":{"name":"Ann",…},…}');
    expect(differences(shown, { id: 7, tags: ["x", "y"], from: { name: "Bob", email: "b" }, more: 1 })).toEqual([]);
    expect(differences(shown, { id: "7", tags: [], from: {} })).toEqual([
      "$.id is string, not number",
      "$.tags has 0 elements",
      "$.from.name is missing",
    ]);
    expect(differences(parseShown('{"id":1}'), { id: 1, extra: 2 })).toEqual(["$.extra is not shown"]);
  });
});
