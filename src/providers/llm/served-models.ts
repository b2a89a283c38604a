import * as z from "zod";
import { limitedText } from "../limited-text.ts";

const ServedModels = z.object({ data: z.array(z.unknown()) });
const ServedModel = z.object({ id: z.string() });
/** As the name of a model can be saved. */
const USABLE = /^[\x21-\x7e]{1,200}$/;
/** Local servers list these, too, but they write no text. */
const EMBEDDING = /embed/i;
const MAX_MODELS = 100;

interface Asked {
  key?: string | null;
  maxBytes?: number;
  timeoutMs?: number;
}

/** The models that an OpenAI-compatible server lists; none if it cannot be reached or answers with anything else. */
export async function servedModels(
  baseUrl: string,
  { key, maxBytes = 4 * 1024 * 1024, timeoutMs = 3000 }: Asked,
): Promise<string[]> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      ...(key && { headers: { authorization: `Bearer ${key}` } }),
      // A redirect would send the key to another host, and could lead to any address.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await limitedText(response, maxBytes);
    if (!response.ok) return [];
    const ids = ServedModels.parse(JSON.parse(text)).data.flatMap((each) => ServedModel.safeParse(each).data?.id ?? []);
    return [...new Set(ids)].filter((id) => USABLE.test(id) && !EMBEDDING.test(id)).slice(0, MAX_MODELS);
  } catch {
    return [];
  }
}
