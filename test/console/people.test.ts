import { describe, expect, it } from "vitest";
import { isAddress, nameIn, pastedPeople, piecesTyped, separatesPeople } from "../../src/console/lib/people.ts";

describe("people that are typed or pasted", () => {
  it.each([
    ["a@x.org, b@x.org;c@x.org", ["a@x.org", "b@x.org", "c@x.org"]],
    ["Dana Weiss <dana@x.org>; Bob <bob@x.org>", ["Dana Weiss <dana@x.org>", "Bob <bob@x.org>"]],
    ["Weiss, Dana <dana@x.org>; Bob <bob@x.org>", ['"Weiss, Dana" <dana@x.org>', "Bob <bob@x.org>"]],
    ["Weiss, Dana <dana@x.org>, bob@x.org", ['"Weiss, Dana" <dana@x.org>', "bob@x.org"]],
    ['"Weiss, Dana" <dana@x.org>, bob@x.org', ['"Weiss, Dana" <dana@x.org>', "bob@x.org"]],
    ['"O\'Hara \\"Bo\\"" <bo@x.org>', ["O'Hara 'Bo' <bo@x.org>"]],
    ["'Dana' <mailto:dana@x.org>,x", ["Dana <dana@x.org>", "x"]],
    ["a@x.org\nb@x.org\r\n\tc@x.org\n", ["a@x.org", "b@x.org", "c@x.org"]],
    ["priya, b@x.org", ["priya", "b@x.org"]],
    ["mailto:a@x.org,", ["a@x.org"]],
    [" , ;", []],
  ])("%j", (text, people) => {
    expect(pastedPeople(text)).toEqual(people);
    // They come out of the field as they went in.
    expect(pastedPeople(people.join(", "))).toEqual(people);
  });

  it("end with a separator, but not within quotes", () => {
    expect(piecesTyped("a@x.org; b")).toEqual({ done: ["a@x.org"], rest: "b" });
    expect(piecesTyped('"Weiss, Da')).toEqual({ done: [], rest: '"Weiss, Da' });
    expect(piecesTyped('"Weiss, Dana" <d@x.org>,')).toEqual({ done: ['"Weiss, Dana" <d@x.org>'], rest: "" });
    expect(piecesTyped(",")).toEqual({ done: [], rest: "" });
  });

  it("are known to be valid, and by a short name", () => {
    expect(["a@x.org", "A <a@x.org>", "a", "A <a>", "a@b@c"].map(isAddress)).toEqual([true, true, false, false, false]);
    expect(['"Weiss, Dana" <d@x.org>', "<d@x.org>", "Dana <d@x.org>", "priya"].map(nameIn)).toEqual([
      "Weiss, Dana",
      "d@x.org",
      "Dana",
      "priya",
    ]);
    expect([separatesPeople("a@x.org "), separatesPeople("a\nb")]).toEqual([false, true]);
  });
});
