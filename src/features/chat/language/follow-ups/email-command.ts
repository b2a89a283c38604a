import { asked, type Deed } from "./act.ts";
import { groupsOf, numbered } from "./reference.ts";

/** Something to be done with an email that the message names. */
interface EmailCommand {
  deed: Deed;
  /** In the language of the search: `from:"Ann" contract`. Empty: any email. */
  match: string;
  /** The newest one is meant. */
  isLatest: boolean;
  /** All that match are meant. */
  isAll: boolean;
}

const MAIL =
  "(?<all>all (?:of )?(?:the |my )?)?(?:the |my |an? |that |this |every )?(?<latest>(?:latest|last|newest|most recent|new) )?(?:unread |recent )?(?:e-?mails?|mails?|messages?|newsletters?|threads?|conversations?|letter|note)";
/** What only emails can be: "forward the invoice from Ines", "star the one from Lena". */
const THING =
  "(?:the |that |my )?(?<one>(?:one|invoice|bill|receipt|quote|offer|contract|reply|answer|question|request|invitation|[\\p{L}-]+))(?<named> (?:from|by|about|regarding|concerning|on) .{1,200}?)";
/** "Chidi's message", "the hosting mail" */
const OWNED =
  "(?:(?<owner>[\\p{L}][\\p{L}'-]{0,40}(?: \\p{Lu}[\\p{L}'-]{0,40})?)'s (?<latest>(?:latest|last|newest|most recent) )?|(?:the |that |my )(?<about>(?!(?:e-?mail|mail|message|last|latest|newest|new|unread|other|first|second|third)\\b)[\\p{L}\\d][\\p{L}\\d' -]{1,40}?) )(?:e-?mail|mail|message|thread)";
const NAMED = `(?:${OWNED}|${MAIL}(?<named>(?: (?:from|by|about|regarding|concerning|of|called|titled|with the subject|on|sent by|that) .{1,200}?)?))`;
const SAYING =
  "(?:: ?(?<text>.+)|[,:]? (?:(?:and )?(?:say|tell (?:her|him|them)|write)(?:ing)?|saying|that|with|telling (?:her|him|them))(?: that)?[:,]? (?<text>.+))?";
const PERSON =
  "(?<person>(?!it\\b|that\\b|this\\b|her\\b|him\\b|them\\b|the\\b|my\\b|an?\\b)[\\p{L}][\\p{L}'-]{0,40}(?: (?!that\\b|and\\b|saying\\b|to\\b|with\\b|about\\b)\\p{Lu}[\\p{L}'-]{0,40}){0,6})";
/** Whom to tell something. "Tell me" asks for an answer. */
const ADDRESSEE =
  "(?<person>(?!(?:me|us|you|it|that|this|her|him|them|the|my|our|an?|everyone|everybody|people|someone|anyone|what|how|who)\\b)\\p{L}[\\p{L}-]{0,40}(?: (?!(?:i|to|that|about|know|if|whether|when|where|what|how|why|who|for)\\b)[\\p{L}-]+)?)";
const ADDRESS = "(?<to>[\\w.+-]+@[\\w.-]+\\w)";

type Groups = Record<string, string | undefined>;
type Rule = readonly [pattern: RegExp, deed: (groups: Groups) => Deed];

