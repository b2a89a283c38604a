import { type Account, type Context, signedInUser } from "../../context.ts";
import type { PersonalData } from "../../db/personal-data.ts";
import { byteStream } from "../../lib/byte-stream.ts";
import { toBytes } from "../../lib/encoding.ts";
import { errorFields, log } from "../../log.ts";
import { audit } from "../audit/service.ts";
import { PERSONAL_DATA } from "./sections.ts";

/** Streams the data of the signed-in person; for the owner, also the data that belongs to the service. */
export async function exportData(
  ctx: Context,
  parts: readonly PersonalData[] = PERSONAL_DATA,
): Promise<ReadableStream<Uint8Array>> {
  const user = signedInUser(ctx);
  await audit(ctx, "data.exported", { userId: user.id });
  return byteStream(jsonOf(ctx, sectionsOf(user, parts)));
}

/** What a person may export: their own data and, for the owner, also that of the service. */
export function sectionsOf({ role }: Account, parts: readonly PersonalData[] = PERSONAL_DATA): PersonalData[] {
  return parts.filter(({ ownersOnly }) => !ownersOnly || role === "owner");
}

/** The export as pieces of JSON. An error part-way ends it early, but as valid JSON with the error in `fault`. */
async function* jsonOf(ctx: Context, parts: readonly PersonalData[]): AsyncGenerator<Uint8Array> {
  for await (const text of textsOf(ctx, parts)) yield toBytes(text);
}

async function* textsOf(ctx: Context, parts: readonly PersonalData[]): AsyncGenerator<string> {
  yield `{"format":"poa-export","exportedAt":${JSON.stringify(ctx.now.toISOString())},"data":{`;
  let fault: string | null = null;
  for (const [index, { name, pages }] of parts.filter((part) => part.pages !== undefined).entries()) {
    yield `${index > 0 ? "," : ""}${JSON.stringify(name)}:[`;
    let isFirst = true;
    try {
      for await (const rows of pages?.(ctx) ?? []) {
        const text = rows.map((row) => JSON.stringify(row)).join(",");
        if (text) yield `${isFirst ? "" : ","}${text}`;
        if (text) isFirst = false;
      }
    } catch (error) {
      log("error", "export_failed", { requestId: ctx.requestId, part: name, ...errorFields(error) });
      fault = `The export stopped at ${name} because of an error. Try again. Request id: ${ctx.requestId}.`;
    }
    yield "]";
    if (fault) break;
  }
  yield `},"complete":${fault === null},"fault":${JSON.stringify(fault)}}`;
}
