// npm run trace < log: the same trace with the files and lines of src. The platform does this to
// exceptions that nothing catches (`upload_source_maps`), but not to what the service itself has logged.
import { mkdtempSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { root } from "./migrate.mjs";
import { writeUpload } from "./upload.mjs";

/**
 * @param {string} trace
 * @param {string} map the source map of the upload
 * @param {string} folder where it was written
 */
export function withSourceLines(trace, map, folder) {
  const sourceMap = new SourceMap(JSON.parse(map));
  return trace.replaceAll(/[^\s()]*\bindex\.js:(\d+):(\d+)/g, (place, line, column) => {
    const origin = sourceMap.findOrigin(Number(line), Number(column));
    if (!("fileName" in origin)) return place;
    const file = relative(root, resolve(folder, origin.fileName)).replaceAll("\\", "/");
    return `${file}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), "source-lines-"));
  const { map } = writeUpload(folder);
  // As it stands in a line of the log, or alone.
  const trace = (await text(process.stdin)).replaceAll("\\n", "\n");
  console.log(withSourceLines(trace, map, folder));
  rmSync(folder, { recursive: true });
}
