import "../../base.ts";
import { useEffect, useState } from "preact/hooks";
import { useHabits, useNow } from "../../client/profile.ts";
import { useStable } from "../../lib/memo.ts";
import { navigate, withQuery } from "../../lib/router.ts";
import { tasks as m } from "../../messages/tasks.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { Button } from "../../ui/button.tsx";
import { NextRows } from "../../ui/next-rows.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { changeTasks } from "./bulk-changes.ts";
import { Filters, filtersOf, isFiltered } from "./filters.tsx";
import { DoneGroup, TaskGroup } from "./groups.tsx";
import { OrderedList } from "./ordered-list.tsx";
import { QuickAdd } from "./quick-add.tsx";
import { endSelection, isSelecting, selected, toggleSelected } from "./selection.ts";
import { arrange, OPEN_GROUPS, type Task } from "./task.ts";
import { deleteTasks } from "./task-changes.ts";
import { useTaskKeys } from "./task-keys.ts";
import { TaskSheet } from "./task-sheet.tsx";
import { useTasks } from "./use-tasks.ts";

export default function Tasks({ params, query }: ScreenProps) {
  const habits = useHabits();
  const now = useNow();
  const filters = filtersOf(query);
  const [showsDone, setShowsDone] = useState(false);
  const open = useTasks("open", filters);
  const done = useTasks("done", filters, showsDone);
  const groups = arrange(habits, now, open.records ?? []);
  const all = [...(open.records ?? []), ...(done.records ?? [])];
  const inOrder = OPEN_GROUPS.flatMap((group) => groups.get(group) ?? []);
  const byHand = open.records?.toSorted((a, b) => a.position - b.position || a.id - b.id) ?? [];
  const ids = (filters.isByHand ? byHand : inOrder).map(({ id }) => id);
  const findTicked = () => all.filter(({ id }) => selected.value.has(id));
  const ticked = findTicked();
  const select = useStable((task: Task, through?: boolean) =>
    toggleSelected(task.id, { through: through ?? false, ids }),
  );
  const search = withQuery({ add: null }, "");
  // What is ticked in one list is not meant in another.
  useEffect(() => endSelection, [filters.list]);
  useTaskKeys(all, {
    ticked: findTicked,
    onSelect: select,
    onEnd: endSelection,
    complete: (tasks) => changeTasks(tasks, { status: "done" }, m.allDone(tasks.length)),
    remove: (tasks) => {
      deleteTasks(tasks, m.allDeleted(tasks.length));
      endSelection();
    },
  });
  const isEmpty = open.records?.length === 0;
  const close = () => navigate(withQuery({ add: null }, "/app/tasks"));
  return (
    <Page
      heading={m.heading}
      class="tasks-page"
      actions={
        !isEmpty && (
          <Button
            icon="list"
            aria-pressed={isSelecting.value}
            onClick={() => {
              if (isSelecting.value) endSelection();
              else isSelecting.value = true;
            }}
          >
            {m.selectSeveral}
          </Button>
        )
      }
    >
      <QuickAdd autofocus={query.has("add")} />
      <Filters filters={filters} tags={[...new Set(all.flatMap(({ tags }) => tags))]} />
      {ticked.length > 0 && <BulkBar tasks={ticked} habits={habits} now={now} />}
      {!open.records && <Pending of={open} rows={8} />}
      {isEmpty && !isFiltered(filters) && <Empty icon="tasks" title={m.emptyTitle} text={m.emptyText} />}
      {isEmpty && isFiltered(filters) && <Empty icon="search" title={m.emptyFiltered} text={m.emptyFilteredText} />}
      {filters.isByHand ? (
        <OrderedList
          tasks={byHand}
          habits={habits}
          now={now}
          isSelecting={isSelecting.value}
          search={search}
          onSelect={select}
        />
      ) : (
        OPEN_GROUPS.map((group) => (
          <TaskGroup
            key={group}
            group={group}
            tasks={groups.get(group) ?? []}
            habits={habits}
            now={now}
            search={search}
            onSelect={select}
          />
        ))
      )}
      {open.hasMore && <NextRows label={m.more} isLoading={open.isLoadingMore} load={open.loadMore} />}
      {open.records && (
        <DoneGroup
          list={done}
          isShown={showsDone}
          search={search}
          onToggle={() => setShowsDone(!showsDone)}
          habits={habits}
          now={now}
        />
      )}
      {params.id !== undefined && <TaskSheet key={params.id} id={Number(params.id)} onClose={close} />}
    </Page>
  );
}
