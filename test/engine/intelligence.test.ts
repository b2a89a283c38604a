import { describe, expect, it } from "vitest";
import { understandEmail } from "../../src/engine/email/intelligence.ts";
import { hashOf, LARGEST_WEIGHT, packWeights, unpackWeights } from "../../src/engine/packed-weights.ts";

const reference = new Date("2026-11-18T10:00:00Z");
const read = (content: string, more: { subject?: string; from?: { name: string | null; email: string | null } } = {}) =>
  understandEmail({ content, reference, timeZone: "UTC", ...more });

describe("action items", () => {
  it.each([
    "Please send me the signed contract by Friday.",
    "Could you review the attached draft before our call?",
    "Let me know whether Thursday works for you.",
    "Can you forward the numbers to Grace?",
  ])("found: %s", (content) => {
    const [item] = read(content).actionItems;
    expect(item?.quote).toEqual({ text: content, start: 0, end: content.length });
  });

  it.each(["The weather in Lisbon was lovely.", "The report has 40 pages.", "Sales rose in the third quarter."])(
    "none: %s",
    (content) => expect(read(content).actionItems).toEqual([]),
  );

  it("a deadline becomes the end of its day, and the name in front is the assignee", () => {
    const [item] = read("Grace, please send the slides by Friday.").actionItems;
    expect(item).toMatchObject({
      text: "Send the slides",
      assignee: "Grace",
      dueAt: new Date("2026-11-20T23:59:59.999Z"),
    });
  });

  it("quoted replies and signatures ask for nothing", () => {
    expect(read("Done, all is in place.\n\nOn Mon, Nov 16, Ann wrote:\n> Please send the slides.").actionItems).toEqual(
      [],
    );
  });
});

describe("urgency", () => {
  it("an outage with a deadline today is critical, and says why", () => {
    const { urgency } = read("The production server is down. Please check the logs immediately and report by EOD.");
    expect(urgency.level).toBe("critical");
    expect(urgency.reasons).toContain("mentions an emergency or outage");
    expect(urgency.reasons).toContain("due within a day");
  });

  it("a newsletter is low, whatever it shouts", () => {
    const { urgency, category, replyNeeded } = read(
      "Act today! Read our latest articles on the blog. Unsubscribe at any time.",
    );
    expect({ level: urgency.level, category, replyNeeded }).toEqual({
      level: "low",
      category: "newsletter",
      replyNeeded: false,
    });
  });

  it("no hurry lowers it", () => {
    expect(read("No rush, but could you look at this when you get a chance?").urgency.score).toBeLessThan(
      read("Could you look at this?").urgency.score,
    );
  });
});

describe("category", () => {
  it.each([
    ["invoice", "Please find attached invoice #4417. The amount due is $1,200, payable by 30 November."],
    ["receipt", "Thank you for your order! Order total: $40.00, paid with card ending 4242."],
    ["notification", "This is an automated message, do not reply. Your password was changed: new sign-in from Berlin."],
    ["spam-like", "Congratulations, you have won the lottery! Claim your prize of 5 million dollars!!!"],
    ["meeting", "Could we meet on Tuesday at 3pm?"],
    ["work", "The project report for the client is attached. The budget is in the second spreadsheet."],
    ["personal", "Hi Mum, the kids loved the beach. Happy birthday to Dad!"],
  ])("%s", (category, content) => expect(read(content).category).toBe(category));
});

describe("the rest", () => {
  it("sentiment follows the words, and negation turns them", () => {
    expect(read("Thanks, this is great work, I love it.").sentiment).toBe("positive");
    expect(read("Unfortunately the delivery is late again and the quality is terrible.").sentiment).toBe("negative");
    expect(read("This is not good.").sentiment).toBe("negative");
    expect(read("The file is in the folder.").sentiment).toBe("neutral");
  });

  it("the summary begins with a capital, unless its first word is a name that does not", () => {
    expect(read("Hi Kim,\n\nperfect, the numbers are back.\n\nAnn").summary).toMatch(
      /^Perfect, the numbers are back\./,
    );
    expect(read("Hi Kim,\n\niCloud is full.\n\nAnn").summary).toMatch(/^iCloud is full\./);
  });

  it("the summary is made of the mail's own sentences", () => {
    const content =
      "Hi Ann,\n\nThe supplier raised the price of steel. Please approve the new budget by Friday. Lunch was nice.\n\nBob";
    const { summary } = read(content, { subject: "New budget for steel" });
    expect(summary).toContain("Please approve the new budget by Friday.");
  });

  it("insights name deadlines, amounts, people, questions and what is waited for", () => {
    const { insights } = read(
      "We are still waiting for the answer from Grace Hopper. The offer of $1,250.50 stands until Friday. Do you agree?",
    );
    expect(insights).toEqual([
      "Deadline: Friday (2026-11-20)",
      "Amount: $1,250.50",
      "Person: Grace Hopper",
      "Question: Do you agree?",
      "Waiting on: We are still waiting for the answer from Grace Hopper.",
    ]);
  });

  it("a question from a person needs a reply, one from a machine does not", () => {
    expect(read("Do you agree with the plan?").replyNeeded).toBe(true);
    expect(read("Do you agree?", { from: { name: null, email: "no-reply@x.org" } }).replyNeeded).toBe(false);
  });

  it("the model's table comes back as it was packed", () => {
    const weights = new Map([
      [hashOf("please"), 12],
      [hashOf("thanks"), -LARGEST_WEIGHT],
      [0, 1],
    ]);
    expect(unpackWeights(packWeights(weights))).toEqual(new Map([...weights].sort(([a], [b]) => a - b)));
  });
});
