import { z } from "@hono/zod-openapi";
import { doc, listOf, named } from "../../../http/schemas.ts";
import { transferFields } from "../../transfers/schemas.ts";

const count = (description: string, example: number) => doc(z.int(), description, example);

export const CalendarImport = named("CalendarImport", () => ({
  ...transferFields,
  result: doc(
    z.object({
      created: count("New events. Edited occurrences of a series belong to it and are not counted.", 120),
      updated: count("Existing events that were updated.", 3),
      unchanged: count("Existing events that did not change.", 40),
      skipped: count("Events that were not imported.", 1),
      problems: doc(
        z.array(
          z.object({
            uid: doc(z.string(), "UID of the event.", "5b6e@example.com"),
            reason: doc(z.string(), "Why it was not imported.", "The time zone Mars/Olympus is unknown."),
          }),
        ),
        "Why events were skipped: the first 100.",
      ),
    }),
    "The result so far.",
  ),
}));
export type CalendarImport = z.infer<typeof CalendarImport>;

export const CalendarImports = listOf(CalendarImport, "CalendarImports");
