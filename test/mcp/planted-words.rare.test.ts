import { beforeEach, describe, expect, it } from "vitest";
import { AGENT_TOOLS } from "../../src/features/tools/registry.ts";
import { inHours, outsideOfMarks, type Planted, plant, plantedIn } from "../ai/planting.ts";
import { emptyService, service } from "../harness.ts";
import { agent, forgetOutside, keyOf } from "./agents.ts";

beforeEach(emptyService);

/** Every tool, with what it returns and with each kind of refusal. */
const CALLS: [tool: string, why: string, input: (there: Planted) => Record<string, unknown>][] = [
  ["search", "results", () => ({ query: "zqtask" })],
  ["search", "events", () => ({ query: "zqevent" })],
  ["fetch", "an email", ({ email }) => ({ id: `mail:${email.id}` })],
  ["fetch", "a task", ({ task }) => ({ id: `task:${task.id}` })],
  ["fetch", "an event", ({ event }) => ({ id: `event:${event.id}` })],
  ["fetch", "an unknown id", () => ({ id: "task:999999" })],
  ["find_mail", "emails", () => ({ box: "all" })],
  ["find_mail", "a query that is not valid", () => ({ query: "has:zebra" })],
  ["read_mail", "an email", ({ email }) => ({ id: email.id })],
  ["read_mail", "an unknown id", () => ({ id: 999_999 })],
  ["find_people", "people", () => ({ query: "zqsender" })],
  ["list_tasks", "tasks", () => ({})],
  ["list_events", "events", () => ({ end: inHours(200).slice(0, 10) })],
  ["list_events", "by name", () => ({ match: "meeting" })],
  ["find_free_slots", "times", () => ({})],
  ["daily_brief", "the day", () => ({})],
  ["create_task", "a task", () => ({ title: "Mine" })],
  ["create_task", "a task of an email", ({ email }) => ({ title: "Mine", emailId: email.id, quote: "report to Ann" })],
  ["create_task", "a quote without its email", () => ({ title: "Mine", quote: "report" })],
  ["update_task", "a task", ({ task }) => ({ id: task.id, priority: "high" })],
  ["update_task", "an unknown list", ({ task }) => ({ id: task.id, list: "nowhere" })],
  ["update_task", "an unknown id", () => ({ id: 999_999, priority: "high" })],
  ["create_event", "what it overlaps with", () => ({ title: "Mine", start: inHours(1) })],
  ["move_event", "an event", ({ event }) => ({ id: event.id, start: inHours(8) })],
  ["move_event", "an unknown id", () => ({ id: 999_999, start: inHours(8) })],
  ["cancel_event", "an event", ({ event }) => ({ id: event.id })],
  ["update_mail", "an email", ({ email }) => ({ id: email.id, isRead: true })],
  ["update_mail", "tags", ({ email }) => ({ id: email.id, tags: ["mine"] })],
  ["propose_reply", "a draft", ({ email }) => ({ emailId: email.id, body: "Yes." })],
  ["propose_reply", "an unknown id", () => ({ emailId: 999_999, body: "Yes." })],
];

/** Where a planted word stands in a result. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value === "string") return plantedIn(value).length > 0 ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]));
}

async function expectRemembered(desk: ReturnType<typeof agent>) {
  expect(await desk.done("create_task", { title: "Probe" })).toMatchObject({ status: "proposed" });
}

describe("whatever outside word an agent gets stands between marks, and its next write is only proposed", () => {
  it("and this walks every tool", () => {
    expect(new Set(CALLS.map(([tool]) => tool))).toEqual(new Set(AGENT_TOOLS.map(({ name }) => name)));
  });

  it.each(CALLS)("%s: %s", async (tool, why, input) => {
    const there = await plant();
    const desk = agent(await keyOf(there.person));
    const result = await desk.tool(tool, input(there));
    const text = JSON.stringify(result);
    // The id of a search is the agent's own word.
    expect(plantedIn(outsideOfMarks(result.content[0].text)), text).toEqual([]);
    if (plantedIn(text).length > 0) await expectRemembered(desk);
    // The shape of these two is that of ChatGPT's connectors.
    if (tool === "search" || tool === "fetch") return;
    for (const path of pathsOf(result.structuredContent)) expect(path, text).toContain("outside");
    if (why === "an unknown id") expect(result.content[0].text).toMatch(/^not_found: .*Get a current id with search, /);
  });

  it("has all that an email says under `outside`: body, what it asks for, files and tags", async () => {
    const { email, person } = await plant();
    const { mail } = await agent(await keyOf(person)).done("read_mail", { id: email.id });
    const { outside, ...own } = mail;
    expect(plantedIn(JSON.stringify(own))).toEqual([]);
    for (const [name, word] of [
      ["body", "zqbody"],
      ["attachments", "zqfile"],
      ["tags", "zqrecipient"],
      ["actionItems", "zqbody"],
    ] as const) {
      expect(plantedIn(JSON.stringify(outside[name])), name).toContain(word);
    }
  });

  it.each(["mail", "task", "event", "brief"])("the resource of a %s, too", async (kind) => {
    const { email, task, event, person } = await plant();
    const desk = agent(await keyOf(person));
    const ids: Record<string, number> = { mail: email.id, task: task.id, event: event.id };
    const uri = kind === "brief" ? "poa://brief/today" : `poa://${kind}/${ids[kind]}`;
    const { body } = await desk.send({ method: "resources/read", params: { uri } });
    const [{ text }] = body.result.contents;
    expect(plantedIn(text)).not.toEqual([]);
    expect(plantedIn(outsideOfMarks(text))).toEqual([]);
    await expectRemembered(desk);
  });

  it("prompts and lists have none, and an unknown resource says what to do", async () => {
    const { person } = await plant();
    const desk = agent(await keyOf(person));
    const prompts = ["plan_my_day", "triage_inbox", "prepare_meeting"];
    const answers = await Promise.all([
      ...prompts.map((name) => desk.send({ method: "prompts/get", params: { name, arguments: { meeting: "x" } } })),
      ...["tools/list", "resources/list", "resources/templates/list", "prompts/list"].map((method) =>
        desk.send({ method }),
      ),
      desk.send({ method: "resources/read", params: { uri: "poa://task/999999" } }),
    ]);
    for (const { text } of answers) expect(plantedIn(text)).toEqual([]);
    expect(answers.at(-1)?.text).toContain("Get a current id with search");
  });

  it("a result that is given again for its requestId counts as read again", async () => {
    const { task, person } = await plant();
    const desk = agent(await keyOf(person));
    const input = { id: task.id, priority: "high", requestId: "again" };
    const first = await desk.done("update_task", input);
    expect(first).toMatchObject({ status: "done", notice: expect.any(String) });
    await forgetOutside();
    expect(await desk.done("update_task", input)).toEqual(first);
    await expectRemembered(desk);
  });

  it("a list that an agent names is marked", async () => {
    const { person } = await plant();
    await agent(await keyOf(person)).done("create_task", { title: "Mine", list: "Named by an agent" });
    const { body } = await service().get("/api/tasks/lists");
    expect(body.data.find(({ name }: { name: string }) => name === "Named by an agent")).toMatchObject({
      outside: true,
    });
  });
});
