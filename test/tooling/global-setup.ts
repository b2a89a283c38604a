import type { TestProject } from "vitest/node";
import { bundle } from "./repository.ts";

/** Bundled once for all the files that start the Worker. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide("workerScript", await bundle());
}
