import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The local runtime keeps the text of each email that it sends as a file. Returns how often each text that matches was. */
export function countSent(folder: string, mark: RegExp): Map<string, number> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const times = new Map<string, number>();
  for (const name of files.filter((each) => each.includes("email-text") && each.endsWith(".txt"))) {
    const [text] = mark.exec(readFileSync(join(folder, name), "utf8")) ?? [];
    if (text !== undefined) times.set(text, (times.get(text) ?? 0) + 1);
  }
  return times;
}

export function sentTwice(sent: ReadonlyMap<string, number>): string[] {
  const twice = [...sent].filter(([, count]) => count > 1);
  return twice.map(([text, count]) => `"${text}" was sent ${count} times`);
}
