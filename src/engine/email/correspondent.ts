import { capitalize, collapseSpace } from "../../lib/text.ts";
import type { EmailInput } from "./email.ts";
import { SIGN_OFF } from "./sentences.ts";

const ROLE =
  /^(?:the|your|my|our)\b|\b(?:team|support|billing|sales|info|admin|no-?reply|do-?not-?reply|newsletter|notifications?|alerts?|service|customer|accounts?|accounting|office|hr|help|desk|marketing|news|mailer|postmaster|gmbh|inc|ltd|llc|corp|company|group|store|shop|bank|via|bot|system|robot|orders?|invoices?)\b/i;
const NAME =
  /^\p{Lu}[\p{L}'’-]{0,30}\.?(?: (?:(?:van|von|de|der|den|da|di|la|le|al|bin|ter) ){0,2}\p{Lu}[\p{L}'’-]{0,30}\.?){0,3}$/u;

/** The name that a reply greets; null if the email does not clearly name a person. */
export function correspondentOf({ from, content }: Pick<EmailInput, "from" | "content">): string | null {
  return personal(from?.name ?? "") ?? signatureOf(content) ?? fromAddress(from?.email ?? "");
}

export function firstNameOf(name: string): string {
  const [first = name, ...rest] = name.replace(/^(?:dr|mr|mrs|ms|prof)\.?\s/i, "").split(" ");
  // "J. Doe" has no first name to greet by.
  return first.length > 2 || rest.length === 0 ? first : name;
}

export function personal(text: string): string | null {
  const plain = collapseSpace(text.replace(/\(.{0,60}\)|["“”]/g, " "));
  const turned = /^([^,]{1,40}),\s([^,]{1,40})$/.exec(plain);
  const name = turned ? `${turned[2]} ${turned[1]}` : plain;
  return NAME.test(name) && name.length <= 60 && !ROLE.test(name) ? name : null;
}

/** The line after "Thanks," and the like. */
function signatureOf(content: string): string | null {
  const lines = content.slice(0, 20_000).split("\n").slice(0, 400);
  for (let at = 1; at < lines.length; at++) {
    const line = (lines[at] ?? "").trim();
    if (line.startsWith(">") || /^(?:on|am|le|el)\b.{5,200}:$/i.test(line)) return null;
    if (line.length > 40 || !SIGN_OFF.test(line)) continue;
    const next = lines.slice(at + 1, at + 4).find((text) => text.trim() !== "");
    return next === undefined ? null : personal(next.trim().replace(/[,.]$/, ""));
  }
  return null;
}

/** `ann.lee@…` is Ann Lee; `ann@…` may be anyone. */
function fromAddress(email: string): string | null {
  const [, first, last] = /^([a-z]{2,20})\.([a-z]{2,20})@/i.exec(email) ?? [];
  if (!first || !last || ROLE.test(first) || ROLE.test(last)) return null;
  return `${capitalize(first.toLowerCase())} ${capitalize(last.toLowerCase())}`;
}
