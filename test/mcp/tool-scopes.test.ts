import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { AGENT_TOOLS } from "../../src/features/tools/registry.ts";
import { AGENT_SCOPES } from "../../src/lib/agent-rules.ts";
import type { Client } from "../harness.ts";
import { CALLS, type Caller } from "../http/calls.ts";
import { leaked, plant, WORDS } from "../http/planted.ts";
import { scopedService, seen } from "../http/scoped.ts";
import { agent } from "./agents.ts";
import { connected, oauth } from "./connecting.ts";

/* Every tool of an agent with each single scope, while every text of every record has a word of its kind. */

let stage: Awaited<ReturnType<typeof scopedService>>;
let caller: Caller;
let closed: Client;
beforeAll(async () => {
  await env.DB.exec("DELETE FROM users");
  stage = await scopedService();
  closed = stage.client;
  caller = await stage.callerOf(null);
});

describe("a tool of an agent shows no word of what its connection may not read", () => {
  const id = async (path: string) =>
    (await closed.get(`${path}?limit=1`, { token: stage.owner.token })).body.data[0].id;
  const eventId = () => id("/api/calendar/events");
  const INPUTS: Record<string, () => Promise<Record<string, unknown>>> = {
    search: async () => ({ query: Object.values(WORDS)[0] }),
    fetch: async () => ({ id: `mail:${await id("/api/emails")}` }),
    find_mail: async () => ({}),
    find_people: async () => ({ query: "a" }),
    read_mail: async () => ({ id: await id("/api/emails") }),
    list_tasks: async () => ({}),
    list_events: async () => ({ start: "2031-01-01", end: "2039-01-01" }),
    find_free_slots: async () => ({}),
    daily_brief: async () => ({}),
    create_task: async () => ({ title: "Own words" }),
    update_task: async () => ({ id: await id("/api/tasks"), priority: "high" }),
    create_event: async () => {
      const { path = "" } = (await CALLS.getEvent?.(caller)) ?? {};
      const { body } = await closed.get(path, { token: stage.owner.token });
      await plant();
      return { title: "Own words", start: body.start, durationMinutes: 600 };
    },
    move_event: async () => ({ id: await eventId(), start: "2032-05-05T10:00:00Z" }),
    cancel_event: async () => ({ id: await eventId() }),
    update_mail: async () => ({ id: await id("/api/emails"), isStarred: true }),
    propose_reply: async () => ({ emailId: await id("/api/emails"), body: "Thank you." }),
  };
  const tokens = new Map<string, { token: string; by: string }[]>();

  beforeAll(async () => {
    const server = oauth();
    for (const scope of AGENT_SCOPES) {
      const { access } = await connected(server, { person: stage.owner, scope });
      tokens.set(scope, [
        { token: access, by: "connection" },
        { token: (await stage.keyFor(scope)).key, by: "API key" },
      ]);
    }
    for (const name of ["getEmail", "getTask", "getEvent", "getEvent"]) await CALLS[name]?.(caller);
  });

  it.each(AGENT_TOOLS.map(({ name }) => name))("%s", async (name) => {
    const input = INPUTS[name];
    if (!input) throw new Error(`The tool ${name} has no input here.`);
    const tool = AGENT_TOOLS.find((each) => each.name === name);
    let prepared: Record<string, unknown> | undefined;
    for (const scope of AGENT_SCOPES) {
      for (const { token, by } of tokens.get(scope) ?? []) {
        // Anew after a call that was let in, which may have changed or deleted what it was about.
        if (!prepared) {
          prepared = await input();
          await plant();
        }
        const answer = await agent(token, "modern", closed).send({
          method: "tools/call",
          params: { name, arguments: prepared },
        });
        if (answer.status === 200) prepared = undefined;
        expect([by, scope, leaked(seen(answer), [scope])]).toEqual([by, scope, []]);
        const mayUse = tool?.anyOf ? tool.scopes.includes(scope) : tool?.scopes.every((each) => each === scope);
        const reads = name === "fetch" ? scope === "emails:read" : mayUse;
        expect([by, scope, answer.status], answer.text).toEqual([by, scope, reads ? 200 : 403]);
        if (reads) expect(answer.body.result.isError, answer.text).toBeUndefined();
      }
    }
  });

  it("a change is still acknowledged: with id, version and flags, conflicts as times", async () => {
    const [calendar] = tokens.get("calendar:write") ?? [];
    const [tasks] = tokens.get("tasks:write") ?? [];
    const create = await INPUTS.create_event?.();
    const made = await agent(calendar?.token ?? "", "modern", closed).done("create_event", create);
    expect(made.status).toBe("done");
    expect(Object.keys(made.event).sort()).toEqual(["allDay", "awaitsAnswer", "busy", "id", "status", "version"]);
    expect(Object.keys(made.conflicts[0]).sort()).toEqual(["end", "start"]);
    const changed = await agent(tasks?.token ?? "", "modern", closed).done("update_task", await INPUTS.update_task?.());
    expect(Object.keys(changed.task).sort()).toEqual(["id", "priority", "status", "version"]);
  });
});
