import { describe, expect, inject, it } from "vitest";

/*
 * The packages that call models weigh more than the service itself. A start of the Worker must not run
 * them: they are in the bundle, but only behind `import()`.
 */

const HEAVY = ["ai", "@ai-sdk/anthropic", "@ai-sdk/google", "@ai-sdk/openai-compatible", "workers-ai-provider"];

interface Module {
  path: string;
  /** The modules it starts first. */
  starts: string[];
}

/** The bundler wraps what stands behind `import()` into functions; the rest runs at the start. */
function readBundle(text: string): { lazy: Map<string, Module>; atStart: string[] } {
  const lazy = new Map<string, Module>();
  for (const [, name = "", path = "", body = ""] of text.matchAll(
    /^var (init_\w+) = __esm\(\{\n\s+"([^"]+)"\(\) \{\n([\s\S]*?)^\}\);/gm,
  )) {
    lazy.set(name, { path, starts: [...body.matchAll(/^ {4}(init_\w+)\(\);/gm)].map(([, call = ""]) => call) });
  }
  return { lazy, atStart: [...text.matchAll(/^(init_\w+)\(\);/gm)].map(([, call = ""]) => call) };
}

function packageOf(path: string): string | undefined {
  return HEAVY.find((name) => path.includes(`node_modules/${name}/`));
}

const parts = readBundle(inject("workerScript"));

describe("the start of the Worker", () => {
  it("has every package for models behind `import()`", () => {
    const wrapped = new Set([...parts.lazy.values()].map(({ path }) => packageOf(path)));
    for (const name of HEAVY) expect(wrapped, name).toContain(name);
  });

  it("runs none of them", () => {
    const started = new Set<string>();
    const queue = [...parts.atStart];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (started.has(name)) continue;
      started.add(name);
      queue.push(...(parts.lazy.get(name)?.starts ?? []));
    }
    expect(started.size).toBeGreaterThan(0);
    const heavy = [...started].map((name) => parts.lazy.get(name)?.path ?? "").filter(packageOf);
    expect(heavy).toEqual([]);
  });
});
