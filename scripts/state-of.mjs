// What a build was made from, as one short text: a build with the same text need not be made again. Plain JavaScript, as
// everything `npm run dev` needs.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** @param {string} root @param {...string} paths files, and folders with all that is in them */
export function stateOf(root, ...paths) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap((path) => filesOf(join(root, path)))) {
    hash.update(relative(root, file)).update("\0").update(readFileSync(file));
  }
  return hash.digest("hex");
}

function filesOf(/** @type {string} */ path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
