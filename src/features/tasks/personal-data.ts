import { eraseAll, type PersonalData, walk } from "../../db/personal-data.ts";
import { tasks } from "../../db/schema/tasks.ts";
import { toTask } from "./record.ts";

const storedTasks: PersonalData = {
  name: "tasks",
  ownersOnly: true,
  async *pages({ db }) {
    const pages = walk<typeof tasks.$inferSelect>(
      tasks.id,
      ({ id }) => id,
      (where, order, limit) => db.select().from(tasks).where(where).orderBy(order).limit(limit),
    );
    for await (const rows of pages) yield rows.map(toTask);
  },
  erase: ({ db }) => eraseAll(db, tasks, "tasks_search"),
};

export const personalData: readonly PersonalData[] = [storedTasks];
