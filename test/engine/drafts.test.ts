import { describe, expect, it } from "vitest";
import { writeReply } from "../../src/engine/reply/reply.ts";
import { answerPrompt } from "../../src/features/ai/language/prompts.ts";

const clock = { reference: new Date("2026-11-15T10:00:00Z"), timeZone: "Europe/Berlin" };
const draft = (prompt: string, writer: string | null = null) =>
  answerPrompt(prompt, clock, writer)?.replaceAll("\n\n", "\n");

describe("an email from several facts", () => {
  it.each([
    [
      "Tell Maria by email that the contract is signed and that the invoice follows on Monday.",
      "Dear Maria,\nThe contract is signed. The invoice follows on Monday.\nKind regards",
    ],
    ["Let Maria know via email that the parcel has arrived", "Dear Maria,\nThe parcel has arrived.\nKind regards"],
    [
      "Write Jack an email telling him the budget is approved. Sign it Jo.",
      "Dear Jack,\nThe budget is approved.\nKind regards,\nJo",
    ],
    ["Drop Kim a line saying the tickets are booked", "Dear Kim,\nThe tickets are booked.\nKind regards"],
    [
      "Shoot an email to Paul letting him know that the report is late and that I'll send it tomorrow, signed Jo",
      "Dear Paul,\nThe report is late. I'll send it tomorrow.\nKind regards,\nJo",
    ],
    [
      "Write an email to Maria telling her that the delivery is late and that I will call her on Monday; sign as Jo",
      "Dear Maria,\nThe delivery is late. I will call you on Monday.\nKind regards,\nJo",
    ],
    [
      "Write an email to Maria, telling her that she did a great job, that her bonus is approved and that HR will contact her. Sign as Jo",
      "Dear Maria,\nYou did a great job. Your bonus is approved. HR will contact you.\nKind regards,\nJo",
    ],
    [
      "Draft an email to Bob telling him that I can't come on Friday and that Ann will take my place, sign as Jo Smith",
      "Dear Bob,\nI can't come on Friday. Ann will take my place.\nKind regards,\nJo Smith",
    ],
    [
      "Email Carl that the Q3 numbers are ready and that he can find them in the shared folder",
      "Dear Carl,\nThe Q3 numbers are ready. You can find them in the shared folder.\nKind regards",
    ],
    [
      "Draft an email to Ben and Lea telling them that their tickets are booked and that they should be at the airport at 6",
      "Dear Ben and Lea,\nYour tickets are booked. You should be at the airport at 6.\nKind regards",
    ],
    [
      "Write an email to my sister telling her that mum is fine and that the doctors let her go home today",
      "Hello,\nMum is fine. The doctors let her go home today.\nKind regards",
    ],
    [
      "Draft an email to Carl telling him that his numbers are wrong, that he needs to fix them himself and that I'm not happy with him",
      "Dear Carl,\nYour numbers are wrong. You need to fix them yourself. I'm not happy with you.\nKind regards",
    ],
    [
      "Write an email to Max asking him if he has my keys and telling him that I need them by 6pm",
      "Dear Max,\nCould you let me know whether you have my keys?\nI need them by 6pm.\nKind regards",
    ],
    [
      "Draft an email to Olga saying I'm sorry I missed her call and that I will ring her tomorrow; sign as Jo",
      "Dear Olga,\nI am very sorry that I missed your call. I will ring you tomorrow.\nKind regards,\nJo",
    ],
    [
      "Write an email telling Anna that her package has arrived and that she can pick it up after 5pm. Sign as Front Desk",
      "Dear Anna,\nYour package has arrived. You can pick it up after 5pm.\nKind regards,\nFront Desk",
    ],
    [
      "Write an email to my neighbours asking them not to park in front of the garage and thanking them for their understanding",
      "Hello,\nThank you for your understanding.\nCould you please not park in front of the garage?\nKind regards",
    ],
    [
      "write an email to john declining his invitation because I am travelling next week",
      "Dear John,\nI regret that I have to decline your invitation because I am travelling next week.\nKind regards",
    ],
    [
      "Write an email to Leo asking for his address so that I can send him the parcel",
      "Dear Leo,\nMay I ask you for your address so that I can send you the parcel?\nKind regards",
    ],
    [
      "Write an email to all staff: the fire drill is on Thursday at 10; everyone must leave the building; meet at the car park",
      "Hello,\nThe fire drill is on Thursday at 10. Everyone must leave the building.\nPlease meet at the car park.\nKind regards",
    ],
    ["Draft a thank-you email to Ann for the dinner", "Dear Ann,\nThank you for the dinner.\nKind regards"],
    [
      "Write an email from Jo to maria@example.com telling her that the contract is signed",
      "Dear Maria,\nThe contract is signed.\nKind regards,\nJo",
    ],
  ])("%s", (prompt, expected) => expect(draft(prompt)).toBe(expected));

  it("is signed by whoever writes it, unless the prompt names somebody", () => {
    expect(draft("Write an email to Eve saying I'm late", "Ada Love")).toMatch(/Kind regards,\nAda Love$/);
    expect(draft("Write an email to Eve saying I'm late; sign as Jo", "Ada Love")).toMatch(/Kind regards,\nJo$/);
  });
});

