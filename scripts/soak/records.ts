import { setTimeout as sleep } from "node:timers/promises";
import { type Ledger, MARK, newLedger, nextAct } from "./acts.ts";
import { type IsOver, type Part, type Select, type Stage, told } from "./part.ts";

const CALLERS = 6;
/** Between two acts. When the queue is behind, the pause is longer. */
const PAUSE_MS = 40;
const BEHIND_MS = 500;

/** Callers that create, change and delete tasks, emails and events, each its own. */
export function openRecords({ newCaller, isBehind }: Stage): Part & { ledgers: readonly Ledger[] } {
  const ledgers = Array.from({ length: CALLERS }, newLedger);
  const callers = ledgers.map((_, index) => newCaller(`caller ${index}`));

  async function work(index: number, isOver: IsOver): Promise<void> {
    const [caller, ledger] = [callers[index], ledgers[index]];
    for (let turn = 0; caller && ledger && !isOver(); turn++) {
      await nextAct(caller).run(caller, ledger, `${index}-${turn}`);
      await sleep(isBehind() ? BEHIND_MS : PAUSE_MS);
    }
  }

  const sum = (count: (ledger: Ledger) => number) => ledgers.reduce((total, ledger) => total + count(ledger), 0);
  return {
    ledgers,
    load: (isOver) => Promise.all(ledgers.map((_, index) => work(index, isOver))),
    phases: ["a request"],
    // A creation whose server died is asked for again under its key until there is an answer.
    finish: () => Promise.all(callers.map((caller) => caller.finish())),
    rules: {
      "no email is without the count of its thread":
        "SELECT id FROM emails WHERE has_thread_count AND thread_id NOT IN (SELECT id FROM threads)",
      "no email is there twice": "SELECT message_key FROM emails GROUP BY message_key HAVING count(*) > 1",
      "no task is there twice": `
        SELECT title FROM tasks WHERE title LIKE '${MARK} task %' GROUP BY title HAVING count(*) > 1`,
      "no event is there twice": `
        SELECT title FROM events WHERE title LIKE '${MARK} event %' GROUP BY title HAVING count(*) > 1`,
    },
    audit: (rows) => ledgers.flatMap((ledger) => compareLedger(rows, ledger)),
    figures: () => [
      `acknowledged: ${sum(({ tasks }) => tasks.size)} tasks, ${sum(({ deletedTasks }) => deletedTasks.size)} deletions of tasks, ${sum(({ emails }) => emails.size)} emails, ${sum(({ events }) => events.size)} events; ${sum(({ repeats }) => repeats)} creations repeated under their key`,
    ],
  };
}

function compareLedger(rows: Select, ledger: Ledger): string[] {
  const findings: string[] = [];
  const tasks = new Map(rows("SELECT id, title, status FROM tasks").map((row) => [row.id, row]));
  for (const [id, { title, status }] of ledger.tasks) {
    const row = tasks.get(id);
    if (row?.title !== title || row.status !== status) findings.push(`task ${id} is lost or wrong: ${told(row)}`);
  }
  for (const id of ledger.deletedTasks) if (tasks.has(id)) findings.push(`task ${id} was deleted and is there`);
  const emails = new Map(rows("SELECT message_id, id, is_read FROM emails").map((row) => [row.message_id, row]));
  for (const [messageId, { id, isRead }] of ledger.emails) {
    const row = emails.get(messageId);
    if (row?.id !== id || row.is_read !== Number(isRead)) findings.push(`email ${id} is lost or wrong: ${told(row)}`);
  }
  const events = new Map(rows("SELECT id, title, start_at, status FROM events").map((row) => [row.id, row]));
  for (const [id, { title, start, status }] of ledger.events) {
    const row = events.get(id);
    const isRight = row?.title === title && row.start_at === Date.parse(start) && row.status === status;
    if (!isRight) findings.push(`event ${id} is lost or wrong: ${told(row)}`);
  }
  return findings;
}
