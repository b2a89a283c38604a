import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { SlowestFiles } from "../slowest-files.ts";
import { PATIENCE_MS } from "./chromium.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The longest first: at the end, only one core would be busy. */
const LONG = ["console-screens", "execute", "console-kept", "console-actions", "docs-commands", "console-calendar"];

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((name) => moduleId.includes(`/${name}.`));
      return found < 0 ? LONG.length : found;
    };
    return [...files].sort((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

/** Apart from the main suite, because it needs Chromium: `npm run test:browser`. No test gets a second try. */
export default defineConfig({
  test: {
    name: "browser",
    root: at("."),
    include: ["*.browser.ts"],
    globalSetup: [at("global-setup.ts")],
    // Two files at a time: a page and its service wait for each other half of the time.
    maxWorkers: 2,
    // One browser, and one load of what drives it, for all the files of a process.
    isolate: false,
    sequence: { sequencer: LongOnesFirst },
    reporters: [new SlowestFiles(), "default"],
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: PATIENCE_MS, interval: 50 } },
  },
});
