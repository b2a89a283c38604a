import { describe, expect, it } from "vitest";
import { appFor } from "../../src/app.ts";
import { declarationsOf } from "../declared.ts";
import { expectProblem, service, sharedApp } from "../harness.ts";

const routes = declarationsOf(sharedApp).map(({ method, path }) => ({ method, path }));

describe("an isolate that reads only what it is asked for", () => {
  it("finds every route in the area of its path", async () => {
    for (const { method, path } of routes) {
      const area = declarationsOf(await appFor(`https://poa.test${path.replaceAll(/[{}]/g, "")}?x=1`));
      const isThere = area.some((each) => each.method === method && each.path === path);
      expect(isThere, `${method} ${path}`).toBe(true);
    }
  });

  it.each(["/docs", "/api-docs", "/%61pi/health", "/api//health"])("takes %s to the whole service", async (path) => {
    expect(declarationsOf(await appFor(`https://poa.test${path}`))).toHaveLength(routes.length);
  });

  it.each(["/api", "/api/nothing", "/api/constructor", "/favicon.ico"])("has nothing at %s", async (path) => {
    const app = await appFor(`https://poa.test${path}`);
    expectProblem(await service({}, app).get(path), 404, "route_not_found");
  });

  it("tells the methods that a path does take", async () => {
    const app = await appFor("https://poa.test/api/tasks");
    const answer = await service({}, app).put("/api/tasks", {});
    expectProblem(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toContain("POST");
  });
});
