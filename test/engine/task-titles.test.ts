import { describe, expect, it } from "vitest";
import { tasksIn, understandEmail } from "../../src/engine/email/intelligence.ts";

const clock = { reference: new Date("2026-11-18T10:00:00Z"), timeZone: "UTC" };
const carl = { name: "Carl Boss", email: "carl@example.org" };
const emailOf = (content: string) => ({ content, from: carl, ...clock });
const titlesOf = (content: string, more: object = {}) =>
  tasksIn({ ...emailOf(content), ...more }).map(({ text }) => text);

describe("a request becomes the reader's own task", () => {
  it.each([
    ["Please send me the Q3 numbers by Friday.", "Send Carl the Q3 numbers"],
    ["Can you send me your notes?", "Send Carl my notes"],
    ["Would you mind checking the second paragraph?", "Check the second paragraph"],
    ["I need you to sign the lease by tomorrow at noon.", "Sign the lease"],
    ["Please send the signed contract by Friday, then we can still book it this year.", "Send the signed contract"],
    ["Could you check the figures so we can print the report?", "Check the figures so we can print the report"],
    ["Please renew the badge, or else you cannot get in.", "Renew the badge"],
    ["Don't forget to renew the parking permit.", "Renew the parking permit"],
    ["Kindly confirm receipt of this message.", "Confirm receipt of this message"],
    ["We need the floor plans before the builders arrive.", "Get Carl the floor plans before the builders arrive"],
    ["I need to know your shoe size by Thursday.", "Tell Carl my shoe size"],
    ["Let me know whether Thursday works for you.", "Let Carl know whether Thursday works for me"],
    ["If you have a moment, could you look at my slides?", "Look at Carl's slides"],
    ["Once the contract is signed, please send a copy to me.", "Send a copy to Carl once the contract is signed"],
    ["The form must be returned by 30 November.", "Return the form"],
    ["It would be great if you could forward my note to Tom.", "Forward Carl's note to Tom"],
    ["Would it be possible to get a copy of the report?", "Send Carl a copy of the report"],
    ["Would you be able to send over the contract today?", "Send over the contract"],
    ["By Friday, please send me the report.", "Send Carl the report"],
    ["Please pay our invoice of EUR 1.234,56 by 30 November.", "Pay Carl's invoice of EUR 1.234,56"],
    [
      "Please bring me the blue folder that I left on my desk.",
      "Bring Carl the blue folder that they left on their desk",
    ],
    ["Please make sure that I am on the list.", "Make sure that Carl is on the list"],
    ["Please get back to me ASAP.", "Get back to Carl"],
    [
      "Hi Ann, could you print the handouts for tomorrow's meeting, please?",
      "Print the handouts for tomorrow's meeting",
    ],
    ["Could you get me the keys to the archive?", "Get Carl the keys to the archive"],
    ["I'd appreciate it if you sent us the list by Monday.", "Send Carl the list"],
    ["We'd be grateful if you returned the form.", "Return the form"],
    ["We still need your signature on the lease.", "Get Carl my signature on the lease"],
    ["I'm still waiting for your expense report.", "Get Carl my expense report"],
    ["Let us have your bank details.", "Get Carl my bank details"],
    ["Your feedback on the mock-ups would be appreciated.", "Get Carl my feedback on the mock-ups"],
    ["I was hoping you might introduce me to your designer.", "Introduce Carl to my designer"],
    ["Would you guys mind looking over the draft?", "Look over the draft"],
    ["All of you: submit your timesheets by Friday noon.", "Submit my timesheets"],
    ["Please return it to us no later than 27 November.", "Return it to Carl"],
    ["You mentioned you'd send me the deck, could you do that?", "Send Carl the deck"],
    ["Finance closes the books on Friday, so please have a look at the budget.", "Have a look at the budget"],
    ["Do you know whether the client signed?", "Tell Carl whether the client signed"],
    ["Action required: complete the security training by Friday 5pm.", "Complete the security training"],
  ])("%s", (content, title) => expect(titlesOf(content)).toEqual([title]));

  it.each([
    ["Do you agree with the new timeline?", "Tell Carl whether I agree with the new timeline"],
    ["When can you deliver the chairs?", "Tell Carl when I can deliver the chairs"],
    ["Are you coming to the party on Saturday?", "Tell Carl whether I am coming to the party on Saturday"],
    ["What is the status of the migration?", "Answer Carl: “What is the status of the migration?”"],
  ])("a question is a task to answer: %s", (content, title) => expect(titlesOf(content)).toEqual([title]));

  it.each([
    ["Could you book a table for Friday at 7pm?", "Book a table for Friday at 7pm"],
    ["Please keep the windows closed until Friday.", "Keep the windows closed until Friday"],
  ])("a date that is no deadline stays: %s", (content, title) => expect(titlesOf(content)).toEqual([title]));

  it("without a known sender it is for “them”, and a company is called by its name", () => {
    expect(titlesOf("Please send me your notes.", { from: null })).toEqual(["Send them my notes"]);
    expect(
      titlesOf("Please send us your notes.", { from: { name: "Acme Billing", email: "billing@acme.example" } }),
    ).toEqual(["Send Acme Billing my notes"]);
  });

  it("is at most 120 characters long, and cut where a clause ends", () => {
    const [title] = titlesOf(
      "Please review and sign the attached contract, which was revised yesterday by our lawyers after the long call with the other side, so that we can close the deal.",
    );
    expect(title).toBe("Review and sign the attached contract");
    const [endless = ""] = titlesOf(`Please send me ${"the very long list of names and ".repeat(8)}nothing else.`);
    expect(endless.length).toBeLessThanOrEqual(120);
    expect(endless).toMatch(/^Send Carl the very long list .*…$/);
  });
});

