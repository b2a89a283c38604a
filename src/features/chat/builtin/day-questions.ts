import { askedTime } from "../../../engine/notes/message-time.ts";
import type { Turn } from "../../tools/turn.ts";
import { listEvents } from "./events.ts";
import type { Reply } from "./reply-text.ts";

const ABOUT_DAY =
  /\b(?:am i|are we|do i|do we|have i|have we|i've|we've|i'm|my|is there|are there)\b.{0,200}\b(?:seeing|meeting|doing|have|got|going|busy|scheduled|planned|booked|on|working|in|thing|first|earliest|last|latest|start|finish)\b/i;

/** "shifts next week?": a name and a time, as a question. */
export async function askedShortly(turn: Turn, part: string): Promise<Reply | null> {
  if (!/\?\s*$/.test(part) || part.split(" ").length > 6 || /^(?:can|could|will|would)\b/i.test(part)) return null;
  const asked = askedTime(part, turn.clock);
  if (!asked || turn.state.isWritten) return null;
  turn.asked = part;
  return listEvents(turn, part);
}

/** A question about a day that is worded otherwise than any other. */
export async function askedDay(turn: Turn, part: string): Promise<Reply | null> {
  if (!ABOUT_DAY.test(part) || !askedTime(part, turn.clock)) return null;
  turn.asked = part;
  return listEvents(turn, part);
}
