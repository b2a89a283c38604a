import { sql } from "drizzle-orm";
import { eraseAll, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { taskColumns, taskLists, tasks, taskTotals, taskUndos } from "../../db/schema/tasks.ts";
import { toList } from "./lists/service.ts";
import { toTask } from "./record.ts";

export const personalData: readonly PersonalData[] = [
  // Before the tasks: triggers count them as they are imported.
  {
    name: "taskLists",
    ownersOnly: true,
    pages: tablePages(taskLists, { map: toList }),
    archive: {
      table: taskLists,
      leaveOut: ["openTasks", "totalTasks"],
      complete: (_, row) => ({ ...row, openTasks: 0, totalTasks: 0 }),
    },
    erase: ({ db }) => eraseAll(db, taskLists),
  },
  {
    name: "tasks",
    ownersOnly: true,
    pages: tablePages(tasks, { columns: taskColumns, map: toTask }),
    archive: {
      table: tasks,
      // Deleted events are not imported, and another service may give their ids to new ones.
      leaveOut: ["subtasksTotal", "subtasksDone", "lostEventId"],
      complete: (_, row) => ({
        ...row,
        outside: row.outside === true || row.emailId !== null || row.source === "email",
      }),
      reserve: ({ db }, lastId) => [db.update(taskTotals).set({ lastId: sql`max(last_id, ${lastId})` })],
    },
    erase: ({ db }) => eraseAll(db, tasks, "tasks_search", "tasks_by_due"),
  },
  {
    name: "taskUndos",
    ownersOnly: true,
    archive: { notImported: "A change can be undone for a day, in the service where it was made." },
    erase: ({ db }) => eraseAll(db, taskUndos),
  },
];
