import type { ChatRecord } from "../../../db/schema/chat.ts";
import { getDraft } from "../../emails/drafts/service.ts";
import { getEmail } from "../../emails/service.ts";
import { bestMatches, shareOf, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { REF, readReference } from "../language/follow-ups/reference.ts";
import { runChange } from "./amend.ts";
import { doDeed } from "./deeds.ts";
import { emailDeed, tagOf, writeDraft } from "./email-deeds.ts";
import { recordsNamed } from "./find-named.ts";
import { justWritten, meant, refOf } from "./references.ts";
import { type Reply, replyFor } from "./reply-text.ts";
import { spellOtherwise } from "./spelled-otherwise.ts";
import { takeBackRecord } from "./undo.ts";

const LEAD =
  "^(?:(?:wrong (?:tag|one|word|name|label)|(?:it|that) should (?:be|have been)|should (?:be|have been)|whoops|no|nope|sorry|oops|wait|actually|oh|ah|my mistake|my bad|and)[\\s,.!]+)*";
const MEANT = new RegExp(
  `${LEAD}(?:i meant (?:to say )?|(?:that|it) was )(?:${REF}|(?:the |my )?(?<name>[\\p{L}\\d][\\p{L}\\d' -]{1,60}))$|^(?:(?:no|nope|sorry|oops|wait|oh)[\\s,.!]+)+(?:the|my) (?<named>[\\p{L}\\d][\\p{L}\\d' -]{1,40})$`,
  "iu",
);
const ONLY = new RegExp(`${LEAD}(?:only|just) (?:${REF}|(?:the |my )?(?<name>[\\p{L}\\d][\\p{L}\\d' -]{1,60}))$`, "iu");
const INSTEAD = new RegExp(
  `${LEAD}(?:(?:make|change) (?:it|that|this)(?: to)? |i meant |use |put |(?:it's|it is|that's|that is) (?:for |about |called )?)?(?:some |the )?(?<to>[\\p{L}\\d][\\p{L}\\d' -]{0,60}?),? (?:instead of|and not|not|rather than) (?:some |the )?(?<from>[\\p{L}\\d][\\p{L}\\d' -]{0,60})$`,
  "iu",
);
/** "not Anna, Hannah" */
const NOT_BUT = new RegExp(
  `${LEAD}(?:it's |that's )?not (?:some |the )?(?<from>[\\p{L}\\d][\\p{L}\\d' -]{0,40}?)(?:, (?:but |it's |rather )?| but )(?:some |the )?(?<to>[\\p{L}\\d][\\p{L}\\d' -]{0,60})$`,
  "iu",
);
const REDRAFTED = new RegExp(
  `${LEAD}(?:(?:rather |better )?(?:change (?:it|that)(?: to(?: say)?)?|make (?:it|that) say|say)(?: that)? (?<text>.+?)|(?:tell (?:her|him|them)|say)(?: that)? (?<other>.+?) instead)$`,
  "iu",
);

/** Each word of the name has to fit. */
const WHOLE = 0.79;

/** "I meant the second one", "only the first", "parsley instead of basil": what the last message did is set right. */
export async function correct(turn: Turn, message: string): Promise<Reply | null> {
  const text = message.replaceAll("’", "'").replace(/(?<![\s.!])[\s.!]+$/, "");
  return (
    (await otherRecord(turn, text)) ??
    (await onlySome(turn, text)) ??
    (await otherWords(turn, text)) ??
    (await spellOtherwise(turn, text)) ??
    redraft(turn, text)
  );
}

/** The one that the words mean, of what this conversation was about. */
function recordOf(turn: Turn, groups: Record<string, string | undefined>, kind: ChatRecord["kind"]) {
  const { ref, name = groups.named ?? "" } = groups;
  if (ref) {
    const found = meant(turn, readReference(ref), [kind]);
    return found && "records" in found && found.records.length === 1 ? found.records[0] : undefined;
  }
  if (tellingWords(name).length === 0) return undefined;
  const known = turn.state.groups.flat().filter((record) => record.kind === kind);
  const ids = new Map(bestMatches(name, known, ({ title }) => [title]).map((record) => [record.id, record]));
  return ids.size === 1 ? [...ids.values()][0] : undefined;
}

const isSame = (a: ChatRecord, b: ChatRecord) => a.kind === b.kind && a.id === b.id && a.occurrence === b.occurrence;
const undoOf = ({ kind, id, occurrence }: ChatRecord) => ({ record: { kind, id, ...(occurrence && { occurrence }) } });

/** A record that the conversation was not about yet. */
async function onlyNamed(turn: Turn, name: string, { kind }: ChatRecord): Promise<ChatRecord | undefined> {
  const found = tellingWords(name).length > 0 ? await recordsNamed(turn, name, [kind], true) : null;
  return found?.records.length === 1 ? found.records[0] : undefined;
}

/** The last change was meant for another record. */
async function otherRecord(turn: Turn, text: string): Promise<Reply | null> {
  const groups = MEANT.exec(text)?.groups ?? insteadOfIt(turn, text);
  return groups ? forOther(turn, groups) : null;
}

/** "no wait, the training, not the webinar": the record that was just changed, and another one of that name. */
function insteadOfIt(turn: Turn, text: string): { name: string } | null {
  const { to, from } = (INSTEAD.exec(text) ?? NOT_BUT.exec(text))?.groups ?? {};
  const [wrong, ...more] = justWritten(turn, ["task", "event", "email"]);
  const isIt = from && wrong && more.length === 0 && shareOf(from, [wrong.title]) > WHOLE;
  return to && isIt ? { name: to } : null;
}

async function forOther(turn: Turn, groups: Record<string, string | undefined>): Promise<Reply | null> {
  const { act } = turn.state;
  const [wrong, ...more] = justWritten(turn, ["task", "event", "email"]);
  if (!wrong || more.length > 0 || !act || /^create_/.test(act.tool)) return null;
  const right = recordOf(turn, groups, wrong.kind) ?? (await onlyNamed(turn, groups.name ?? groups.named ?? "", wrong));
  if (!right || isSame(right, wrong)) return null;
  const done =
    right.kind === "email"
      ? await emailDeed(turn, { kind: "flag", changes: act.input }, right)
      : await runChange(turn, { tool: act.tool, input: { ...act.input, ...refOf(right) } });
  const back = await turn.callConfirmed("undo", undoOf(wrong));
  return done && { text: `${done.text}${back.status === "done" ? ` “${wrong.title}” is as it was.` : ""}` };
}

/** The last change was meant for some of its records only. */
async function onlySome(turn: Turn, text: string): Promise<Reply | null> {
  const groups = ONLY.exec(text)?.groups;
  const changed = justWritten(turn, ["task", "event", "email"]);
  const [first] = changed;
  if (!groups || !first || changed.length < 2) return null;
  const kept = recordOf(turn, groups, first.kind);
  if (!kept || !changed.some((record) => isSame(record, kept))) return null;
  const others = changed.filter((record) => !isSame(record, kept));
  // All of these were chosen before the first of them was read.
  for (const record of others) await turn.callConfirmed("undo", undoOf(record));
  return { text: `Only “${kept.title}” is changed. Undone: ${others.map(({ title }) => title).join(", ")}.` };
}

/** "should be jobs, not clients", after an email was tagged. */
async function otherTag(turn: Turn, to: string, from: string): Promise<Reply | null> {
  const { act } = turn.state;
  const [email] = justWritten(turn, ["email"]);
  const added = [act?.input.addTags].flat();
  if (act?.tool !== "update_mail" || !email || !added.includes(tagOf(from))) return null;
  const { tags } = await getEmail(turn.ctx, email.id);
  const tag = tagOf(to);
  const changed = [...new Set([...tags.filter((each) => each !== tagOf(from)), tag])];
  return replyFor(
    await turn.call("update_mail", { id: email.id, tags: changed }),
    () => `Tagged as ${tag} instead of ${tagOf(from)}.`,
  );
}

/** Another word in the name of what was just written. */
async function otherWords(turn: Turn, text: string): Promise<Reply | null> {
  const { to, from } = (INSTEAD.exec(text) ?? NOT_BUT.exec(text))?.groups ?? {};
  // "I meant I booked the hairdresser, not the dentist" tells what happened.
  if (!to || !from || /^(?:i|we|you|he|she|they|it|that|there)\b/i.test(to)) return null;
  const tagged = await otherTag(turn, to, from);
  if (tagged) return tagged;
  const records = justWritten(turn, ["task", "event"]);
  const named = records.filter(({ title }) => title.toLowerCase().includes(from.toLowerCase()));
  const [record] = named;
  if (!record || named.length > 1) return null;
  const at = record.title.toLowerCase().indexOf(from.toLowerCase());
  const words = at === 0 ? to.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : to;
  const title = `${record.title.slice(0, at)}${words}${record.title.slice(at + from.length)}`;
  return runChange(turn, {
    tool: record.kind === "task" ? "update_task" : "update_event",
    input: { ...refOf(record), title },
  });
}

/** A reply that was just written is to say something else. */
async function redraft(turn: Turn, text: string): Promise<Reply | null> {
  const groups = REDRAFTED.exec(text)?.groups;
  const say = groups?.text?.replace(/ instead$/i, "") ?? groups?.other;
  const [draft] = justWritten(turn, ["draft"]);
  if (!say || !draft) return null;
  const { inReplyTo } = await getDraft(turn.ctx, draft.id);
  if (inReplyTo === null) return null;
  const removed = await turn.call("delete_draft", { id: draft.id });
  return removed.status === "done" ? writeDraft(turn, { replyTo: inReplyTo, say }) : null;
}

const MEANT_OTHER =
  /^(?:(?:no+|sorry|oops|oh|wait|ah)[\s,!.]+)*(?:i meant |i mean |(?:not that|(?:the )?wrong) one[\s,.!]+(?:i meant )?)(the (?:other|first|second|third|last)(?: one)?)[\s.!]*$|^no+[\s,!.]+(the other(?: one)?)[\s.!]*$/i;

/** "sorry, I meant the other one": the last change was for the wrong record. */
export async function doForOther(turn: Turn, text: string): Promise<Reply | null> {
  const said = turn.state.isWritten ? MEANT_OTHER.exec(text) : null;
  const ref = said?.[1] ?? said?.[2];
  const [before, ...others] = turn.state.groups[0] ?? [];
  if (!ref || !before || others.length > 0) return null;
  const done = await doDeed(turn, `and ${ref}`);
  if (!done || turn.written.length === 0) return done;
  const back = await takeBackRecord(turn, before);
  return { ...done, text: `${back.text}\n${done.text}` };
}