describe("what is not the reader's task", () => {
  it.each([
    "Can we talk about it on Tuesday at 2pm?",
    "Are you free on Friday?",
    "Let's meet on Tuesday at 3.",
    "How about lunch tomorrow?",
    "Could you join the demo on Thursday at 10?",
    "Would Monday at 9 suit you?",
  ])("a request to meet: %s", (content) => expect(titlesOf(content)).toEqual([]));

  it("a promise of the sender, which the analysis shows as something to wait for", () => {
    const content = "I will call you tomorrow to discuss my draft.";
    const [item] = understandEmail(emailOf(content)).actionItems;
    expect(item).toMatchObject({
      text: "Wait for Carl to call me to discuss their draft",
      assignee: "Carl Boss",
    });
    expect(titlesOf(content)).toEqual([]);
  });

  it("courtesies", () => {
    expect(titlesOf("Please find attached the invoice. See you on Monday. Have a nice week.")).toEqual([]);
  });
});

describe("whose task it is", () => {
  const assigneeOf = (content: string, to?: { name: string; email: string }[]) =>
    understandEmail({ ...emailOf(content), ...(to && { to }) }).actionItems[0]?.assignee;

  it("is the reader's, if the greeting or the only recipient has that name", () => {
    expect(assigneeOf("Hi Grace,\n\nGrace, please send the slides.")).toBe("you");
    expect(assigneeOf("Grace, please send the slides.", [{ name: "Grace Hopper", email: "g@example.org" }])).toBe(
      "you",
    );
    expect(assigneeOf("Grace, please send the slides.", [{ name: "Ada", email: "ada@example.org" }])).toBe("Grace");
    expect(assigneeOf("Grace, please send the slides.")).toBe("Grace");
  });
});

describe("a forwarded email", () => {
  const content = [
    "Can you take care of this?",
    "",
    "---------- Forwarded message ---------",
    "From: Tim Hall <tim@landlord.example>",
    "Date: Mon, 16 Nov 2026 at 09:00",
    "Subject: Office move",
    "To: Carl Boss <carl@example.org>",
    "",
    "Dear Carl,",
    "",
    "please return the keys by 30 November and send me the meter readings.",
  ].join("\n");

  it("is its content, and “me” is the person who wrote that part", () => {
    const tasks = tasksIn({ ...emailOf(content), subject: "Fwd: Office move" });
    expect(tasks.map(({ text, dueAt }) => [text, dueAt?.toISOString().slice(0, 10) ?? null])).toEqual([
      ["Take care of this", null],
      ["Return the keys and send Tim the meter readings", "2026-11-30"],
    ]);
    for (const { quote } of tasks) expect(content.slice(quote.start, quote.end)).toBe(quote.text);
  });
});

describe("emails of machines", () => {
  it("ask for nothing in a newsletter, a bounce or an automatic reply, whatever they say", () => {
    for (const kind of ["newsletter", "bounce", "auto_reply", "spam_like"] as const) {
      const input = { ...emailOf("Please send me your password by 5pm today. Read our top five stories."), kind };
      expect(understandEmail(input).actionItems).toEqual([]);
    }
  });

  it("ask for what they plainly ask for in a notification", () => {
    const content = "Open the document to reply. Please submit your expense report by Friday.";
    const { actionItems } = understandEmail({ ...emailOf(content), kind: "notification" });
    expect(actionItems.map(({ quote }) => quote.text)).toEqual(["Please submit your expense report by Friday."]);
  });
});

describe("text in another language", () => {
  it.each([
    ["German", "Bitte senden Sie mir den Vertrag bis Freitag. Das ist dringend."],
    ["French", "Bonjour, pourriez-vous m'envoyer le contrat avant vendredi ? Merci."],
    ["Spanish", "Hola, ¿puedes enviarme el contrato antes del viernes? Gracias."],
    ["Italian", "Ciao, puoi mandarmi il contratto entro venerdì? Grazie."],
    ["Japanese", "契約書を金曜日までに送ってください。"],
  ])("is not guessed at, and the analysis says so: %s", (language, content) => {
    const { actionItems, insights } = understandEmail(emailOf(content));
    expect(actionItems).toEqual([]);
    expect(insights[0]).toContain(`seems to be in ${language}.`);
    expect(titlesOf(content)).toEqual([]);
  });

  it("a name or two do not make", () => {
    expect(understandEmail(emailOf("Please send Die Zeit to Das Haus on Friday.")).insights.join()).not.toContain(
      "seems",
    );
  });
});
