import { describe, expect, it } from "vitest";
import { MAIL_FIGURES, mailErrors, scoreEmails } from "../../scripts/eval/mail.ts";
import { HALVES, readHalf } from "../../scripts/eval/mail-set.ts";

/*
 * What the built-in engine makes of whole emails may only get better. Every third email of the visible half is read as
 * one that arrives; `npm run eval -- --mail --misses` reads all of them. Raise a floor when its figure rises.
 */

/** Less than one error below the figures of today. */
const FLOORS: Record<(typeof MAIL_FIGURES)[number]["name"], number> = {
  whole: 0.29,
  kind: 0.91,
  direct: 0.93,
  urgency: 0.75,
  laterUrgency: 0.5,
  todos: 0.4,
  due: 0.8,
  othersTodos: 1,
  meetings: 0.6,
  meetingDetails: 0.56,
  deadlines: 0.95,
  codes: 0,
  language: 1,
  reply: 0.6,
};

describe("the built-in engine on whole emails", async () => {
  const scores = await scoreEmails(readHalf("visible").filter((_, at) => at % 3 === 0));

  it.each(MAIL_FIGURES)("reaches the floor of $name", ({ name, of }) => {
    const { score, cases } = of(scores);
    expect(cases).toBeGreaterThan(0);
    expect(score, `Errors:\n${mailErrors(scores)}\n`).toBeGreaterThanOrEqual(FLOORS[name]);
  });
});

describe("the set of whole emails", () => {
  const halves = HALVES.map((half) => readHalf(half));
  const all = halves.flat();

  it("has at least 400 emails with different ids, a third of them not in English", () => {
    expect(all.length).toBeGreaterThanOrEqual(400);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ language }) => language !== "en").length).toBeGreaterThanOrEqual(all.length / 3);
  });

  it("has as many emails of each topic and language in one half as in the other, or one more", () => {
    const counts = halves.map((half) => countsOf(half.map(({ topic, language }) => `${topic}.${language}`)));
    const [visible, aside] = [counts[0] ?? new Map(), counts[1] ?? new Map()];
    const uneven = [...new Set([...visible.keys(), ...aside.keys()])].filter(
      (name) => Math.abs((visible.get(name) ?? 0) - (aside.get(name) ?? 0)) > 1,
    );
    expect(uneven).toEqual([]);
  });

  it("uses only addresses that nobody has", () => {
    const addresses = all.flatMap(
      ({ body, headers }) => `${[...headers.values()].join(" ")} ${body}`.match(/[\w.-]+@[\w.-]*\w/g) ?? [],
    );
    expect(addresses.filter((address) => !address.endsWith(".example"))).toEqual([]);
  });
});

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
