// npm run restore [-- --url https://…] --from <file.zip>: imports an archive into an empty service, as its owner.
// POA_EMAIL, POA_PASSWORD and POA_CODE sign in; without them the script asks.
import { type FileHandle, open } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Job, Service, summaryOf } from "./backup/service.ts";

const { values: flags } = parseArgs({
  options: { url: { type: "string", default: "http://localhost:8787" }, from: { type: "string" } },
});
const IMPORT = "/api/settings/data/import";
const UPLOADS = "/api/settings/data/uploads";
const TRIES = 4;

try {
  if (!flags.from) throw new Error("Name the archive: npm run restore -- --from <file.zip>");
  const service = new Service(flags.url);
  await service.signIn();
  const { id } = await begin(service, flags.from);
  const job = await service.wait(`${IMPORT}/${id}`);
  console.log(`Imported ${summaryOf(job)}.`);
  for (const { name, records, reason } of job.result?.leftOut ?? []) {
    console.log(`Not imported: ${name} (${records}). ${reason}`);
  }
  for (const { name, records, reason } of job.result?.changed ?? []) {
    console.log(`Changed: ${name} (${records}). ${reason}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** What was sent does not stay at the service if it is not imported. */
async function begin(service: Service, path: string): Promise<Job> {
  const file = await open(path);
  const { id: uploadId, partSize } = await service.json<{ id: string; partSize: number }>("POST", UPLOADS);
  try {
    await upload(service, uploadId, partSize, file);
    return await service.json<Job>("POST", IMPORT, { uploadId });
  } catch (error) {
    await service.call("DELETE", `${UPLOADS}/${uploadId}`).catch(() => {});
    throw error;
  }
}

/** In parts, so that an archive of any size gets through, and a part that fails is sent again. */
async function upload(service: Service, id: string, partSize: number, file: FileHandle): Promise<void> {
  try {
    const { size } = await file.stat();
    for (let part = 1; (part - 1) * partSize < size; part++) {
      const start = (part - 1) * partSize;
      const body = new Uint8Array(Math.min(partSize, size - start));
      await file.read(body, 0, body.length, start);
      await sendPart(service, `${UPLOADS}/${id}/parts/${part}`, body);
    }
  } finally {
    await file.close();
  }
}

async function sendPart(service: Service, path: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const headers = { "content-type": "application/octet-stream" };
  for (let attempt = 1; ; attempt++) {
    try {
      await service.call("PUT", path, { body, headers });
      return;
    } catch (error) {
      if (attempt === TRIES) throw error;
    }
  }
}
