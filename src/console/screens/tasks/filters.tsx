import { useEffect, useState } from "preact/hooks";
import { navigate, withQuery } from "../../lib/router.ts";
import { tasks } from "../../messages/tasks.ts";
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

const PAUSE_MS = 250;

/** The filters stand in the address, so that they can be kept, shared and gone back to. */
export function Filters({ filters, tags }: { filters: TaskFilters; tags: readonly string[] }) {
  const [text, setText] = useState(filters.q);
  useEffect(() => setText(filters.q), [filters.q]);
  useEffect(() => {
    if (text === filters.q) return;
    const timer = setTimeout(() => navigate(withQuery({ q: text }), { replace: true }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, filters.q]);
  const choose = (name: string) => (event: { currentTarget: HTMLSelectElement }) =>
    navigate(withQuery({ [name]: event.currentTarget.value }), { replace: true });
  const lists = useTaskLists();
  const known = [...new Set([...tags, ...(filters.tag ? [filters.tag] : [])])].sort();
  return (
    <search class="filters cluster" aria-label={tasks.filters}>
      <div class="filter-search edged line">
        <Icon name="search" size={16} />
        <input
          type="search"
          aria-label={tasks.search}
          placeholder={tasks.search}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {lists.length > 0 && (
        <select class="chip" aria-label={tasks.list} value={filters.list} onChange={choose("list")}>
          <option value="">{tasks.anyList}</option>
          {lists.map(({ id, name, openTasks }) => (
            <option key={id} value={String(id)}>
              {tasks.listWithCount(name, openTasks)}
            </option>
          ))}
          <option value="none">{tasks.noList}</option>
        </select>
      )}
      {filters.list !== "" && (
        <select class="chip" aria-label={tasks.order} value={filters.isByHand ? "hand" : ""} onChange={choose("order")}>
          <option value="">{tasks.byDate}</option>
          <option value="hand">{tasks.byHand}</option>
        </select>
      )}
      <select class="chip" aria-label={tasks.priorityFilter} value={filters.priority} onChange={choose("priority")}>
        <option value="">{tasks.anyPriority}</option>
        {Object.entries(tasks.priorities)
          .toReversed()
          .map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
      </select>
      {known.length > 0 && (
        <select class="chip" aria-label={tasks.tagFilter} value={filters.tag} onChange={choose("tag")}>
          <option value="">{tasks.anyTag}</option>
          {known.map((tag) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
        </select>
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
