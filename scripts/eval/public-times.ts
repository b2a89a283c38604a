import { detectIn } from "../../src/engine/email/intelligence.ts";
import { readData } from "../public-data.ts";
import { measure } from "../train/request-model.ts";
import {
  type DucklingCase,
  type FoundTime,
  isDucklingRight,
  isRecognizerRight,
  type RecognizerCase,
} from "./public-scoring.ts";
import type { Figure } from "./report.ts";

/** Duckling's corpus is read at this moment, in a zone that is always two hours behind UTC. */
const DUCKLING = { reference: new Date("2013-02-12T04:30:00-02:00"), timeZone: "Atlantic/South_Georgia" };
const DUCKLING_OFFSET_MS = -2 * 3_600_000;
/** Meetings are read at this moment; the sets do not depend on it. */
const TODAY = { reference: new Date("2026-11-18T10:00:00Z"), timeZone: "UTC" };

function timesIn(content: string, clock: { reference: Date; timeZone: string }, offset: number): FoundTime[] {
  const times = detectIn({ content, ...clock }).signals.filter(({ kind }) => kind === "time");
  return times.map(({ start, end, resolved }) => ({
    start,
    end,
    from: resolved ? resolved.start.getTime() + offset : null,
    to: resolved?.end ? resolved.end.getTime() + offset : null,
    grain: resolved?.grain ?? "",
  }));
}

const share = <Case>(
  name: string,
  cases: readonly Case[],
  isRight: (item: Case) => boolean,
  baseline = "",
): Figure => ({
  name,
  cases: cases.length,
  score: cases.filter(isRight).length / cases.length,
  baseline,
});

/** Dates by the rules of the two public corpora, and meetings in requests and emails. */
export function publicTimeFigures(): Figure[] {
  const isRight = (item: RecognizerCase) => {
    const reference = new Date(`${item.ref.slice(0, 19)}Z`);
    return isRecognizerRight(item, timesIn(item.input, { reference, timeZone: "UTC" }, 0));
  };
  const isDuckling = (item: DucklingCase) => isDucklingRight(item, timesIn(item.input, DUCKLING, DUCKLING_OFFSET_MS));
  const more = readData<RecognizerCase[]>("datetime_dev2.json");
  const duckling = readData<DucklingCase[]>("datetime_duckling_dev.json");
  const requests = readData<{ text: string; kind: string }[]>("meeting_dev.json");
  const emails = readData<{ text: string; meeting: boolean }[]>("mail_meetings_dev.json");
  const detected = (text: string) => detectIn({ content: text, ...TODAY }).detected;
  const f1 = <Case extends { text: string }>(
    name: string,
    cases: Case[],
    isMeeting: (item: Case) => boolean,
    baseline: string,
  ) => {
    const { f1: score, ...rest } = measure(
      cases.map((item) => ({ truth: isMeeting(item), guess: detected(item.text) })),
    );
    return { name, cases: cases.length, score, ...rest, baseline };
  };
  return [
    share(
      "Recognizers-Text: dates, times, ranges",
      readData<RecognizerCase[]>("datetime_dev.json"),
      isRight,
      "66 % Recognizers-Text, 45 % chrono-node",
    ),
    share(
      "Recognizers-Text: harder dates",
      more.filter(({ group }) => group === "core"),
      isRight,
      "74 % Recognizers-Text, 34 % chrono-node",
    ),
    share(
      "Recognizers-Text: harder ranges",
      more.filter(({ group }) => group === "daterange"),
      isRight,
      "60 % Recognizers-Text, 20 % chrono-node",
    ),
    share(
      "Duckling: points in time",
      duckling.filter(({ kind }) => kind === "point"),
      isDuckling,
      "62 % Recognizers-Text, 48 % chrono-node",
    ),
    share(
      "Duckling: intervals",
      duckling.filter(({ kind }) => kind === "interval"),
      isDuckling,
      "75 % Recognizers-Text, 28 % chrono-node",
    ),
    share(
      "Duckling: not a time",
      duckling.filter(({ kind }) => kind === "negative"),
      isDuckling,
    ),
    f1(
      "SMCalFlow: requests for a meeting (F1)",
      requests,
      ({ kind }) => kind === "create_event",
      "89 % linear model on the same set",
    ),
    f1(
      "MailEx and EmailIntent: meetings in emails (F1)",
      emails,
      ({ meeting }) => meeting,
      "64 % linear model on the same set",
    ),
  ];
}
