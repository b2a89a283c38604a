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
      "Hello,\nThe fire drill is on Thursday at 10.\nEveryone must leave the building. Please meet at the car park.\nKind regards",
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
  const OPENING = "Thanks for your message about “Offsite in Lisbon”.";
  const FLIGHTS =
    "You also asked me to book my flights by Wednesday at noon. I have noted the date, Wednesday, 18 November.";
  const PEOPLE =
    "You also asked: “How many people from your team will come?” I will get back to you on each of these points.";

  it("does not take a deadline for a time to meet", () => {
    expect(reply("")).toEqual([
      OPENING,
      "You suggested Tuesday, 17 November at 14:00. I will check my calendar and confirm the time.",
      FLIGHTS.replace("also ", ""),
      PEOPLE,
    ]);
  });

  it("keeps a sentence of the instructions whole, and mentions what they leave open", () => {
    expect(reply("decline politely, I'm on holiday until Monday, propose Wednesday at 10")).toEqual([
      OPENING,
      "I am afraid I cannot make it on Tuesday, 17 November at 14:00. I'm on holiday until Monday. How about Wednesday at 10?",
      FLIGHTS,
      PEOPLE,
    ]);
    expect(reply("Tuesday works, but I can only stay until 3.")[1]).toBe("Tuesday works, but I can only stay until 3.");
  });

  it("says nothing more about what the instructions answer", () => {
    expect(reply("Yes to Tuesday; 5 people will come; flights are booked").join(" ")).toBe(
      `${OPENING} Yes to Tuesday. 5 people will come. Flights are booked.`,
    );
  });

  it.each([
    ["yes", "Tuesday, 17 November at 14:00 works for me."],
    ["Sounds good!", "Tuesday, 17 November at 14:00 works for me."],
    ["tell her no", "I am afraid I cannot make it on Tuesday, 17 November at 14:00."],
    [
      "tell her that I will be 10 minutes late and that Tom will join us",
      "I will be 10 minutes late. Tom will join us.",
    ],
    [
      "ask her to send her flight number so that I can pick her up",
      "Could you please send your flight number so that I can pick you up?",
    ],
  ])("follows: %s", (instructions, said) => expect(reply(instructions)[1]).toBe(said));

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

describe("a reply without instructions", () => {
  const replyTo = (content: string, more: object = {}) =>
    writeReply({
      email: { content, from: { name: "Priya Shah", email: "priya@example.org" }, ...clock, ...more },
      tone: "friendly",
      instructions: "",
      senderName: "Jo",
    }).response;

  it("names every time that was proposed, and the deadline of something else apart from them", () => {
    const reply = replyTo(
      "Would Tuesday at 2pm or Wednesday at 11am suit you for a demo? Please send me the list of attendees by Monday.",
    );
    expect(reply).toContain("You suggested Tuesday, 17 November at 14:00 or Wednesday, 18 November at 11:00.");
    expect(reply).toContain("You asked me to send you the list of attendees by Monday.");
  });

  it("is written as its person writes dates and times", () =>
    expect(replyTo("Could we talk on Tuesday at 2pm?", { habits: { dayFirst: false, clock24: false } })).toContain(
      "You suggested Tuesday, November 17 at 2:00 PM.",
    ));

  it("notes an appointment that is settled, and answers nothing that was not asked", () => {
    const reply = replyTo("This is a reminder of your appointment on Tuesday, 24 November 2026 at 08:30. Questions?");
    expect(reply).toContain("I have noted Tuesday, 24 November at 08:30.");
    expect(reply).not.toContain("asked");
  });

  it("takes no promise of the sender for a meeting", () =>
    expect(
      replyTo("Sounds good. I'll book the venue and send everybody the details tomorrow.", { subject: "Re: Offsite" }),
    ).not.toContain("suggested"));
});

describe("a reply to a forwarded email", () => {
  it("does not take the person who passed it on for the one who asked", () => {
    const content =
      "Can you handle this?\n\n---------- Forwarded message ---------\nFrom: Lisa Brand <lisa@vendor.example>\nSubject: Offer\n\nHi Tom,\n\nplease send me the signed offer by Friday.\n\nLisa";
    const from = { name: "Tom Reed", email: "tom@x.example" };
    const email = { content, subject: "Fwd: Offer", from, ...clock };
    const { response } = writeReply({ email, tone: "formal", instructions: "", senderName: "Jo" });
    expect(response).toContain("to send Lisa the signed offer by Friday");
    expect(response).not.toContain("send you");
  });
});
