import { taskSlots } from "../../../../engine/notes/slots.ts";
import { dueOfMoment } from "../../../../lib/due.ts";
import type { EmailDetails } from "../../../tools/emails.ts";
import { withoutStop } from "../../request/exact.ts";
import type { Request } from "../../request/request.ts";
import { type Call, lookUp, type Planned, type Scene } from "../plan.ts";
import { shorten } from "../words/voice.ts";
import { forTarget } from "./target.ts";

/** Tasks for what an email asks for. They are proposed, because the text of the email has been read. */
export const makeTasks = (scene: Scene, request: Request): Promise<Planned> =>
  forTarget(scene, request, { kinds: ["email"] }, async (record) => {
    const email = await lookUp<EmailDetails>(scene, "read_mail", { id: record.id });
    if ("text" in email) return email;
    const { actionItems, subject, from } = email;
    const name = `“${shorten(subject) || "(no subject)"}” from ${shorten(from, 60)}`;
    const open = actionItems.filter(({ hasTask }) => !hasTask).flatMap((item) => eachThing(scene, item));
    if (open.length === 0) {
      const text =
        actionItems.length > 0
          ? `What the email ${name} asks for is already in your tasks.`
          : `I found no tasks in ${name}.`;
      return { text, about: [record] };
    }
    const calls = open.map(({ text, quote, dueAt }): Call => {
      const title = shorten(text, 300);
      const due = dueAt && (dueOfMoment(new Date(dueAt), scene.sight.timeZone).dueDate ?? dueAt);
      const description = `From the email “${shorten(subject)}” by ${shorten(from, 80)}.`;
      return {
        tool: "create_task",
        input: { title, description, emailId: record.id, quote, ...(due && { dueAt: due }) },
        label: title,
      };
    });
    return { calls };
  });

type Item = Pick<EmailDetails["actionItems"][number], "text" | "quote" | "dueAt">;

const COURTESY = /^(?:(?:please|kindly|also|could you|can you|would you|you need to|you must|don't forget to)[\s,]+)+/i;
const NEXT = /(?:[,;]\s{1,3}(?:and\s)?|\sand\s)(?:(?:then|also|please)\s){0,3}/i;
/** What follows a verb that asks for something: "upload a photo", "send me the plan". */
const OBJECT = /^\p{L}+\s+(?:an?|the|your|my|our|me|us|it|them|this|that|these|all|any|some|up|in|out|back|to|for)\b/iu;
const MOST_THINGS = 6;

/** "Sign the form, upload a photo and book the tour by Friday" asks for three things, each with its own date. */
function eachThing({ sight }: Scene, item: Item): Item[] {
  const clauses = withoutStop(item.quote).replace(COURTESY, "").split(NEXT);
  if (clauses.length < 2 || clauses.length > MOST_THINGS || !clauses.every((clause) => OBJECT.test(clause)))
    return [item];
  const things = clauses.map((clause) => taskSlots(clause, sight.clock));
  const isDated = things.some(({ due }) => due !== null);
  return things.map(({ title, due }, at) => ({
    text: title,
    // The first keeps the whole quote: by it, they are known as added.
    quote: at === 0 ? item.quote : (clauses[at] ?? item.quote),
    dueAt: due ? due.toISOString() : isDated ? null : item.dueAt,
  }));
}
