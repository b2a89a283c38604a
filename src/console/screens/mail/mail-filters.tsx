import { useEffect, useState } from "preact/hooks";
import { navigate, withQuery } from "../../lib/router.ts";
import { mail as m } from "../../messages/mail.ts";
import { Icon } from "../../ui/icon.tsx";
import type { BoxName } from "./boxes.ts";
import { isFiltered, type MailFilters, useTags } from "./use-mail.ts";

const PAUSE_MS = 250;
export const SEARCH_ID = "mail-search";

/** The filters stand in the address, so that they can be kept, shared and gone back to. */
export function Filters({ box, filters }: { box: BoxName; filters: MailFilters }) {
  const path = `/app/mail/${box}`;
  const [text, setText] = useState(filters.q);
  useEffect(() => setText(filters.q), [filters.q]);
  useEffect(() => {
    if (text === filters.q) return;
    const timer = setTimeout(() => navigate(withQuery({ q: text }, path), { replace: true }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, filters.q, path]);
  const tags = [...new Set([...useTags(), ...(filters.tag ? [filters.tag] : [])])].sort();
  return (
    <search class="filters cluster" aria-label={m.filters}>
      <div class="filter-search edged line">
        <Icon name="search" size={16} />
        <input
          id={SEARCH_ID}
          type="search"
          aria-label={m.search}
          placeholder={m.search}
          title={m.searchHint}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <button
        type="button"
        class="chip"
        aria-pressed={filters.unread}
        onClick={() => navigate(withQuery({ unread: filters.unread ? null : "true" }, path), { replace: true })}
      >
        {m.unreadOnly}
      </button>
      {tags.length > 0 && (
        <select
          class="chip"
          aria-label={m.tagFilter}
          value={filters.tag}
          onChange={(event) => navigate(withQuery({ tag: event.currentTarget.value }, path), { replace: true })}
        >
          <option value="">{m.anyTag}</option>
          {tags.map((tag) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
        </select>
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
