import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { writeUpload } from "../../scripts/upload.mjs";

/** Bundled once for all the files that start the Worker or look at it. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "upload-"));
  const { metafile } = writeUpload(folder);
  project.provide("upload", join(folder, "index.js"));
  const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === "src/index.ts");
  const graph = Object.entries(metafile.inputs).map(([file, { imports }]) => {
    const atOnce = imports.filter(({ kind, external }) => kind === "import-statement" && !external);
    return [
      file,
      { imports: atOnce.map(({ path }) => path), bytes: output?.inputs[file]?.bytesInOutput ?? 0 },
    ] as const;
  });
  project.provide("uploadGraph", Object.fromEntries(graph));
  return () => rmSync(folder, { recursive: true });
}
