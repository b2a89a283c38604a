import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { bundle, root } from "./repository.ts";

export interface RunningWorker {
  url: URL;
  stop(): Promise<void>;
}

/** The whole service, bundled and in the real runtime, behind a real socket on this machine. */
export async function startWorker(): Promise<RunningWorker> {
  const settings = readFileSync(join(root, "wrangler.toml"), "utf8");
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      // The request log has its own tests.
      handleStructuredLogs: () => {},
      modules: true,
      script: await bundle("src/index.ts"),
      compatibilityDate: /compatibility_date = "(.+)"/.exec(settings)?.[1],
      d1Databases: ["DB"],
      kvNamespaces: ["KV"],
    }),
  );
  return { url: await miniflare.ready, stop: () => miniflare.dispose() };
}
