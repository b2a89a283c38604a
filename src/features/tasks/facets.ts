import { TASK_FACETS } from "../../db/schema/tasks.ts";
import type { Match } from "../../lib/search-query.ts";
import { TASK_STATUSES } from "../../lib/task-kinds.ts";
import { anyOf, filtersOf } from "./filter-words.ts";
import { type Leg, legsOf, prioritiesOf } from "./list-plan.ts";
import type { TaskQuery } from "./schemas.ts";

/**
 * The full-text expressions of a list, by the names that `list-plan.ts` gives them. The words of the filters are those
 * that triggers make of the columns (`TASK_FACETS`).
 */
export function expressionsOf(query: TaskQuery, words: Match | undefined): Record<string, string> {
  const legs = legsOf(query);
  const priorities = prioritiesOf(query);
  const all = { statuses: legs.flatMap(({ statuses }) => statuses) };
  const named = [
    ["match", expressionOf(query, words, all, query.priority)] as const,
    ...legs.map((leg, index) => [`match${index}`, expressionOf(query, words, leg, query.priority)] as const),
    ...priorities.flatMap((priority, place) =>
      legs.map((leg, index) => [`match${index}of${place}`, expressionOf(query, words, leg, [priority])] as const),
    ),
  ];
  return Object.fromEntries(named);
}

function expressionOf(
  query: TaskQuery,
  text: Match | undefined,
  { statuses }: Leg,
  priority: TaskQuery["priority"],
): string {
  const others = filtersOf({ ...query, priority });
  // FTS5 can neither look for nothing nor leave words out of nothing, so then every status is named.
  const isAnyStatus = statuses.length === TASK_STATUSES.length && (others.length > 0 || text) && !text?.isExcept;
  const words = [...(isAnyStatus ? [] : [anyOf(TASK_FACETS.status, statuses)]), ...others];
  const facets = words.length > 0 ? `facets : (${words.join(" AND ")})` : "";
  if (!text) return facets;
  if (text.isExcept) return `${facets} NOT ${text.expression}`;
  return facets ? `${text.expression} AND ${facets}` : text.expression;
}
