import { dueOfMoment } from "../../../../lib/due.ts";
import type { EmailDetails } from "../../../tools/emails.ts";
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
    const open = actionItems.filter(({ hasTask }) => !hasTask);
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
