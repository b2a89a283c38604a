import { groupsOf, numbered, REF, type Reference, readReference } from "./reference.ts";

/** What is to be done with records that the conversation is about. */
export type Deed =
  | { kind: "complete" | "reopen" | "remove" | "read" | "summarise" | "tasks" | "unsubscribe" | "tell" | "send" }
  | {
      kind: "flag";
      changes: { isRead?: boolean; isStarred?: boolean; status?: "inbox" | "archived" | "spam"; replyNeeded?: false };
    }
  | { kind: "snooze"; until: string }
  | { kind: "tag" | "untag"; tag: string }
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
const IS_DONE =
  "(?:done(?: and dusted)?|completed?|finished|sorted(?: out)?|handled|dealt with|taken care of|wrapped up|ticked off|crossed off|settled|cleared up|in the bag|out of the way|over (?:and done )?with|history|all set)";
const HAS_DONE =
  "(?:finished|done(?: with)?|completed|did|through with|sorted(?: out)?|handled|dealt with|took care of|taken care of|wrapped up|knocked (?:out|off)|ticked off|crossed off|got (?:through|around to|round to)|managed(?: to do)?)";
/** Words for taking an email out of the inbox. */
const TO_ARCHIVE = "(?:put|pop|move|stick|chuck|send|shift|drop|bung|throw|file|get)";
const LATER =
  "(?:on snooze|to sleep|on hold|off|aside|away|back|on ice|for later|out of (?:sight|the way)|on the back burner)";
const SAYING =
  "(?:[,:]? (?:(?:and |to )?(?:say|tell (?:her|him|them)|write|telling (?:her|him|them))(?:ing)?|saying|that|with)(?: that)?[:,]? (?<text>.+))?";