describe("a reply", () => {
  const offsite = {
    subject: "Offsite in Lisbon",
    from: { name: "Ann Lee", email: "ann@example.org" },
    content:
      "Hi Ada,\n\nthe offsite in Lisbon is on. Please book your flights by Wednesday at noon. Can we talk about it on Tuesday at 2pm? How many people from your team will come?\n\nThanks,\nAnn",
    ...clock,
  };
  const reply = (instructions: string, email = offsite) =>
    writeReply({ email, tone: "friendly", instructions, senderName: "Ada Love" }).response.split("\n\n").slice(1, -1);

  it("keeps a sentence of the instructions whole, and adds nothing that they leave open", () => {
    expect(reply("decline politely, I'm on holiday until Monday, propose Wednesday at 10")).toEqual([
      "I am afraid I have to decline. I'm on holiday until Monday. How about Wednesday at 10?",
    ]);
    expect(reply("Tuesday works, but I can only stay until 3.")).toEqual([
      "Tuesday works, but I can only stay until 3.",
    ]);
    expect(reply("Yes to Tuesday; 5 people will come; flights are booked")).toEqual([
      "Yes to Tuesday. 5 people will come. Flights are booked.",
    ]);
  });

  it.each([
    ["yes", "Tuesday, 17 November at 14:00 works for me."],
    ["Sounds good!", "Tuesday, 17 November at 14:00 works for me."],
    ["tell her no", "I am afraid I have to decline."],
    [
      "tell her that I will be 10 minutes late and that Tom will join us",
      "I will be 10 minutes late. Tom will join us.",
    ],
    [
      "ask her to send her flight number so that I can pick her up",
      "Could you please send your flight number so that I can pick you up?",
    ],
  ])("follows: %s", (instructions, said) => expect(reply(instructions)).toEqual([said]));

  it("answers a company's questions, too", () => {
    const email = {
      ...offsite,
      from: { name: "Sales Team", email: "sales@example.org" },
      content: "Thank you for your order. Could you confirm the address? Which day do you prefer, Monday or Thursday?",
    };
    expect(reply("confirm the address, choose Thursday", email).join(" ")).toContain(
      "I am writing to confirm the address. I would prefer Thursday.",
    );
  });
});

describe("a reply that accepts", () => {
  it("is written as its person writes dates and times, and takes no deadline for a time to meet", () => {
    const email = {
      content: "Could we talk on Tuesday at 2pm? Please send me the list by Monday at noon.",
      from: { name: "Priya Shah", email: "priya@example.org" },
      ...clock,
      habits: { dayFirst: false, clock24: false },
    };
    const { response } = writeReply({ email, tone: "friendly", instructions: "accept", senderName: "Jo" });
    expect(response).toBe("Hi Priya,\n\nTuesday, November 17 at 2:00 PM works for me.\n\nBest wishes,\nJo");
  });
});
