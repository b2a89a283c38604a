import { TASK_STATUSES } from "../../lib/task-kinds.ts";
import { type Leg, legsOf, prioritiesOf } from "./list-plan.ts";
import type { TaskQuery } from "./schemas.ts";

/**
 * The full-text expressions of a list, by the names that `list-plan.ts` gives them. `q` is an expression already. The
 * words of the filters are those of the column `facets` in triggers/tasks.sql.
 */
export function expressionsOf(query: TaskQuery): Record<string, string> {
  const legs = legsOf(query);
  const priorities = prioritiesOf(query);
  const all = { statuses: legs.flatMap(({ statuses }) => statuses) };
  const named = [
    ["match", expressionOf(query, all, query.priority)] as const,
    ...legs.map((leg, index) => [`match${index}`, expressionOf(query, leg, query.priority)] as const),
    ...priorities.flatMap((priority, place) =>
      legs.map((leg, index) => [`match${index}of${place}`, expressionOf(query, leg, [priority])] as const),
    ),
  ];
  return Object.fromEntries(named);
}

function expressionOf(
  { source, tag, emailId, q }: TaskQuery,
  { statuses }: Leg,
  priority: TaskQuery["priority"],
): string {
  const words = [
    ...(statuses.length < TASK_STATUSES.length ? [anyOf(statuses.map((one) => `s${one.replace("_", "")}`))] : []),
    ...(priority ? [anyOf(priority.map((one) => `p${one}`))] : []),
    ...(source ? [`o${source}`] : []),
    ...(emailId === undefined ? [] : [`e${emailId}`]),
    ...(tag === undefined ? [] : [`t${hexOf(tag)}`]),
  ];
  const parts = [
    ...(q === undefined ? [] : [`{title description} : (${q})`]),
    ...(words.length > 0 ? [`facets : (${words.join(" AND ")})`] : []),
  ];
  return parts.join(" AND ");
}

function anyOf(words: readonly string[]): string {
  return `(${words.join(" OR ")})`;
}

function hexOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