const rules = (): readonly Rule[] => [
  rule(
    "(?:reply|respond|answer|write back)(?: to (?:her|him|them|it|that))?(?:[,:]? (?:and )?(?:saying|that|with|say)(?: that)?[:,]? (?<text>.+)|: (?<text>.+))",
    ({ text = "" }) => ({
      kind: "reply",
      to: "",
      text,
    }),
  ),
  rule(
    "(?:reply|respond|answer|write back)(?: back)? (?<text>(?:yes|no|ok|okay|sure|thanks|thank you|great|fine|sounds good|of course|happy to|go ahead|i|i'm|i'll|i'd|i've|we|we're|we'll)\\b.{0,200})",
    ({ text = "" }) => ({ kind: "reply", to: "", text }),
  ),
  rule(`(?:mark|set|tick|check|cross|flag) ${REF} (?:off|as ${DONE}|(?:to )?${DONE})`, { kind: "complete" }),
  rule(`(?:mark|tick|cross out) ${REF}`, { kind: "complete" }),
  rule(`(?:check|tick|cross|knock|strike) off ${REF}|(?:complete|finish|close|do|did|close off|wrap up) ${REF}`, {
    kind: "complete",
  }),
  rule(`(?:tick|check|cross|knock|strike) ${REF} off(?: (?:of )?(?:my|the) (?:[\\w-]+ ){0,2}list)?`, {
    kind: "complete",
  }),
  rule(`(?:(?:i|we)(?:'ve| have|'m| am)? )?(?:(?:just|already|finally|now|also) ){0,6}${HAS_DONE} ${REF}`, {
    kind: "complete",
  }),
  rule(
    `(?:(?:that|this)(?:'s| is) )?${REF}(?: is|'s| are|'re| got| has been| have been| was| were)? (?:all |both |already |now |finally |also |pretty much ){0,6}${IS_DONE}(?: (?:since|as of) .{2,30})?`,
    { kind: "complete" },
  ),
  rule(`${REF} (?:i|we)(?:'ve| have)? (?:(?:just|already|finally|now|also) ){0,6}${HAS_DONE}`, { kind: "complete" }),
  rule(`(?:count|consider|call|mark|set|put) ${REF}(?: down)?(?: as)? ${IS_DONE}`, { kind: "complete" }),
  rule(
    `(?<ref>all|both)(?: of (?:them|these|those))?(?: are)? ${IS_DONE}|${IS_DONE}|ticked off|${DONE} (?<ref>both|all|them|them both|the lot)`,
    { kind: "complete" },
  ),
  rule(
    `(?:re-?open|un-?check|un-?tick|un-?mark) ${REF}|open ${REF} (?:again|back up|up again)|(?:mark|set|put|change|switch|turn) ${REF} (?:back )?(?:as|to) (?:open|not done|undone|to-?do|unfinished|incomplete|not finished)|${REF}(?:(?: is|'s| are) (?:still open|not (?:actually |really )?(?:done|finished)(?: yet)?)|(?: isn't| aren't) (?:actually |really )?(?:done|finished)(?: yet)?)`,
    { kind: "reopen" },
  ),
  rule(`(?:mark|set|show) ${REF} (?:back )?(?:as |to )?read`, { kind: "flag", changes: { isRead: true } }),
  rule(
    `(?:mark|set|leave|keep|make|show|put) ${REF} (?:back )?(?:as |to |marked (?:as )?)?unread|un-?read ${REF}|${REF} (?:should|can|must) (?:stay|be|remain|go back to) unread`,
    { kind: "flag", changes: { isRead: false } },
  ),
  rule(
    `(?:star|flag|favou?rite) ${REF}(?: up)?(?: with a star| as (?:starred|important))?|mark ${REF} (?:with a star|(?:as |down as )?(?:starred|important))|(?:put|add|stick|slap|pop) an? (?:star|flag) (?:on|to|by|next to) ${REF}|give ${REF} an? (?:star|flag)|${REF} (?:also )?(?:gets|needs|deserves|should (?:get|have|be given)|wants) an? (?:star|flag)(?: too)?`,
    { kind: "flag", changes: { isStarred: true } },
  ),
  rule(
    `un-?(?:star|flag|favou?rite) ${REF}|(?:remove|take|lose|drop) (?:the |its |that )?(?:star|flag)(?: (?:from|off)(?: of)? ${REF})?|take ${REF}'s (?:star|flag) off`,
    { kind: "flag", changes: { isStarred: false } },
  ),
  rule(
    `(?:mark|report|flag|treat) ${REF} as (?:spam|junk)|(?:move|put|send|throw) ${REF} (?:in|into|to) (?:the |my )?(?:spam|junk)(?: folder)?|${REF}(?:(?: is|'s| are)) (?:just )?(?:spam|junk)`,
    { kind: "flag", changes: { status: "spam" } },
  ),
  rule(
    `(?:mark |flag )?${REF}(?: as|(?: is|'s| are))? not (?:spam|junk)|${REF} (?:isn't|aren't) (?:spam|junk)|(?:move|take|get) ${REF} (?:back )?out of (?:the |my )?(?:spam|junk)(?: folder)?`,
    { kind: "flag", changes: { status: "inbox" } },
  ),
  rule(
    `${REF} (?:needs no|doesn't need an?|does not need an?|don't need an?) (?:answer|reply|response)|no (?:answer|reply|response) (?:is )?(?:needed|necessary) (?:to|for) ${REF}|mark ${REF} as (?:answered|needing no (?:answer|reply))|i(?:'ve| have)? (?:already )?(?:answered|replied to) ${REF}(?: already)?`,
    { kind: "flag", changes: { replyNeeded: false } },
  ),
  rule(
    `archive ${REF}|${TO_ARCHIVE} ${REF} (?:away )?(?:in|into|to|in to) (?:the |my )?archives?|(?:file|tidy|pack|clear|put) ${REF} away|(?:get|move|clear|take|kick) ${REF} (?:out of|off) (?:my |the )?(?:inbox|sight)|${REF} can go (?:in|into|to) (?:the |my )?archives?`,
    { kind: "flag", changes: { status: "archived" } },
  ),
  rule(
    `un-?archive ${REF}|(?:move|put|bring|get|pull|take|stick) ${REF} (?:back )?(?:to|into|in) (?:the |my )?inbox|(?:move|bring|get|pull|take|fish|dig|rescue) ${REF} (?:back )?(?:out of|from) (?:the |my )?(?:archives?|bin|trash|rubbish|junk)(?: again)?|put ${REF} back|(?:i (?:need|want) )?${REF} back (?:in|into|to) (?:my |the )?inbox|un-?(?:trash|bin|delete|junk) ${REF}`,
    { kind: "flag", changes: { status: "inbox" } },
  ),
  rule(`snooze ${REF}(?: (?:until|till|for|to))?(?: (?<until>.+))?`, ({ until = "" }) => ({ kind: "snooze", until })),
  rule(
    `(?:put|park|hold|hide|keep|set|leave|push|shelve|defer) ${REF}(?: ${LATER})? (?:until|till|til|for) (?<until>.+)|(?:show|bring|give|send)(?: me)? ${REF} (?:again|back|up again|back up) (?:to me )?(?:on |at )?(?<until>.+)`,
    ({ until = "" }) => ({ kind: "snooze", until }),
  ),
  rule(
    `(?:tag|label|categori[sz]e) ${REF} (?:as |with |under )?(?<tag>.+)|file ${REF} under (?<tag>.+)`,
    ({ tag = "" }) => ({
      kind: "tag",
      tag,
    }),
  ),
  rule(
    `(?:add|put|give|stick|slap) (?:the |an? )?(?:tag|label) (?<tag>.{1,200}?) (?:to|on|onto|for) ${REF}|(?:add|put|stick|slap) (?:the |an? )?(?<tag>[\\w -]{2,30}) (?:tag|label) (?:to|on|onto) ${REF}|give ${REF} (?:the |an? )?(?<tag>[\\w -]{2,30}) (?:tag|label)`,
    ({ tag = "" }) => ({ kind: "tag", tag }),
  ),
  rule(
    `(?:take|remove|drop|lose|delete|clear) (?:the |that |its )?(?<tag>[\\w-]{2,30} )??(?:tags?|labels?)(?: (?:off|from)(?: of)? ${REF})?|un-?(?:tag|label) ${REF}|(?:take|remove|drop) ${REF}'s (?:tags?|labels?)`,
    ({ tag = "" }) => ({ kind: "untag", tag }),
  ),
  rule(`unsubscribe(?: me)?(?: from ${REF})?`, { kind: "unsubscribe" }),
  rule(
    `(?:turn|convert|make|change) ${REF} (?:into )?(?:an? )?(?:tasks?|to-?dos?)(?: (?:for|due|by|on) .+)?|(?:make|create) an? (?:task|to-?do) (?:out )?of ${REF}(?: (?:for|due|by|on) .+)?|(?:make|create|add|extract) (?:a |some |the )?(?:tasks?|to-?dos?|action items?) (?:from|out of|for|of) ${REF}`,
    { kind: "tasks" },
  ),
  rule(
    "(?:write|drop)(?: to)? (?:her|him|them)(?: a (?:line|note))?,? (?:and |to )?ask(?:ing)? (?<ask>.+)|ask (?:her|him|them) (?<ask>.+)",
    ({ ask = "" }) => ({ kind: "reply", to: "", text: asked(ask) }),
  ),
  rule("say (?<text>.{1,200}?) to (?:her|him|them)(?<more>,? .+)?", ({ text = "", more = "" }) => ({
    kind: "reply",
    to: "",
    text: `${text}${more}`,
  })),
  rule("(?:tell|ask) (?:her|him|them) to (?<wish>.+)", ({ wish = "" }) => ({
    kind: "reply",
    to: "",
    text: `please ${wish}`,
  })),
  rule(
    "(?:write|answer) (?:her|him|them)(?: back)?[,:]? (?!a\\b|an\\b|to\\b|about\\b|that\\b|saying\\b)(?<text>.+)",
    ({ text = "" }) => ({ kind: "reply", to: "", text }),
  ),
  rule(`(?:reply|respond|answer|write back|write)(?: to)? (?:${REF}|her|him|them)${SAYING}`, ({ text = "" }) => ({
    kind: "reply",
    to: "",
    text,
  })),
  rule(
    `(?:draft|write|prepare|compose|make|send) (?:an? |the )?(?:quick |short )?(?:reply|answer|response)(?: to (?:${REF}|her|him|them))?(?:: (?<text>.+)|${SAYING})`,
    ({ text = "" }) => ({
      kind: "reply",
      to: "",
      text,
    }),
  ),
  rule(
    "(?:tell|inform) (?:her|him|them)(?: that)?[,:]? (?!about\\b|to\\b)(?<text>.+)|let (?:her|him|them) know(?: that)?[,:]? (?<text>.+)",
    ({ text = "" }) => ({ kind: "reply", to: "", text }),
  ),
  rule(
    `(?:forward|fwd|pass|send|share|bounce|shoot) (?:on )?${REF} (?:on |along |over |across )?(?:to|with) (?!(?:her|him|them)$)(?<to>.{1,200}?)${SAYING}`,
    ({ to = "", text = "" }) => ({ kind: "forward", to, text }),
  ),
  rule(
    `send ${REF}(?: (?:now|off|out|over|to (?:her|him|them))){0,6}|send (?:the )?(?:reply|email|mail|draft)|yes,? send (?:${REF})|send(?: now| away| off)?`,
    { kind: "send" },
  ),
  rule(
    `(?:summari[sz]e|sum up|recap) ${REF}|what(?:'s| is| was) ${REF} (?:all )?about|(?:what|how) (?:does|did) ${REF} (?:say|want|ask(?: for)?|read)|(?:give me )?(?:the |a )?(?:gist|summary|short version|tl;?dr)(?: (?:of|on|for) ${REF})?|what(?:'s| is) in ${REF}`,
    { kind: "summarise" },
  ),
  rule(
    `what (?:did|does|do) (?:she|he|they) (?:want|say|write|need|ask(?: for)?|mean|expect)(?: me to do| from me| of me| exactly){0,6}|what(?:'s| is| are) (?:she|he|they) (?:after|asking(?: for)?|on about|saying|wanting)`,
    { kind: "summarise" },
  ),
  rule(
    `(?:read|open|show|view|display|pull up|bring up|fetch)(?: me)?(?: out| up)? ${REF}(?: (?:to|for) me| up| out){0,6}|(?:can i |let me |let's )?(?:see|read|hear|have a look at|take a look at|look at) ${REF}`,
    { kind: "read" },
  ),
  rule(
    `(?:tell me (?:more )?about|more (?:about|on)|details (?:of|on|for|about)|what (?:is|was|are)|what's|when (?:is|was|are)|when's|where (?:is|was)|where's|(?:who is|who's|who are) (?:in|at|(?:coming|going|invited)(?: to)?)|who (?:comes|goes) to|how long (?:is|does|will)|which (?:is|was)|what time is) ${REF}(?: (?:again|take|last|be|due|then|next|on|happening|up|coming up|scheduled|set for|now)){0,6}`,
    { kind: "tell" },
  ),
  rule(
    `(?:when|what time|at what time|where|how long) (?:does|do|will|is|are) ${REF} (?:finish|end|start|begin|stop|take place|be over|over|due|take|last|land|arrive|leave|depart|open|close|kick off|go on|run|get going|wrap up|go|be)(?: for| until| till| to)?(?: again| then| now| today)?`,
    {
      kind: "tell",
    },
  ),
  rule(
    `(?:(?:what|which) (?:week ?)?day(?: of the week)?|(?:on )?(?:what|which) day(?: of the week)?) (?:is|was|will|does|are) ${REF}(?: (?:be|fall|fall on|on|again|then|exactly)){0,6}`,
    { kind: "tell" },
  ),
  rule(
    "(?:it'?s|it is|that's|that is) (?:on |at )?(?:today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\\d)[\\w :.]{0,20},? (?:right|correct|yes|isn't it|yeah|innit)|(?:who(?:'s| is) (?:coming|going|invited|attending)|(?:by|until|till|since) when|(?:for )?how long|(?:at )?what time|when|where|which day|what day)(?: again| exactly)?",
    { kind: "tell" },
  ),
  rule(
    `(?:cancel|delete|remove|drop|scrap|call off|get rid of|get shot of|erase|trash|discard|bin|junk|ditch|lose|kill|axe|nuke|chuck(?: out)?|dump|wipe|clear|throw away|throw out|take off|skip|scratch|strike|never ?mind|forget(?: about)?) (?:just |only )?${REF}${FROM}`,
    { kind: "remove" },
  ),
  rule(
    `(?:take|throw|call|cross|strike|chuck) (?:just |only )?${REF} (?:off|away|out)${FROM}|(?:take|get|knock) ${REF} (?:off|from|out of) (?:of )?(?:my|the) [\\w -]{1,30}|(?:put|chuck|throw|move|stick|send) ${REF} (?:in|into|to) (?:the |my )?(?:bin|trash|rubbish)|${REF} can (?:go|be thrown) (?:away|out|(?:in|into|to) (?:the |my )?(?:bin|trash|rubbish))`,
    { kind: "remove" },
  ),
  rule(
    `(?:i|we) (?:don't|do not|no longer|won't) (?:need|want) ${REF}(?: any ?more| any longer| after all| now| either){0,6}|(?:there(?:'s| is) )?no (?:longer (?:any |a )?)?need for ${REF}(?: any ?more| any longer| after all| now){0,6}`,
    { kind: "remove" },
  ),
  rule(
    "(?:is it |still |same |the ){1,6}(?:place|time|day|room|venue|date|length)(?: still| again| as before| then| as usual){0,6}",
    { kind: "tell" },
  ),
];

