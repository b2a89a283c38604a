import { detectIn } from "../../src/engine/email/intelligence.ts";
import { accuracy, instantOf, type Measure, readSet } from "./case-set.ts";

interface NamedEvent {
  text: string;
  title: string;
  place?: string;
  link?: string;
  proposed?: boolean;
  heldOut?: boolean;
}

/** Title, place, link and whether it is only proposed, all at once. */
export function eventNameMeasures(): Measure[] {
  const { at, zone, cases } = readSet<NamedEvent>("event-names");
  const check = ({ text, title, place, link, proposed }: NamedEvent) => {
    const [found] = detectIn({ content: text, reference: instantOf(at, zone), timeZone: zone }).meetings;
    const said = found ? [found.title, found.location, found.meetingUrl, found.proposed] : ["nothing"];
    const expected = [title, place ?? null, link ?? null, proposed ?? false];
    return said.join() === expected.join() ? null : `“${text}” is ${expected.join(" | ")}, not ${said.join(" | ")}`;
  };
  const tuned = cases.filter(({ heldOut }) => !heldOut);
  const held = cases.filter(({ heldOut }) => heldOut);
  return [
    accuracy(
      "meetings.namesTuned",
      "Title, place and link of an event, on the cases the rules were tuned on",
      tuned,
      check,
    ),
    accuracy(
      "meetings.namesHeldOut",
      "Title, place and link of an event, on the cases that were held out",
      held,
      check,
    ),
  ];
}
