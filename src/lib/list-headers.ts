import type { Header } from "./authentication-results.ts";

/** How a mailing list says that it can be left, as it is stored. */
export interface ListHeaders {
  /** The List-Id, in lower case. */
  id: string | null;
  /** The https address of List-Unsubscribe. */
  url: string | null;
  /** Its mailto address. */
  mailto: string | null;
  /** Whether a POST to `url` is enough (RFC 8058). */
  oneClick: boolean;
  /** Whether a DKIM signature of the sender's domain covers these headers, as RFC 8058 requires. */
  isSigned: boolean;
}

const MAX_URL = 2000;
const MAX_LIST_ID = 255;

/** Null for a message without List-Id and List-Unsubscribe. */
export function readListHeaders(headers: readonly Header[], from: string): ListHeaders | null {
  const field = (name: string) => headers.find(({ key }) => key === name)?.value;
  const unsubscribe = field("list-unsubscribe");
  const rawId = field("list-id");
  if (unsubscribe === undefined && rawId === undefined) return null;
  const links = [...(unsubscribe ?? "").matchAll(/<([^<>]*)>/g)].map(([, link = ""]) => link.replace(/\s+/g, ""));
  const find = (scheme: string) =>
    links.find((link) => link.toLowerCase().startsWith(scheme) && link.length <= MAX_URL) ?? null;
  const url = find("https:");
  const post = field("list-unsubscribe-post")?.replace(/\s+/g, "").toLowerCase();
  return {
    id: listIdOf(rawId),
    url,
    mailto: find("mailto:"),
    oneClick: url !== null && post === "list-unsubscribe=one-click",
    isSigned: headers.some(({ key, value }) => key === "dkim-signature" && coversList(value, from)),
  };
}

/** `News <news.example.com>` → `news.example.com`. */
function listIdOf(value: string | undefined): string | null {
  const id = (/<([^<>]+)>/.exec(value ?? "")?.[1] ?? value ?? "").trim().toLowerCase();
  return id === "" ? null : id.slice(0, MAX_LIST_ID);
}

/** Whether it is a signature of the domain of `from`, or one above it, over both headers. */
function coversList(signature: string, from: string): boolean {
  const tags = new Map(
    signature.split(";").map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, Math.max(at, 0)).trim().toLowerCase(), part.slice(at + 1).replace(/\s+/g, "")] as const;
    }),
  );
  const domain = tags.get("d")?.toLowerCase().replace(/\.$/, "") ?? "";
  const sender = from.slice(from.lastIndexOf("@") + 1).toLowerCase();
  const isAligned =
    domain.includes(".") && (sender === domain || sender.endsWith(`.${domain}`) || domain.endsWith(`.${sender}`));
  const signed = (tags.get("h") ?? "").toLowerCase().split(":");
  return isAligned && signed.includes("list-unsubscribe") && signed.includes("list-unsubscribe-post");
}

/** What identifies a mailing list: its List-Id, or else who sends it. */
export function listKeyOf(list: ListHeaders | null, from: string): string | null {
  return list && (list.id ?? from.toLowerCase());
}
