import { tasks } from "../../messages/tasks.ts";
import { SearchFilter, SelectFilter } from "../../ui/filters.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type TaskFilters, useTaskLists } from "./use-tasks.ts";

export function filtersOf(query: URLSearchParams): TaskFilters {
  return {
    q: query.get("q") ?? "",
    tag: query.get("tag") ?? "",
    priority: query.get("priority") ?? "",
    list: query.get("list") ?? "",
    // Each list has an order of its own, and a search has none.
    isByHand:
      query.get("order") === "hand" && query.has("list") && ["q", "tag", "priority"].every((name) => !query.get(name)),
  };
}

export function isFiltered({ q, tag, priority, list }: TaskFilters): boolean {
  return q !== "" || tag !== "" || priority !== "" || list !== "";
}

export function Filters({ filters, tags }: { filters: TaskFilters; tags: readonly string[] }) {
  const lists = useTaskLists();
  const known = [...new Set([...tags, ...(filters.tag ? [filters.tag] : [])])].sort();
  return (
    <search class="filters cluster" aria-label={tasks.filters}>
      <SearchFilter label={tasks.search} value={filters.q} />
      {lists.length > 0 && (
        <SelectFilter
          label={tasks.list}
          name="list"
          value={filters.list}
          options={[
            ["", tasks.anyList],
            ...lists.map(({ id, name, openTasks }) => [String(id), tasks.listWithCount(name, openTasks)] as const),
            ["none", tasks.noList],
          ]}
        />
      )}
      {filters.list !== "" && (
        <SelectFilter
          label={tasks.order}
          name="order"
          value={filters.isByHand ? "hand" : ""}
          options={[
            ["", tasks.byDate],
            ["hand", tasks.byHand],
          ]}
        />
      )}
      <SelectFilter
        label={tasks.priorityFilter}
        name="priority"
        value={filters.priority}
        options={[["", tasks.anyPriority], ...Object.entries(tasks.priorities).toReversed()]}
      />
      {known.length > 0 && (
        <SelectFilter
          label={tasks.tagFilter}
          name="tag"
          value={filters.tag}
          options={[["", tasks.anyTag], ...known.map((tag) => [tag, tag] as const)]}
        />
      )}
      {isFiltered(filters) && (
        <a class="chip" href="/app/tasks">
          <Icon name="close" size={14} />
          {tasks.clearFilters}
        </a>
      )}
    </search>
  );
}
