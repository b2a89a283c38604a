// npm run backup [-- --url https://…] [--to <file.zip>]: exports everything as the owner, and downloads the archive.
// POA_EMAIL, POA_PASSWORD and POA_CODE sign in; without them the script asks.
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { type Job, Service, summaryOf } from "./backup/service.ts";

const { values: flags } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8787" },
    to: { type: "string", default: `poa-backup-${new Date().toISOString().slice(0, 10)}.zip` },
  },
});
const EXPORTS = "/api/settings/data/exports";

try {
  const service = new Service(flags.url);
  await service.signIn();
  const { id } = await service.json<Job>("POST", EXPORTS);
  const job = await service.wait(`${EXPORTS}/${id}`);
  const { body } = await service.call("GET", `${EXPORTS}/${id}/download`);
  if (!body) throw new Error("The download is empty.");
  const part = `${flags.to}.part`;
  const hash = createHash("sha256");
  let size = 0;
  await pipeline(
    Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]),
    async function* watch(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(part),
  );
  if (size !== job.size) {
    await rm(part);
    throw new Error(`The download broke off after ${size} of ${job.size} bytes. Run it again.`);
  }
  await rename(part, flags.to);
  // Everything is in the file now.
  await service.call("DELETE", `${EXPORTS}/${id}`);
  console.log(`${flags.to}: ${summaryOf(job)}, ${size} bytes, SHA-256 ${hash.digest("hex")}`);
  const missing = job.result?.missingFiles ?? 0;
  if (missing > 0) console.log(`${missing} files were missing from the file store: the archive is without them.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
