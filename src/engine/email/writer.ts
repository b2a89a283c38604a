import { collapseSpace } from "../../lib/text.ts";
import { correspondentOf, firstNameOf, personal } from "./correspondent.ts";
import type { ReadEmail } from "./email.ts";

const FORWARD_MARK =
  /^[ \t>]{0,10}(?:-{2,}\s?(?:forwarded message|original message)|begin forwarded message|_{10,}[ \t]*\n[ \t>*]{0,5}from:)/im;
const FROM_LINE =
  /^[ \t>*_]{0,10}(?:from|von|de)\s?[*_]{0,2}:[*_]{0,2}[ \t]{0,5}["“]?([^\n<"”@[(]{2,60}?)["”]?[ \t]{0,3}(?:[<[(]|$)/im;
const HEADER_CHARACTERS = 600;

/** Tells who wrote the words at a place, as a task calls them; null if nobody is named. The email is read once. */
export function writersOf(email: ReadEmail): (at: number) => string | null {
  const original = forwardedFrom(email);
  const sender = senderOf(email, original);
  return (at) => (original && at >= original.start ? original.name : sender);
}

function senderOf(email: ReadEmail, original: { start: number } | null): string | null {
  const { from, visible } = email;
  const person = correspondentOf({
    from: from ?? null,
    content: original ? visible.slice(0, original.start) : visible,
  });
  if (person) return firstNameOf(person);
  const name = collapseSpace(from?.name ?? "");
  return name !== "" && name.length <= 40 && !name.includes("@") ? name : null;
}

/** Where forwarded text begins, and who wrote it. */
function forwardedFrom({ visible }: ReadEmail): { start: number; name: string | null } | null {
  const mark = FORWARD_MARK.exec(visible);
  if (!mark) return null;
  const line = FROM_LINE.exec(visible.slice(mark.index, mark.index + HEADER_CHARACTERS));
  const name = line?.[1]?.trim();
  const person = name === undefined ? null : personal(name);
  return { start: mark.index, name: person ? firstNameOf(person) : (name ?? null) };
}