function rules(): readonly Rule[] {
  const rule = (source: string, deed: Deed | ((groups: Groups) => Deed)): Rule => [
    new RegExp(`^(?:${numbered(source)})$`, "iu"),
    typeof deed === "function" ? deed : () => deed,
  ];
  const reply = ({ text = "" }: Groups): Deed => ({ kind: "reply", to: "", text });
  return [
    rule(`archive (?:${NAMED}|${THING})|move ${NAMED} to (?:the |my )?archive`, {
      kind: "flag",
      changes: { status: "archived" },
    }),
    rule(`(?:un-?archive|move) ${NAMED}(?: back)? (?:in)?to (?:the |my )?inbox`, {
      kind: "flag",
      changes: { status: "inbox" },
    }),
    rule(
      `(?:mark|report) (?:${NAMED}|${THING}) as (?:spam|junk)|move ${NAMED} (?:in)?to (?:the |my )?(?:spam|junk)(?: folder)?`,
      {
        kind: "flag",
        changes: { status: "spam" },
      },
    ),
    rule(
      `(?:${NAMED}|${THING}) (?:needs no|does(?:n't| not) need an?) (?:answer|reply|response)|no (?:answer|reply) (?:is )?needed (?:to|for) ${NAMED}`,
      {
        kind: "flag",
        changes: { replyNeeded: false },
      },
    ),
    rule(`un-?star (?:${NAMED}|${THING})|remove the star from ${NAMED}`, {
      kind: "flag",
      changes: { isStarred: false },
    }),
    rule(
      `(?:star|flag) (?:${NAMED}|${THING})(?: as important)?|mark ${NAMED} (?:as |with a )?(?:starred|star|important)`,
      {
        kind: "flag",
        changes: { isStarred: true },
      },
    ),
    rule(`mark (?:${NAMED}|${THING}) (?:as )?read`, { kind: "flag", changes: { isRead: true } }),
    rule(`mark (?:${NAMED}|${THING}) (?:as )?unread`, { kind: "flag", changes: { isRead: false } }),
    rule(`snooze (?:${NAMED}|${THING}) (?:until|till|for|to) (?<until>.+)`, ({ until = "" }) => ({
      kind: "snooze",
      until,
    })),
    rule(`(?:tag|label) (?:${NAMED}|${THING}) (?:as|with) (?<tag>.+)`, ({ tag = "" }) => ({ kind: "tag", tag })),
    rule(`(?:delete|trash|remove|bin|throw away|get rid of) ${NAMED}`, { kind: "remove" }),
    rule(
      `(?:tell|inform) ${ADDRESSEE}(?: that)?[,:]? (?!about\\b|to\\b)(?<text>.+)|let ${ADDRESSEE} know(?: that)?[,:]? (?<text>.+)`,
      reply,
    ),
    rule(`(?:tell|ask) ${ADDRESSEE} to (?<wish>.+)`, ({ wish = "" }) => reply({ text: `please ${wish}` })),
    rule(`ask ${ADDRESSEE} (?<ask>(?:for|about|if|whether|when|where|what|how|why|who)\\b.+)`, ({ ask = "" }) =>
      reply({ text: asked(ask) }),
    ),
    rule(`unsubscribe(?: me)? from ${NAMED}|unsubscribe(?: me)? from ${PERSON}(?:'s newsletters?)?`, {
      kind: "unsubscribe",
    }),
    rule(`forward (?:${NAMED}|${THING}) to ${ADDRESS}${SAYING}`, ({ to = "", text = "" }) => ({
      kind: "forward",
      to,
      text,
    })),
    rule(`forward (?:${NAMED}|${THING}) to (?<to>.{1,200}?)${SAYING}`, ({ to = "", text = "" }) => ({
      kind: "forward",
      to,
      text,
    })),
    rule(`(?:reply|respond|answer|write back)(?: to)? ${NAMED}${SAYING}`, reply),
    rule(`(?:reply|respond|write back)(?: to)? ${PERSON}(?:'s (?:e-?mail|mail|message))?${SAYING}`, reply),
    rule(
      `(?:draft|write|prepare|compose) (?:a |the )?(?:reply|answer|response) to (?:${NAMED}|${PERSON}(?:'s (?:e-?mail|mail|message))?)${SAYING}`,
      reply,
    ),
    rule(`answer ${PERSON}(?:'s (?:e-?mail|mail|message))?${SAYING}`, reply),
    rule(
      `(?:turn|convert|make|change) ${NAMED} into (?:a )?(?:tasks?|to-?dos?)|(?:make|create|extract|add) (?:a |some |the )?(?:tasks?|to-?dos?|action items?) (?:from|out of|for|of) ${NAMED}`,
      { kind: "tasks" },
    ),
    rule(`(?:summari[sz]e|sum up|give me (?:a summary|the gist) of|what(?:'s| is) in) ${NAMED}`, { kind: "summarise" }),
    rule(
      `what did ${PERSON} (?:want|say|write|need|ask(?: for)?|mean)(?: from me)?|what does ${PERSON} (?:want|say|need|expect)(?: me to do| from me| of me){0,6}|what(?:'s| is| was) ${PERSON}'s (?:e-?mail|mail|message) about`,
      { kind: "summarise" },
    ),
    rule(`(?:read|open)(?: me)?(?: out)? ${NAMED}(?: to me)?|what does ${NAMED} say`, { kind: "read" }),
  ];
}

let built: readonly Rule[] | null = null;

