import * as z from "zod";
import { limitedText } from "../limited-text.ts";

const ServedModels = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })) });
const MAX_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 3000;

/** The first model that an OpenAI-compatible server lists; null when it lists none or cannot be reached. */
export async function firstServedModel(baseUrl: string, key: string | null): Promise<string | null> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      ...(key && { headers: { authorization: `Bearer ${key}` } }),
      // A redirect would send the key to another host.
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return ServedModels.parse(JSON.parse(await limitedText(response, MAX_BYTES))).data[0]?.id ?? null;
  } catch {
    return null;
  }
}
