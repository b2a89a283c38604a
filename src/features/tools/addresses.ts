import { type Context, requireScopes } from "../../context.ts";
import { listEmails } from "../emails/list.ts";

const LOOKED_AT = 20;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The addresses of the people of this name who have written, the latest first. An address is its own. */
export async function addressesOf(ctx: Context, name: string): Promise<string[]> {
  if (/@/.test(name)) return [name.toLowerCase()];
  requireScopes(ctx, ["emails:read"]);
  const words = wordsIn(name);
  if (words.length === 0) return [];
  const { data } = await listEmails(ctx, { from: name, direction: "inbound", limit: LOOKED_AT });
  const fits = data.filter(({ from }) => {
    const known = wordsIn(`${from.name} ${from.email.split("@")[0]}`);
    return words.every((word) => known.includes(word));
  });
  return [...new Set(fits.map(({ from }) => from.email.toLowerCase()))];
}
