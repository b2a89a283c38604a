import { basename } from "node:path";
import type { TestProject } from "vitest/node";
import { buildWorker } from "../../scripts/build.mjs";

/** Built once for all the files that start the Worker or look at it. */
export default async function setup(project: TestProject): Promise<void> {
  const { files, metafile } = await buildWorker();
  const modules = files.filter(({ name }) => name.endsWith(".js"));
  project.provide(
    "workerModules",
    modules.sort((a, b) => Number(b.name === "index.js") - Number(a.name === "index.js")),
  );
  const parts = Object.entries(metafile.outputs).filter(([path]) => path.endsWith(".js"));
  const graph = parts.map(([path, { imports, inputs, bytes }]) => {
    const ofKind = (kind: string) =>
      imports.filter((each) => each.kind === kind && !each.external).map((each) => basename(each.path));
    const part = {
      imports: ofKind("import-statement"),
      loads: ofKind("dynamic-import"),
      bytes,
      inputs: Object.keys(inputs),
    };
    return [basename(path), part] as const;
  });
  project.provide("workerGraph", Object.fromEntries(graph));
  const engine: Record<string, number> = {};
  for (const [path, { bytesInOutput }] of parts.flatMap(([, { inputs }]) => Object.entries(inputs))) {
    const found = /^src\/engine\/(?:([a-z]+)\/)?/.exec(path);
    const folder = found?.[1] ?? "own";
    if (found) engine[folder] = (engine[folder] ?? 0) + bytesInOutput;
  }
  project.provide("engineBytes", engine);
}
