import { describe, expect, it } from "vitest";
import { readCodes, secondCodes } from "../../scripts/eval/code-set.ts";
import { MAIL_FIGURES, mailErrors, scoreEmails } from "../../scripts/eval/mail.ts";
import { HALVES, readHalf } from "../../scripts/eval/mail-set.ts";
import { signInOf } from "../../src/engine/email/sign-in.ts";

/*
 * What the built-in engine makes of whole emails may only get better. Every third email of the visible half is read as
 * one that arrives; `npm run eval -- --mail --misses` reads all of them. Raise a floor when its figure rises.
 */

/** Of the cases in `test/data/mail/codes`. */
const MAX_WRONG_CODES = 2;
/** Of 61 with a code, password or link, and 61 without. */
const DEVELOPING = { found: 59, falseAlarms: 2 };
const MEASURING = { found: 55, falseAlarms: 4 };

/** Less than one error below the figures of today. */
const FLOORS: Record<(typeof MAIL_FIGURES)[number]["name"], number> = {
  whole: 0.29,
  kind: 0.95,
  direct: 0.93,
  urgency: 0.75,
  laterUrgency: 0.5,
  todos: 0.4,
  due: 0.8,
  othersTodos: 1,
  meetings: 0.6,
  meetingDetails: 0.56,
  deadlines: 0.95,
  codes: 1,
  language: 1,
  reply: 1,
};

describe("the built-in engine on whole emails", async () => {
  const scores = await scoreEmails(readHalf("visible").filter((_, at) => at % 3 === 0));

  it.each(MAIL_FIGURES)("reaches the floor of $name", ({ name, of }) => {
    const { score, cases } = of(scores);
    expect(cases).toBeGreaterThan(0);
    expect(score, `Errors:\n${mailErrors(scores)}\n`).toBeGreaterThanOrEqual(FLOORS[name]);
  });
});

describe("the emails with and without codes", () => {
  const cases = readCodes();
  const tight = (code: string | null | undefined) => code?.replace(/[\s-]/g, "");

  it("are at least 150, a third of them not in English", () => {
    expect(cases.length).toBeGreaterThanOrEqual(150);
    expect(cases.filter(({ language }) => language !== "en").length).toBeGreaterThanOrEqual(cases.length / 3);
  });

  it("are told apart, with how long each code and link is valid", () => {
    const wrong = cases.flatMap(({ label, ...email }) => {
      const found = signInOf(email);
      const minutes = label && (label.isLasting ? null : (label.minutes ?? (label.isLink ? 60 : 15)));
      const wanted = label && {
        kind: label.isLink ? "link" : "code",
        code: label.isLink ? null : tight(label.value),
        minutes,
      };
      const given = found && { ...found, code: tight(found.code) ?? null };
      return JSON.stringify(given) === JSON.stringify(wanted) ? [] : [{ subject: email.subject, given, wanted }];
    });
    expect(wrong.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(MAX_WRONG_CODES);
  });
});

describe("emails whose code or password only its name tells, and numbers that let nobody in", () => {
  it.each([
    ["developing", DEVELOPING],
    ["measuring", MEASURING],
  ] as const)("are withheld or shown as they should be, of those for %s", (use, floor) => {
    const cases = secondCodes(use).map((email) => ({ ...email, isFound: signInOf(email) !== null }));
    const wanted = cases.filter(({ label }) => label !== null);
    const falseAlarms = cases.filter(({ label, isFound }) => label === null && isFound).length;
    expect(wanted.length).toBeGreaterThanOrEqual(60);
    expect(cases.length - wanted.length).toBeGreaterThanOrEqual(60);
    expect(wanted.filter(({ isFound }) => isFound).length).toBeGreaterThanOrEqual(floor.found);
    expect(falseAlarms).toBeLessThanOrEqual(floor.falseAlarms);
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
