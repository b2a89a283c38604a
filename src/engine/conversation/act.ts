import { groupsOf, numbered, REF, type Reference, readReference } from "./reference.ts";

/** What is to be done with records that the conversation is about. */
export type Deed =
  | { kind: "complete" | "reopen" | "remove" | "read" | "summarise" | "tasks" | "unsubscribe" | "tell" | "send" }
  | { kind: "flag"; changes: { isRead?: boolean; isStarred?: boolean; status?: "inbox" | "archived" } }
  | { kind: "snooze"; until: string }
  | { kind: "tag"; tag: string }
  | { kind: "reply" | "forward"; to: string; text: string };

export interface Act {
  deed: Deed;
  ref: Reference;
}

type Groups = Record<string, string | undefined>;
type Rule = [pattern: RegExp, deed: (groups: Groups) => Deed];

const rule = (source: string, deed: Deed | ((groups: Groups) => Deed)): Rule => [
  new RegExp(`^(?:${numbered(source)})$`, "i"),
  typeof deed === "function" ? deed : () => deed,
];
const FROM = "(?: (?:from|off|in|on|out of) (?:my|the) [\\w -]{1,30})?";
const DONE = "(?:done|complete|completed|finished)";
const SAYING =
  "(?:[,:]? (?:(?:and |to )?(?:say|tell (?:her|him|them)|write|telling (?:her|him|them))(?:ing)?|saying|that|with)(?: that)?[:,]? (?<text>.+))?";

const rules = (): readonly Rule[] => [
  rule(
    "(?:reply|respond|answer|write back)(?:[,:]? (?:and )?(?:saying|that|with|say)(?: that)?[:,]? (?<text>.+))",
    ({ text = "" }) => ({
      kind: "reply",
      to: "",
      text,
    }),
  ),
  rule(`(?:mark|set|tick|check|cross|flag) ${REF} (?:off|as ${DONE}|(?:to )?${DONE})`, { kind: "complete" }),
  rule(`(?:check|tick|cross) off ${REF}|(?:complete|finish|close|do|did) ${REF}`, { kind: "complete" }),
  rule(`i(?:'ve| have|'m| am)? (?:just |already )?(?:finished|done|completed|did|done with|through with) ${REF}`, {
    kind: "complete",
  }),
  rule(`${REF}(?: is|'s| are|'re) (?:already |now )?${DONE}`, { kind: "complete" }),
  rule(`(?:reopen|un-?check|un-?tick) ${REF}|mark ${REF} as (?:open|not done|undone|to-?do)`, { kind: "reopen" }),
  rule(`mark ${REF} (?:as )?read`, { kind: "flag", changes: { isRead: true } }),
  rule(`mark ${REF} (?:as )?unread`, { kind: "flag", changes: { isRead: false } }),
  rule(`(?:star|flag|mark) ${REF}(?: with a star| as (?:starred|important))?|(?:put|add) a star (?:on|to) ${REF}`, {
    kind: "flag",
    changes: { isStarred: true },
  }),
  rule(`un-?star ${REF}|remove the star(?: from ${REF})?`, { kind: "flag", changes: { isStarred: false } }),
  rule(`archive ${REF}|move ${REF} to (?:the |my )?archive`, { kind: "flag", changes: { status: "archived" } }),
  rule(`(?:un-?archive ${REF}|move ${REF} (?:back )?(?:to|into) (?:the |my )?inbox)`, {
    kind: "flag",
    changes: { status: "inbox" },
  }),
  rule(`snooze ${REF}(?: (?:until|till|for|to))?(?: (?<until>.+))?`, ({ until = "" }) => ({ kind: "snooze", until })),
  rule(`(?:tag|label) ${REF} (?:as |with )?(?<tag>.+)`, ({ tag = "" }) => ({ kind: "tag", tag })),
  rule(`(?:add|put|give) (?:the )?(?:tag|label) (?<tag>.+?) (?:to|on) ${REF}`, ({ tag = "" }) => ({
    kind: "tag",
    tag,
  })),
  rule(`unsubscribe(?: me)?(?: from ${REF})?`, { kind: "unsubscribe" }),
  rule(
    `(?:turn|convert|make|change) ${REF} into (?:a )?(?:tasks?|to-?dos?)|(?:make|create|add|extract) (?:a |some |the )?(?:tasks?|to-?dos?|action items?) (?:from|out of|for|of) ${REF}`,
    { kind: "tasks" },
  ),
  rule(`(?:reply|respond|answer|write back)(?: to)? (?:${REF}|her|him|them)${SAYING}`, ({ text = "" }) => ({
    kind: "reply",
    to: "",
    text,
  })),
  rule(`(?:draft|write|prepare) (?:a |the )?(?:reply|answer|response)(?: to ${REF})?${SAYING}`, ({ text = "" }) => ({
    kind: "reply",
    to: "",
    text,
  })),
  rule(`forward ${REF} to (?<to>.+?)${SAYING}`, ({ to = "", text = "" }) => ({ kind: "forward", to, text })),
  rule(`send ${REF}(?: now| off)?|send (?:the )?(?:reply|email|mail|draft)|yes,? send (?:${REF})`, { kind: "send" }),
  rule(
    `(?:summari[sz]e|sum up) ${REF}|what(?:'s| is| was) ${REF} about|what does ${REF} say|give me the gist(?: of ${REF})?`,
    { kind: "summarise" },
  ),
  rule(`(?:read|open|show)(?: me)?(?: out)? ${REF}(?: (?:to|for) me)?|(?:can i )?see ${REF}`, { kind: "read" }),
  rule(
    `(?:tell me (?:more )?about|more (?:about|on)|details (?:of|on|for|about)|what (?:is|was|are)|what's|when (?:is|was|are)|when's|where (?:is|was)|where's|who is (?:in|at|coming to)|how long (?:is|does|will)|which (?:is|was)|what time is) ${REF}(?: (?:again|take|last|be|due|then))*`,
    { kind: "tell" },
  ),
  rule(
    `(?:cancel|delete|remove|drop|scrap|call off|get rid of|erase|trash|discard|bin|clear|throw away|take off|forget(?: about)?) ${REF}${FROM}`,
    { kind: "remove" },
  ),
  rule(`take ${REF} off${FROM}`, { kind: "remove" }),
];

