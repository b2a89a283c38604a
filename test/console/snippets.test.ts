import { describe, expect, it } from "vitest";
import { firstNameOf, inserted, insertionOf, snippetAt, snippetsFor } from "../../src/console/lib/snippets.ts";

const named = (...names: string[]) => names.map((name, id) => ({ id, name, text: name }));
const known = { firstName: "Dana", myName: "Ada", date: "18 November 2026" };

describe("snippets", () => {
  it.each([
    [";thanks", 7, "thanks"],
    ["Hello\n;Th", 3, "th"],
    ["(;ok", 3, "ok"],
    ["one;two", null, ""],
    ["so; ", null, ""],
    [";", null, ""],
    [";no word", null, ""],
  ])("are named in %j", (before, count, word) => {
    expect(snippetAt(before)).toEqual(count === null ? null : { count, word });
  });

  it("are found by the beginning of their name first", () => {
    const found = snippetsFor(named("many-thanks", "thanks", "later"), { count: 3, word: "th" });
    expect(found.map(({ name }) => name)).toEqual(["thanks", "many-thanks"]);
  });

  it("are filled in, and leave the caret where it is wanted", () => {
    const text = "Hello {First Name},\n{cursor}\n{my name}, {date} {unknown}";
    const insertion = insertionOf({ text }, { count: 3, word: "th" }, known);
    expect(insertion.text).toBe("Hello Dana,\n\nAda, 18 November 2026 {unknown}");
    const result = inserted("Before ;th after", 10, insertion);
    expect(result.value).toBe("Before Hello Dana,\n\nAda, 18 November 2026 {unknown} after");
    expect(result.value.slice(0, result.caret)).toBe("Before Hello Dana,\n");
    // What is not known stays, to be seen.
    expect(insertionOf({ text: "Hi {first name}" }, { count: 1, word: "h" }, { ...known, firstName: null })).toEqual({
      count: 1,
      text: "Hi {first name}",
      caret: 15,
    });
  });

  it.each([
    ["Dana Weiss <d@x.org>", "Dana"],
    ['"Weiss, Dana Maria" <d@x.org>', "Dana"],
    ["d@x.org", null],
    ["priya", null],
    ["", null],
  ])("know the first name of %j", (person, name) => expect(firstNameOf(person)).toBe(name));
});
