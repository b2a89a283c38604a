import { describe, expect, it } from "vitest";
import { findDates } from "../../src/engine/dates/find-dates.ts";
import { detectIn } from "../../src/engine/email/intelligence.ts";
import { languageIn } from "../../src/engine/languages/language.ts";
import { toWall } from "../../src/lib/time-zone.ts";
import phrases from "../data/languages.json";

/** A Wednesday, eleven in the morning in Berlin. */
const CLOCK = { reference: new Date("2026-11-18T10:00:00Z"), timeZone: "Europe/Berlin" };

const local = (moment: Date) =>
  new Date(toWall(CLOCK.timeZone, moment.getTime())).toISOString().slice(0, 16).replace("T", " ").replace(" 00:00", "");

function readingOf(text: string): string {
  const { dates } = findDates(text, CLOCK);
  expect(dates, text).toHaveLength(1);
  const [found] = dates;
  if (!found?.from) return `${found?.durationMinutes} minutes`;
  const isRange = found.to !== null && found.type !== "date" && found.type !== "set";
  return isRange && found.to ? `${local(found.from)} to ${local(found.to)}` : local(found.from);
}

describe.each(Object.entries(phrases))("in %s", (language, cases) => {
  it.each(Object.entries(cases))("“%s” is %s", (text, expected) => {
    expect(languageIn(text)).toBe(language);
    expect(readingOf(text)).toBe(expected);
  });

  it("has at least sixty phrases", () => {
    expect(Object.keys(cases).length).toBeGreaterThanOrEqual(60);
  });
});

describe("meeting requests in other languages", () => {
  it.each([
    ["de", "Können wir uns am Donnerstag um 15 Uhr treffen?", "2026-11-19T14:00:00.000Z", true],
    ["de", "Die Besprechung findet am Montag um 10 Uhr in Raum 204 statt.", "2026-11-23T09:00:00.000Z", false],
    ["de", "Hast du morgen um 12 Uhr Zeit für ein Mittagessen?", "2026-11-19T11:00:00.000Z", true],
    ["fr", "Pouvons-nous nous voir jeudi à 15h ?", "2026-11-19T14:00:00.000Z", true],
    ["fr", "La réunion aura lieu lundi à 10h en salle 3.", "2026-11-23T09:00:00.000Z", false],
    ["fr", "Êtes-vous disponible demain à 14h pour un appel ?", "2026-11-19T13:00:00.000Z", true],
    ["es", "¿Podemos reunirnos el jueves a las 15:00?", "2026-11-19T14:00:00.000Z", true],
    ["es", "La reunión tendrá lugar el lunes a las 10:00.", "2026-11-23T09:00:00.000Z", false],
    ["es", "¿Te viene bien mañana a las 3 para una llamada?", "2026-11-19T14:00:00.000Z", true],
  ])("%s: %s", (language, content, start, proposed) => {
    const found = detectIn({ content, ...CLOCK });
    expect(found.language).toBe(language);
    expect(found.meetings.map((meeting) => [meeting.start.toISOString(), meeting.proposed])).toEqual([
      [start, proposed],
    ]);
  });

  it.each([
    "Bitte senden Sie mir den Bericht bis Freitag.",
    "Der Termin am Freitag um 9 Uhr wird abgesagt.",
    "Merci d'envoyer le rapport avant vendredi.",
    "Por favor, envíame el informe antes del viernes.",
    "La facture est du 3 décembre.",
  ])("finds none in “%s”", (content) => {
    expect(detectIn({ content, ...CLOCK }).detected).toBe(false);
  });
});

describe("the language of a text", () => {
  it.each([
    ["en", "Can we meet on Friday?"],
    ["en", "friday 17 Uhr"],
    ["en", "4pm CET"],
    ["en", "3/12/2026"],
    ["en", "See you at La Mesa on Saturday"],
    ["de", "Guten Morgen, wie geht es Ihnen?"],
    ["fr", "Bonjour, comment allez-vous ?"],
    ["es", "Hola, ¿cómo estás?"],
    [
      null,
      "Dzień dobry, chciałbym zapytać, czy jutro o piętnastej moglibyśmy się spotkać, żeby omówić nowy projekt i budżet działu na przyszły rok",
    ],
  ])("%s: %s", (language, text) => {
    expect(languageIn(text)).toBe(language);
  });

  it("decides the order of day and month", () => {
    expect(readingOf("am 3/12/2026 um 10 Uhr")).toBe("2026-12-03 10:00");
  });

  it("says in English that a day does not exist", () => {
    expect(findDates("am 30. Februar", CLOCK).dates[0]).toMatchObject({
      from: null,
      doubt: "There is no 30 February.",
    });
  });
});
