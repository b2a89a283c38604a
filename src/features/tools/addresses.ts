import { type Context, requireScopes } from "../../context.ts";
import { listContacts } from "../contacts/service.ts";

const LOOKED_AT = 20;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The addresses of the people of this name, the likeliest first. An address is its own. */
export async function addressesOf(ctx: Context, name: string): Promise<string[]> {
  if (/@/.test(name)) return [name.toLowerCase()];
  requireScopes(ctx, ["emails:read"]);
  const words = wordsIn(name);
  if (words.length === 0) return [];
  const { data } = await listContacts(ctx, { q: name, limit: LOOKED_AT });
  return data.flatMap(({ name: known, addresses, outside }) => {
    const fitting = addresses.filter((address) => {
      const all = wordsIn(`${known} ${address.split("@")[0]}`);
      return words.every((word) => all.includes(word));
    });
    // A program may have put its own address first: the person is asked which one is meant.
    return outside ? fitting : fitting.slice(0, 1);
  });
}
