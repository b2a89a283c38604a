import { describe, expect, it } from "vitest";
import { reminderBeforeOther } from "../../src/engine/reminder-words.ts";
import { readQuickTask } from "../../src/features/tasks/language/quick-add.ts";

/** A Monday. */
const clock = { reference: new Date("2026-11-16T10:00:00Z"), timeZone: "UTC" };
const LISTS = ["Shopping", "Home improvement"];
const read = (line: string) => readQuickTask(line, clock, LISTS);
const day = (date: string) => new Date(`${date}T23:59:59.999Z`);

describe("a line of quick add", () => {
  it("has every part, in any order", () => {
    const line = "Call Ann tomorrow 5pm #home p1 every week";
    const task = read(line);
    expect(task).toMatchObject({
      title: "Call Ann",
      due: new Date("2026-11-17T17:00:00Z"),
      rule: { rrule: "FREQ=WEEKLY", from: "due" },
      tags: ["home"],
      priority: "urgent",
    });
    for (const { text, start, end } of task.parts) expect(line.slice(start, end)).toBe(text);
    expect(task.parts.map(({ kind, text }) => [kind, text])).toEqual([
      ["due", "tomorrow 5pm"],
      ["tag", "#home"],
      ["priority", "p1"],
      ["repeat", "every week"],
    ]);
  });

  it.each([
    ["Buy milk +shopping", { title: "Buy milk", list: "Shopping" }],
    ["Buy milk to the shopping list", { title: "Buy milk", list: "Shopping" }],
    ["Paint the door +home improvement !high", { title: "Paint the door", list: "Home improvement", priority: "high" }],
    ["Plan trip +Holidays", { title: "Plan trip", list: "Holidays" }],
    ['Plan trip +"Summer 2027"', { title: "Plan trip", list: "Summer 2027" }],
    ["Add Ann to the guest list", { title: "Add Ann to the guest list", list: null }],
    ["Write report 1h30m friday", { title: "Write report", estimateMinutes: 90, due: day("2026-11-20") }],
    ["Tidy up for 30 minutes", { title: "Tidy up", estimateMinutes: 30, due: null }],
    ["Read for half an hour", { title: "Read", estimateMinutes: 30 }],
    [
      "Take the pizza out in 20m",
      { title: "Take the pizza out", estimateMinutes: null, due: new Date("2026-11-16T10:20:00Z") },
    ],
    [
      "Pay rent on the 1st of every month p2",
      {
        title: "Pay rent",
        rule: { rrule: "FREQ=MONTHLY;BYMONTHDAY=1", from: "due" },
        due: day("2026-12-01"),
        priority: "high",
      },
    ],
    [
      "Water the plants 3 days after it is done",
      { title: "Water the plants", rule: { rrule: "FREQ=DAILY;INTERVAL=3", from: "done" } },
    ],
    [
      "Standup every weekday at 9",
      { title: "Standup", rule: { rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", from: "due" } },
    ],
    [
      "Dentist thursday 3pm remind me an hour before",
      { title: "Dentist", due: new Date("2026-11-19T15:00:00Z"), reminders: [{ minutesBefore: 60 }] },
    ],
    ["remind me to call mum tomorrow", { title: "Call mum", due: day("2026-11-17") }],
    ["Meet Bob #work #Berlin tomorrow #work", { title: "Meet Bob", tags: ["work", "berlin"] }],
    [
      "Fix issue #42 p5 and call +49 170 1234567",
      { title: "Fix issue #42 p5 and call +49 170 1234567", tags: [], list: null, priority: null },
    ],
    ['Watch "Friday the 13th" tomorrow', { title: 'Watch "Friday the 13th"', due: day("2026-11-17") }],
    [
      "Buy bread",
      {
        title: "Buy bread",
        due: null,
        rule: null,
        tags: [],
        list: null,
        priority: null,
        estimateMinutes: null,
        reminders: [],
        parts: [],
      },
    ],
    ["tomorrow 5pm", { title: "", due: new Date("2026-11-17T17:00:00Z") }],
  ])("%s", (line, expected) => {
    expect(read(line)).toMatchObject(expected);
  });

  it("keeps the words of a day that does not exist, and says why", () => {
    const task = read("Pay the bill on Feb 30 #home");
    expect(task).toMatchObject({ due: null, tags: ["home"] });
    expect(task.title).toContain("Feb 30");
    expect(task.doubt).toMatch(/30 February/);
  });

  it("loses no word, whatever it is given", () => {
    const words = [
      "call",
      "tomorrow",
      "#tag",
      "+list",
      "p2",
      "30m",
      "every",
      "friday",
      "5pm",
      "!high",
      "for",
      "2",
      "hours",
      '"x',
      "at",
      "remind me",
      "before",
      "an hour",
    ];
    for (let seed = 1; seed <= 300; seed += 1) {
      const line = Array.from({ length: 9 }, (_, n) => words[(seed * (n + 3) * 7 + n * n) % words.length]).join(" ");
      const { title, parts } = read(line);
      const kept = [
        ...`${title} ${parts.map(({ text }) => text).join(" ")}`.toLowerCase().replace(/[\s,.;:!–-]+/g, ""),
      ].sort();
      expect(kept.join(""), line).toBe([...line.toLowerCase().replace(/[\s,.;:!–-]+/g, "")].sort().join(""));
      for (const part of parts) expect(line.slice(part.start, part.end)).toBe(part.text);
    }
  });
});

describe("a reminder before it", () => {
  it.each([
    ["Call Ann tomorrow 5pm remind me 1h before", [60]],
    ["Call Ann tomorrow 5pm, and remind me an hour and a half beforehand", [90]],
    ["Call Ann tomorrow 5pm #home reminder 1d before p1", [1440]],
    ["Call Ann tomorrow 5pm with a reminder fifteen minutes earlier", [15]],
    ["Call Ann remind me 1h30 before tomorrow 5pm", [90]],
    ["Call Ann tomorrow 5pm remind me a day and an hour before", [1440, 60]],
    ["Call Ann tomorrow 5pm alert me two and a half hours ahead", [150]],
    ["Call Ann tomorrow 5pm remind me an hour and 15 minutes before it is due", [75]],
    ["Call Ann tomorrow 5pm, remind me when it's due", [0]],
    ["Call Ann tomorrow 5pm remind me a week in advance", [10_080]],
  ])("is read out of “%s”", (line, minutes) => {
    const { title, reminders, due, estimateMinutes } = read(line);
    expect({ title, reminders, estimateMinutes }).toEqual({
      title: "Call Ann",
      reminders: minutes.map((minutesBefore) => ({ minutesBefore })),
      estimateMinutes: null,
    });
    expect(due?.toISOString()).toBe(read("Call Ann tomorrow 5pm").due?.toISOString());
  });

  it("is not one before something else", () => {
    expect(read("Prepare slides tomorrow 5pm remind me an hour before the meeting")).toMatchObject({ reminders: [] });
    expect(read("Write down what to say an hour before lunch").reminders).toEqual([]);
  });

  it("of something that exists names it", () => {
    expect(reminderBeforeOther("remind me an hour before the meeting with Kim")).toEqual({
      minutesBefore: [60],
      other: "the meeting with Kim",
    });
    expect(reminderBeforeOther("Remind me about the dentist 15 minutes before.")).toMatchObject({
      other: "the dentist",
    });
    expect(reminderBeforeOther("set a reminder for my flight a day and 3 hours earlier")).toEqual({
      minutesBefore: [1440, 180],
      other: "my flight",
    });
    expect(reminderBeforeOther("remind me 10 minutes before it")).toEqual({ minutesBefore: [10], other: "" });
    expect(reminderBeforeOther("remind me an hour before")).toEqual({ minutesBefore: [60], other: "" });
    for (const other of ["remind me to call Ann an hour before lunch", "remind me in 20 minutes to eat", "remind me"]) {
      expect(reminderBeforeOther(other), other).toBeNull();
    }
  });
});
