import { sql } from "drizzle-orm";
import { eraseAll, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { taskColumns, tasks, taskTotals } from "../../db/schema/tasks.ts";
import { toTask } from "./record.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "tasks",
    ownersOnly: true,
    pages: tablePages(tasks, { columns: taskColumns, map: toTask }),
    archive: {
      table: tasks,
      reserve: ({ db }, lastId) => [db.update(taskTotals).set({ lastId: sql`max(last_id, ${lastId})` })],
    },
    erase: ({ db }) => eraseAll(db, tasks, "tasks_search", "tasks_by_due"),
  },
];
