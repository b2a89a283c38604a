import { readMail } from "./mail-reading.ts";
import { type EmailScore, scoreEmail, sum } from "./mail-scoring.ts";
import { type Half, type LabelledEmail, readHalf } from "./mail-set.ts";

/** The figures of the engine on whole emails. */

export async function scoreEmails(emails: readonly LabelledEmail[]): Promise<EmailScore[]> {
  const scores: EmailScore[] = [];
  for (const email of emails) scores.push(scoreEmail(email, await readMail(email)));
  return scores;
}

export const scoreHalf = (half: Half) => scoreEmails(readHalf(half));

type Shares =
  | "kind"
  | "direct"
  | "urgency"
  | "laterUrgency"
  | "due"
  | "othersTodos"
  | "meetingDetails"
  | "deadlines"
  | "language"
  | "reply";
type Founds = "todos" | "meetings" | "codes";

const shareOf = (part: Shares) => (scores: readonly EmailScore[]) => {
  const { right, of } = sum(scores.map((score) => score[part]));
  return { score: of === 0 ? 1 : right / of, cases: of };
};

const f1Of = (part: Founds) => (scores: readonly EmailScore[]) => {
  const total = (name: "hits" | "wrong" | "missed") => scores.reduce((all, score) => all + score[part][name], 0);
  const [hits, wrong, missed] = [total("hits"), total("wrong"), total("missed")];
  const all = 2 * hits + wrong + missed;
  return { score: all === 0 ? 1 : (2 * hits) / all, cases: hits + missed };
};

/** Each figure with its name, its heading in a table by topic, and its label in the documentation. */
export const MAIL_FIGURES = [
  {
    name: "whole",
    heading: "all right",
    label: "Whole email: everything below but the reply is right",
    of: (scores: readonly EmailScore[]) => ({
      score: scores.filter(({ errors }) => errors.length === 0).length / scores.length,
      cases: scores.length,
    }),
  },
  { name: "kind", heading: "kind", label: "Kind", of: shareOf("kind") },
  { name: "direct", heading: "direct", label: "Direct, bulk or automatic", of: shareOf("direct") },
  { name: "urgency", heading: "urgency", label: "Urgency on arrival", of: shareOf("urgency") },
  {
    name: "laterUrgency",
    heading: "later",
    label: "Urgency the day before a due date, and after it",
    of: shareOf("laterUrgency"),
  },
  { name: "todos", heading: "items", label: "Action items (F1)", of: f1Of("todos") },
  { name: "due", heading: "due", label: "Due dates of the action items found", of: shareOf("due") },
  {
    name: "othersTodos",
    heading: "others'",
    label: "What others have to do is not given to the reader",
    of: shareOf("othersTodos"),
  },
  { name: "meetings", heading: "meetings", label: "Meetings with their start (F1)", of: f1Of("meetings") },
  {
    name: "meetingDetails",
    heading: "details",
    label: "Title, end and place of the meetings found",
    of: shareOf("meetingDetails"),
  },
  {
    name: "deadlines",
    heading: "no mix-up",
    label: "Emails with a due date in which none is taken for a meeting",
    of: shareOf("deadlines"),
  },
  { name: "codes", heading: "codes", label: "One-time codes and sign-in links (F1)", of: f1Of("codes") },
  { name: "language", heading: "language", label: "Language", of: shareOf("language") },
  {
    name: "reply",
    heading: "reply",
    label: "Draft of a reply: in the language of the email, and says what the instruction says",
    of: shareOf("reply"),
  },
] as const;

const percent = (score: number) => `${(100 * score).toFixed(1)}`;

/** The figures by topic, by language and in total. */
export function mailTable(scores: readonly EmailScore[]): string {
  const rows = [
    ...groups(scores, ({ topic }) => topic),
    ...groups(scores, ({ language }) => language),
    ["all", scores] as const,
  ];
  const cells = rows.map(([name, own]) => [
    name.padEnd(12),
    `${own.length}`.padStart(5),
    ...MAIL_FIGURES.map(({ heading, of }) => {
      const { score, cases } = of(own);
      return (cases === 0 ? "-" : percent(score)).padStart(Math.max(heading.length, 5));
    }),
  ]);
  const head = ["".padEnd(12), "cases", ...MAIL_FIGURES.map(({ heading }) => heading.padStart(5))];
  return [head, ...cells].map((row) => row.join("  ")).join("\n");
}

function groups(scores: readonly EmailScore[], nameOf: (email: LabelledEmail) => string) {
  const found = new Map<string, EmailScore[]>();
  for (const score of scores) found.set(nameOf(score.email), [...(found.get(nameOf(score.email)) ?? []), score]);
  return [...found].sort(([a], [b]) => a.localeCompare(b));
}

export function mailErrors(scores: readonly EmailScore[]): string {
  const failed = scores.filter(({ errors }) => errors.length > 0);
  return failed
    .map(({ email, errors }) =>
      [`${email.id}: ${email.headers.get("subject") ?? ""}`, ...errors.map((each) => `  ${each}`)].join("\n"),
    )
    .join("\n");
}

/** The table in the documentation: totals only, since nobody may look into the half kept aside. */
export function halvesTable(visible: readonly EmailScore[], aside: readonly EmailScore[]): string {
  const rows = MAIL_FIGURES.map(({ label, of }) => {
    const [seen, kept] = [of(visible), of(aside)];
    return `| ${label} | ${seen.cases} | ${percent(seen.score)} % | ${kept.cases} | ${percent(kept.score)} % |`;
  });
  return ["| measure | visible | right, or F1 | aside | right, or F1 |", "|---|---:|---:|---:|---:|", ...rows].join(
    "\n",
  );
}
