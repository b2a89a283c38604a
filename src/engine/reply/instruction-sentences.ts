import type { Instruction } from "./instructions.ts";

export const REPLY_TONES = ["formal", "friendly", "brief"] as const;
export type ReplyTone = (typeof REPLY_TONES)[number];

/** An instruction written as a sentence of an email; null if it only says what to leave out. */
export function sentenceOf(instruction: Instruction, tone: ReplyTone): string | null {
  const { what } = instruction;
  switch (instruction.kind) {
    case "accept":
      return acceptance(what, tone);
    case "decline":
      return refusal(what, tone);
    case "postpone":
      return postponement(what, instruction.to, tone);
    case "propose":
      return sentence(`${tone === "formal" ? "May I suggest" : "How about"} ${what}`, "?");
    case "ask-for":
      return sentence(`${tone === "formal" ? "May" : "Could"} I ask you for ${what}`, "?");
    case "ask-about":
      return sentence(`Could you tell me more about ${what}`, "?");
    case "ask-to":
      return sentence(`Could you please ${what}`, "?");
    case "ask-whether":
      return sentence(`Could you let me know whether ${what}`, "?");
    case "ask":
      return sentence(`Could you let me know ${what}`, "?");
    case "thank":
      return sentence(`${tone === "formal" ? "Thank you" : "Thanks"}${what ? ` for ${what}` : ""}`, ".");
    case "apologise":
      return sentence(
        `${tone === "formal" ? "Please accept my apologies" : "I am sorry"}${what ? ` for ${what}` : ""}`,
        ".",
      );
    case "congratulate":
      return sentence(`Congratulations${what ? ` on ${what}` : ""}`, tone === "friendly" ? "!" : ".");
    case "invite":
      return sentence(`I would like to invite you to ${what}`, ".");
    case "remind":
      return sentence(reminder(what), ".");
    case "confirm":
      return sentence(what ? `I am writing to confirm ${what}` : "I confirm", ".");
    case "say":
      return sentence(what, ".");
    case "avoid":
      return null;
  }
}

function acceptance(what: string, tone: ReplyTone): string {
  if (!what) return tone === "formal" ? "I am pleased to accept." : "Yes, that works for me.";
  return sentence(`${tone === "formal" ? "I am pleased to accept" : "I am happy to accept"} ${what}`, ".");
}

function refusal(what: string, tone: ReplyTone): string {
  const because = /^(?:because|since|as|due to)\b/i.test(what);
  const object = what && !because ? ` ${what}` : "";
  const reason = because ? ` ${what}` : "";
  if (tone === "formal") return sentence(`I regret that I have to decline${object}${reason}`, ".");
  return object
    ? sentence(`I am afraid I have to decline${object}`, ".")
    : sentence(`I am afraid I cannot do this${reason}`, ".");
}

function postponement(what: string, to: string, tone: ReplyTone): string {
  const thing = what && !/^(?:it|this|that)$/i.test(what) ? what : "this";
  const lead = tone === "formal" ? "Would it be possible to move" : "Could we move";
  return sentence(`${lead} ${thing} to ${to || "a later date"}`, "?");
}

function reminder(what: string): string {
  if (/^that\b/i.test(what)) return `This is a reminder ${what}`;
  if (/^to\b/i.test(what)) return `Please remember ${what}`;
  return `This is a reminder about ${what}`;
}

/** Makes a sentence: a capital letter first, and a stop at the end if there is none. */
export function sentence(text: string, stop: string): string {
  const plain = text.trim();
  const first = /^i(?=['\s])/.test(plain) ? "I" : plain.charAt(0).toUpperCase();
  const body = `${first}${plain.slice(1)}`.replace(/\bi(?=\s|'(?:m|ll|ve|d)\b)/g, "I");
  return /[.!?…]["”')]?$/.test(body) ? body : `${body}${stop}`;
}
