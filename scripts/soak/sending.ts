import { setTimeout as sleep } from "node:timers/promises";
import { MARK } from "./acts.ts";
import { type IsOver, type Part, type Select, type Stage, told } from "./part.ts";
import { countSent, sentTwice } from "./sent-emails.ts";

const PAUSE_MS = 700;
/** By then the server is in the middle of it. */
const UNDER_WAY_MS = 15;
const SCHEDULED = 0.5;
const LONGEST_WAIT_MS = 20_000;
/** What the service says of an email whose server died while it sent. */
const NOT_KNOWN = /^It is not known whether/;

/** A person who sends emails, some at once and some later. None may leave twice, and none may be forgotten. */
export function openSending({ newCaller, moments, temporary }: Stage): Part {
  const sender = newCaller("sender");
  /** What the service acknowledged: id → text. */
  const letters = new Map<number, string>();
  let scheduled = 0;
  let report = "";

  async function load(isOver: IsOver): Promise<void> {
    for (let turn = 0; !isOver(); turn++) {
      await sender.inBackground(() => send(turn));
      await sleep(PAUSE_MS);
    }
  }

  async function send(turn: number): Promise<void> {
    const text = `${MARK} letter ${turn}.`;
    const isLater = sender.random() < SCHEDULED;
    const waitMs = 5000 + sender.random() * LONGEST_WAIT_MS;
    const sendAt = isLater ? new Date(Date.now() + waitMs).toISOString() : undefined;
    const answer = sender.surely({
      method: "POST",
      path: "/api/emails/send",
      headers: { "idempotency-key": `letter-${turn}` },
      body: { to: "ann@example.com", subject: text, body: text, ...(sendAt && { sendAt }) },
    });
    await sleep(UNDER_WAY_MS);
    if (!isLater) moments.reach("an email being sent");
    const { status, body } = await answer;
    // 409: the server died in between, and the email is stored. 400: it was down until after the time to send.
    const isFine = status === 201 || status === 409 || (status === 400 && isLater);
    if (!isFine) sender.find(`sending ${text} answered ${status} ${body?.code}: ${body?.detail}`);
    if (status !== 201) return;
    letters.set(body.id, text);
    if (!isLater) return;
    scheduled += 1;
    setTimeout(() => moments.reach("a scheduled email"), waitMs).unref();
  }

  return {
    load,
    phases: ["an email being sent", "a scheduled email"],
    owed: { "scheduled emails": "SELECT count(*) AS n FROM emails WHERE delivery = 'scheduled'" },
    dueTimes: [["emails", "send_at", "delivery = 'scheduled'"]],
    finish: () => sender.finish(),
    audit(rows) {
      const sent = countSent(temporary, new RegExp(`${MARK} letter \\d+\\.`));
      report = `emails to send: ${letters.size} acknowledged, ${scheduled} of them for later; ${sent.size} left`;
      return [...sentTwice(sent), ...compareLetters(rows, letters, sent)];
    },
    figures: () => [report],
  };
}

/** What is called sent has left, and what failed says that nobody knows. What left is stored. */
function compareLetters(
  rows: Select,
  letters: ReadonlyMap<number, string>,
  sent: ReadonlyMap<string, number>,
): string[] {
  const stored = rows(`SELECT id, subject, delivery, delivery_error FROM emails WHERE subject LIKE '${MARK} letter %'`);
  const byId = new Map(stored.map((row) => [row.id, row]));
  const lost = [...letters].filter(([id, text]) => byId.get(id)?.subject !== text);
  const isFailed = ({ delivery, delivery_error }: (typeof stored)[number]) =>
    delivery === "failed" && NOT_KNOWN.test(String(delivery_error));
  const wrong = stored.filter((row) => !isFailed(row) && !(row.delivery === "sent" && sent.has(String(row.subject))));
  const subjects = new Set(stored.map(({ subject }) => subject));
  const twice = stored.length - subjects.size;
  return [
    ...lost.map(([id, text]) => `"${text}" was acknowledged as ${id} and is lost: ${told(byId.get(id))}`),
    ...wrong.map((row) => `an email was neither sent nor given up: ${told(row)}`),
    ...[...sent.keys()].filter((text) => !subjects.has(text)).map((text) => `"${text}" left and is not stored`),
    ...(twice > 0 ? [`${twice} emails are stored twice`] : []),
  ];
}
