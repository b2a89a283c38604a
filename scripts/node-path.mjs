// Which Node runs the scripts and wrangler: the machine's own if it runs TypeScript as it is (22.18 and later, which
// also bring SQLite), otherwise the one of scripts/node, which set-up installs there. Plain JavaScript for Node 20.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const nodeFolder = join(dirname(fileURLToPath(import.meta.url)), "node");

export const isNewEnough = Boolean(process.features.typescript);

/** The Node of scripts/node, if it is installed. npm installs the one package that is for this platform. */
export function installedNode() {
  const packages = join(nodeFolder, "node_modules");
  const name = existsSync(packages) && readdirSync(packages).find((each) => each.startsWith("node-"));
  return name ? join(packages, name, "bin", process.platform === "win32" ? "node.exe" : "node") : undefined;
}

export function nodePath() {
  const path = isNewEnough ? process.execPath : installedNode();
  if (!path) throw new Error(`This needs Node 22.18 or later, and there is none to install for ${process.platform}.`);
  return path;
}