const LEAD =
  /^(?:(?:ok(?:ay)?|so|and|but|then|now|well|also|please|pls|hi|hello|hey|can you|could you|would you|will you|just|i want (?:you )?to|i'd like (?:you )?to|thanks?)\b[\s,!.:-]*)+/i;

const RECIPIENT =
  "(?:[\\w.+-]+@[\\w.-]+\\w|(?!me\\b|my\\b|an?\\b|the\\b|it\\b|that\\b|him\\b|her\\b|them\\b)\\p{L}[\\p{L}'-]{0,40}(?: (?!about\\b|that\\b|saying\\b|and\\b|to\\b|with\\b|regarding\\b|telling\\b|asking\\b|ask\\b)\\p{L}[\\p{L}'-]{0,40})?)";
/** A message to a person: "write an email to zoe@example.com saying …", "email Greta about the outline: …" */
const WRITE = new RegExp(
  numbered(
    `^(?:(?:write|send|compose|draft|prepare)(?: (?:an?|the|new)){0,6}(?: e-?mail| mail)(?: to)?|(?:write|send|compose|draft|prepare)(?: an? message)?(?: to)?(?= \\S+@)|e-?mail) (?<to>${RECIPIENT})(?: (?:about|with the subject|regarding) (?<subject>.{1,200}?))?(?:: ?(?<text>.+)|[,:]? (?:and )?(?:say|saying|that|telling (?:her|him|them)|to say|with the text)(?: that)?[:,]? (?<text>.+)|,? (?:and |to )?ask(?:ing)?(?: (?:her|him|them))? (?<ask>(?:if|whether|for|about|when|where|what|how|why|who|to)\\b.+))?$`,
  ),
  "iu",
);

interface NewEmailCommand {
  to: string;
  subject: string;
  text: string;
}

export function readNewEmail(message: string): NewEmailCommand | null {
  if (message.length > LONGEST) return null;
  const found = WRITE.exec(bare(message));
  if (!found) return null;
  const { to = "", subject = "", text = "", ask = "" } = groupsOf(found);
  return { to, subject, text: text || (ask && (/^to /i.test(ask) ? `please ${ask.slice(3)}` : asked(ask))) };
}

function bare(message: string): string {
  return message
    .replaceAll("’", "'")
    .replace(/\s+/g, " ")
    .trim()
    .replace(LEAD, "")
    .replace(/[\s,]{0,9}(?:please|pls|(?<!\bsay |\bsaying )(?:thanks|thank you))?[\s.!?]{0,9}$/i, "");
}

/** The words of the command itself come before what a reply is to say. */
const LONGEST = 2000;

export function readEmailCommand(message: string): EmailCommand | null {
  if (message.length > LONGEST) return null;
  built ??= rules();
  const text = bare(message);
  for (const [pattern, deed] of built) {
    const found = pattern.exec(text);
    if (!found) continue;
    const groups = /^(?:tell|inform)\b/i.test(text) ? toldBy(groupsOf(found)) : groupsOf(found);
    if (groups.person && !/^\p{Lu}|@/u.test(groups.person) && / /.test(groups.person)) continue;
    const match = matchOf(groups) || (/\bnewsletters?\b/i.test(text) ? "category:newsletter" : "");
    const isLatest = groups.latest !== undefined || (!match && /^read|^open|^summ/i.test(text));
    return { deed: deed(groups), match, isLatest, isAll: groups.all !== undefined || /\bevery\b/i.test(text) };
  }
  return null;
}

/** "tell Ann Lee yes" and "tell Ann yes": the second word is a name only if it is written like one. */
function toldBy({ person = "", text = "", ...groups }: Groups): Groups {
  const [first = "", second] = person.split(" ");
  if (!second || /^\p{Lu}/u.test(second)) return { ...groups, person, text };
  return { ...groups, person: first, text: `${second} ${text}` };
}

/** "Mr Vogel" signs as "Hannes Vogel". */
const withoutTitle = (name: string) => name.replace(/^(?:(?:mr|mrs|ms|miss|dr|prof|professor)\.? )+(?=\S)/i, "");

function matchOf({ person, owner, about, one = "", named = "" }: Groups): string {
  const sender = person ?? owner;
  if (sender) return `from:"${withoutTitle(sender)}"`;
  if (about) return about;
  const noun = /^(?:one|e-?mail|mail|message|reply|answer|question|request)$/i.test(one) ? "" : one;
  return `${searchFor(named)} ${noun}`.trim();
}

/** "from Ann Lee about the contract" */
function searchFor(named: string): string {
  const parts = named
    .split(/(?<!\s)\s*\b(from|sent by|by|about|regarding|concerning|called|titled|with the subject|of|on|that)\b\s*/i)
    .slice(1);
  const found: string[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const words = (parts[at + 1] ?? "")
      .replace(/["“”]/g, "")
      .replace(/^(?:the|my|a|an)\s+/i, "")
      .trim();
    if (words) found.push(/^(?:from|sent by|by|of)$/i.test(parts[at] ?? "") ? `from:"${words}"` : words);
  }
  return found.join(" ");
}