const LEAD =
  /^(?:(?:ok(?:ay)?|so|and|but|then|now|well|also|great|thanks?|thank you|please|pls|actually|oh|hmm|yes|yeah|no|nah|nope|sorry|great|perfect|fine|hm+|right|cool|nice|lovely|splendid|only|do(?= (?:send|archive|star|delete|read|show))|bye|hi|hello|hey|can you|could you|would you|will you|just|let's|go ahead and|go and|you can|you may|feel free to|i want (?:you )?to|i'd like (?:you )?to)\b[\s,!.:-]*){1,6}/i;
const TAIL =
  /[\s,]{0,9}(?:please|pls|thanks|thank you|for me|now|too|as well|again|then|instead|already)?[\s.!?]{0,9}$/i;

/** "where it is" and "for the invoice", as the person who is asked reads it. */
export function asked(words: string): string {
  const thing = /^(?:for|about) (.+)$/i.exec(words)?.[1];
  if (thing) return /^for/i.test(words) ? `could I have ${thing}?` : `could you tell me about ${thing}?`;
  return `could you tell me ${words.replace(/\b(?:she|he|they)\b/gi, "you").replace(/\b(?:his|their)\b/gi, "your")}?`;
}

let built: readonly Rule[] | null = null;

/** What the message wants done with something that it only refers to; null if it names something, or wants nothing. */
export function readAct(message: string): Act | null {
  const plain = message.replaceAll("’", "'").replace(/\s+/g, " ").trim();
  const texts = [
    plain.replace(/(?<![\s.!?])[\s.!?]+$/, ""),
    plain.replace(LEAD, "").replace(TAIL, "").replace(TAIL, ""),
  ];
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
  `^(?:and|also|same for|the same (?:for|with)|do the same (?:for|with)|plus|now)[\\s,]{1,9}(?:for |with )?(?:${REF}|(?<name>(?:the one |that one )?(?:with|about|from|called|named|for|to)? ?.{1,200}?))(?: too| as well| please)?$`,
  "i",
);
const AGAIN_REF = new RegExp(`^${REF}(?: too| as well| also| please)$`, "i");
const AGAIN_NAME = /^(?:the|my) (?<name>[\p{L}\d' -]{2,40}?)(?: too| as well| also)$/iu;

/** "and the other one", "same for the second one", "and the one with Sofia": the last deed for another record. */
export function readAgain(message: string): { ref: Reference | null; name: string } | null {
  const text = message
    .replaceAll("’", "'")
    .trim()
    .replace(/(?<![\s.!?])[\s.!?]+$/, "");
  const found = AGAIN.exec(text) ?? AGAIN_REF.exec(text) ?? AGAIN_NAME.exec(text);
  if (!found) return null;
  const { ref, name = "" } = found.groups ?? {};
  return {
    ref: ref ? readReference(ref) : null,
    name: name
      .replace(/^(?:the one|that one)\s*/i, "")
      .replace(/[,;].{0,200}$/, "")
      .replace(/(?<=\S) (?:reminder|task|event|thing|one|e-?mail|mail)$/i, ""),
  };
}
