import type { Instruction } from "./instructions.ts";

export const REPLY_TONES = ["formal", "friendly", "brief"] as const;
export type ReplyTone = (typeof REPLY_TONES)[number];

/** How an email of each tone ends. */
export const CLOSINGS: Record<ReplyTone, string> = {
  formal: "Kind regards",
  friendly: "Best wishes",
  brief: "Best",
};

/** An instruction written as a sentence of an email; null if it only says what to leave out. */
export function sentenceOf(instruction: Instruction, tone: ReplyTone): string | null {
  if (instruction.kind === "postpone") return postponement(instruction.what, instruction.to, tone);
  return WRITERS[instruction.kind](instruction.what, tone);
}

type Writer = (what: string, tone: ReplyTone) => string | null;

const WRITERS: Record<Exclude<Instruction["kind"], "postpone">, Writer> = {
  accept: acceptance,
  decline: refusal,
  propose: (what, tone) =>
    sentence(`${tone === "formal" ? "May I suggest" : "How about"} ${what || "another time"}`, "?"),
  "ask-for": (what, tone) => sentence(`${tone === "formal" ? "May" : "Could"} I ask you for ${what}`, "?"),
  "ask-about": (what) => sentence(`Could you tell me more about ${what}`, "?"),
  "ask-to": (what) => sentence(`Could you please ${what}`, "?"),
  "ask-whether": (what) => sentence(`Could you let me know whether ${what}`, "?"),
  ask: (what) => sentence(`Could you let me know ${what}`, "?"),
  thank: (what, tone) => sentence(`${tone === "formal" ? "Thank you" : "Thanks"}${what && ` for ${what}`}`, "."),
  apologise: (what, tone) =>
    /^(?:that|i|we|for i|my|our|the \w+ (?:was|were|is))\b/i.test(what)
      ? sentence(`I am ${tone === "formal" ? "very " : ""}sorry ${/^that/i.test(what) ? what : `that ${what}`}`, ".")
      : sentence(`${tone === "formal" ? "Please accept my apologies" : "I am sorry"}${what && ` for ${what}`}`, "."),
  congratulate: (what, tone) => sentence(`Congratulations${what && ` on ${what}`}`, tone === "friendly" ? "!" : "."),
  offer: (what) => sentence(`I would like to offer you ${what}`, "."),
  wish: (what, tone) => sentence(`I wish you ${what}`, tone === "friendly" ? "!" : "."),
  invite: (what) => sentence(`I would like to invite you to ${what}`, "."),
  remind: (what) => sentence(reminder(what), "."),
  confirm: (what) => sentence(what ? `I am writing to confirm ${what}` : "I confirm", "."),
  say: (what) => sentence(what, "."),
  avoid: () => null,
};

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
