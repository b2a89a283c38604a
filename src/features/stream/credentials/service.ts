import type { Context } from "../../../context.ts";

/** The fields of a platform's credential, or null when it is not connected. */
export async function credentialOf(_ctx: Context, _platform: "youtube"): Promise<Record<string, string> | null> {
  return null;
}
