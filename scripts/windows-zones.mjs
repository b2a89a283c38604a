// Writes src/lib/ics/windows-zones.ts: what the names that Windows gives to time zones mean, from Unicode's CLDR.
// When CLDR has a new release, name it here and run `node scripts/windows-zones.mjs`. It reads the files from GitHub, or
// from the checkout of CLDR whose folder is its argument.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const RELEASE = "release-48-2";
const CLDR = `https://raw.githubusercontent.com/unicode-org/cldr/${RELEASE}`;
const MODULE = new URL("../src/lib/ics/windows-zones.ts", import.meta.url);

const checkout = process.argv[2];

async function read(path) {
  if (checkout) return readFile(join(checkout, path), "utf8");
  const response = await fetch(`${CLDR}/${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}

/** CLDR never renames a zone ("Asia/Calcutta"); beside each it has the name of the IANA database today. */
function ianaNames(text) {
  const names = new Map();
  for (const [, alias, iana] of text.matchAll(/<type [^>]*\balias="([^"]+)"(?:[^>]*\biana="([^"]+)")?/g)) {
    const [first, ...others] = alias.split(" ");
    for (const name of [first, ...others]) names.set(name, iana ?? first);
  }
  return names;
}

/** Each zone is preceded by the words that Windows shows for it. "001" is the zone of the name wherever it is used. */
function rowsOf(text, names) {
  const rows = [];
  let shown = "";
  for (const line of text.split("\n")) {
    shown = /<!-- \(UTC[^)]*\) (.+?) -->/.exec(line)?.[1] ?? shown;
    const [, windows, zone] = /<mapZone other="([^"]+)" territory="001" type="([^"]+)"/.exec(line) ?? [];
    if (windows) rows.push([windows, shown, names.get(zone) ?? zone]);
  }
  return rows.sort(([a], [b]) => (a < b ? -1 : 1));
}

const names = ianaNames(await read("common/bcp47/timezone.xml"));
const rows = rowsOf(await read("common/supplemental/windowsZones.xml"), names);
for (const column of [0, 1]) {
  const unique = new Set(rows.map((row) => row[column].toLowerCase()));
  if (rows.length < 100 || unique.size !== rows.length || unique.has("")) throw new Error("CLDR has changed its form.");
}
await writeFile(
  MODULE,
  `// Written by scripts/windows-zones.mjs from ${RELEASE} of Unicode's CLDR: do not edit.
// Copyright © Unicode, Inc. Unicode License v3, https://www.unicode.org/license.txt

/** Name, what Windows shows for it (after the offset), and the zone of the IANA database. */
export const WINDOWS_ZONES: readonly (readonly [name: string, shown: string, zone: string])[] = [
${rows.map((row) => `  [${row.map((text) => JSON.stringify(text)).join(", ")}],`).join("\n")}
];
`,
);
