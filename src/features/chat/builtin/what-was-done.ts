import type { Turn } from "../../tools/turn.ts";
import { type Reply, shorten } from "./reply-text.ts";

const DID_YOU =
  /^(?:and |so |but )*(?:did|have|haven't|didn't) you (?:already |really |just |actually )*(?<verb>\p{L}+)\b.{0,200}?(?:it|that|this|them|both|one|ones|everything|e-?mail|mail|draft|reply|meeting|event|task)?[\s?.!]*$/iu;
const ABOUT_SENDING = /^(?:send|sent|mail|mailed|forward|forwarded|reply|replied|answer|answered)$/i;

/** "did you send it?", "have you moved it?": answered by what the conversation has done. */
export function askedWhatWasDone({ state }: Turn, message: string): Reply | null {
  const verb = DID_YOU.exec(message.replaceAll("’", "'").trim())?.groups?.verb;
  if (!verb) return null;
  const [[record] = []] = state.groups;
  const name = record ? ` “${shorten(record.title, 80)}”` : "";
  if (record?.kind === "draft" && ABOUT_SENDING.test(verb)) {
    return { text: `No. The draft${name} is not sent. Say “send it” and then yes to send it.` };
  }
  if (state.proposals.length > 0) return { text: "No. It is only proposed. Say yes to have it done." };
  if (state.isUndone) return { text: "The last change was taken back. Say “redo” to have it again." };
  if (state.isWritten && record) return { text: `Yes, I changed${name}. Say “undo” to take it back.` };
  return { text: "My last reply changed nothing." };
}
