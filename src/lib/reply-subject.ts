import { collapseSpace } from "./text.ts";

/** `Re:` in front of a subject, once. */
export function replySubject(subject: string): string {
  const plain = collapseSpace(subject);
  return /^re:/i.test(plain) ? plain : `Re: ${plain}`.trim();
}

/** `Fwd:` in front of a subject, once. */
export function forwardSubject(subject: string): string {
  const plain = collapseSpace(subject);
  return /^fwd?:/i.test(plain) ? plain : `Fwd: ${plain}`.trim();
}