const LEAD =
  /^(?:(?:ok(?:ay)?|so|and|but|then|now|well|also|great|thanks?|thank you|please|pls|actually|oh|hmm|yes|yeah|no|sorry|great|perfect|bye|hi|hello|hey|can you|could you|would you|will you|just|let's|go ahead and|i want (?:you )?to|i'd like (?:you )?to)\b[\s,!.:-]*)+/i;
const TAIL = /[\s,]*(?:please|pls|thanks|thank you|for me|now|too|as well|again|then|instead)?[\s.!?]*$/i;

let built: readonly Rule[] | null = null;

/** What the message wants done with something that it only refers to; null if it names something, or wants nothing. */
export function readAct(message: string): Act | null {
  const plain = message.replaceAll("’", "'").replace(/\s+/g, " ").trim();
  const texts = [plain.replace(/[\s.!?]+$/, ""), plain.replace(LEAD, "").replace(TAIL, "").replace(TAIL, "")];
  built ??= rules();
  for (const text of texts) {
    for (const [pattern, deed] of built) {
      const found = pattern.exec(text);
      if (!found) continue;
      const groups = groupsOf(found);
      return { deed: deed(groups), ref: readReference(groups.ref ?? "it") };
    }
  }
  return null;
}

const AGAIN = new RegExp(
  `^(?:and|also|same for|the same (?:for|with)|do the same (?:for|with)|plus|now)[\\s,]+(?:for |with )?(?:${REF}|(?<name>(?:the one |that one )?(?:with|about|from|called|named|for|to)? ?.+?))(?: too| as well| please)?$`,
  "i",
);
const AGAIN_REF = new RegExp(`^${REF}(?: too| as well| also| please)$`, "i");

/** "and the other one", "same for the second one", "and the one with Sofia": the last deed for another record. */
export function readAgain(message: string): { ref: Reference | null; name: string } | null {
  const text = message
    .replaceAll("’", "'")
    .trim()
    .replace(/[\s.!?]+$/, "");
  const found = AGAIN.exec(text) ?? AGAIN_REF.exec(text);
  if (!found) return null;
  const { ref, name = "" } = found.groups ?? {};
  return { ref: ref ? readReference(ref) : null, name: name.replace(/^(?:the one|that one)\s*/i, "") };
}
