import { useEffect, useState } from "preact/hooks";
import { navigate, withQuery } from "../../lib/router.ts";
import { mail as m } from "../../messages/mail.ts";
import { SearchFilter, SelectFilter } from "../../ui/filters.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { BoxName } from "./boxes.ts";
import { isFiltered, type MailFilters, useTags } from "./use-mail.ts";

export const SEARCH_ID = "mail-search";

type Hints = typeof import("./search-hints.ts");

/** Not in the first load: nobody types before it is there, and nothing is lost without them. */
function useHints(): Partial<Pick<Hints, "hintsAt">> {
  const [hints, setHints] = useState<Partial<Pick<Hints, "hintsAt">>>({});
  useEffect(() => {
    import("./search-hints.ts").then(
      ({ hintsAt }) => setHints({ hintsAt }),
      () => {},
    );
  }, []);
  return hints;
}

export function Filters({ box, filters }: { box: BoxName; filters: MailFilters }) {
  const path = `/app/mail/${box}`;
  const hints = useHints();
  const tags = [...new Set([...useTags(), ...(filters.tag ? [filters.tag] : [])])].sort();
  return (
    <search class="filters cluster" aria-label={m.filters}>
      <SearchFilter
        id={SEARCH_ID}
        label={m.search}
        title={m.searchHint}
        value={filters.q}
        path={path}
        hasPeople
        {...hints}
      />
      <button
        type="button"
        class="chip"
        aria-pressed={filters.unread}
        onClick={() => navigate(withQuery({ unread: filters.unread ? null : "true" }, path), { replace: true })}
      >
        {m.unreadOnly}
      </button>
      {tags.length > 0 && (
        <SelectFilter
          label={m.tagFilter}
          name="tag"
          value={filters.tag}
          path={path}
          options={[["", m.anyTag], ...tags.map((tag) => [tag, tag] as const)]}
        />
      )}
      {isFiltered(filters) && (
        <a class="chip" href={path}>
          <Icon name="close" size={14} />
          {m.clearFilters}
        </a>
      )}
    </search>
  );
}
