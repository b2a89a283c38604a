import { useState } from "preact/hooks";
import { useHabits, useNow } from "../../client/profile.ts";
import { navigate, withQuery } from "../../lib/router.ts";
import { tasks as m } from "../../messages/tasks.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { Page } from "../../ui/page.tsx";
import { Empty, LoadFailure, Skeleton } from "../../ui/states.tsx";
import { Filters, filtersOf, isFiltered } from "./filters.tsx";
import { DoneGroup, TaskGroup } from "./groups.tsx";
import { QuickAdd } from "./quick-add.tsx";
import { arrange, OPEN_GROUPS } from "./task.ts";
import { useTaskKeys } from "./task-keys.ts";
import { TaskSheet } from "./task-sheet.tsx";
import { useDoneTasks, useOpenTasks } from "./use-tasks.ts";

export default function Tasks({ params, query }: ScreenProps) {
  const habits = useHabits();
  const now = useNow();
  const filters = filtersOf(query);
  const [showsDone, setShowsDone] = useState(false);
  const open = useOpenTasks(filters);
  const done = useDoneTasks(filters, showsDone);
  const groups = arrange(habits, now, open.records ?? []);
  const all = [...(open.records ?? []), ...(done.records ?? [])];
  useTaskKeys(all);
  const isEmpty = open.records?.length === 0;
  const close = () => navigate(withQuery({ add: null }, "/app/tasks"));
  return (
    <Page heading={m.heading} class="tasks-page">
      <QuickAdd autofocus={query.has("add")} />
      <Filters filters={filters} tags={[...new Set(all.flatMap(({ tags }) => tags))]} />
      {open.error && <LoadFailure error={open.error} retry={open.retry} />}
      {!open.records && !open.error && <Skeleton rows={8} />}
      {isEmpty && !isFiltered(filters) && (
        <Empty icon="tasks" title={m.emptyTitle}>
          {m.emptyText}
        </Empty>
      )}
      {isEmpty && isFiltered(filters) && (
        <Empty icon="search" title={m.emptyFiltered}>
          {m.emptyFilteredText}
        </Empty>
      )}
      {OPEN_GROUPS.map((group) => (
        <TaskGroup key={group} group={group} tasks={groups.get(group) ?? []} habits={habits} now={now} />
      ))}
      {open.hasMore && (
        <button type="button" class="button quiet" onClick={open.loadMore}>
          {m.more}
        </button>
      )}
      {open.records && (
        <DoneGroup
          list={done}
          isShown={showsDone}
          onToggle={() => setShowsDone(!showsDone)}
          habits={habits}
          now={now}
        />
      )}
      {params.id !== undefined && <TaskSheet key={params.id} id={Number(params.id)} onClose={close} />}
    </Page>
  );
}
