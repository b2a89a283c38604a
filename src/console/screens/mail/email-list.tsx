import { useEffect, useRef } from "preact/hooks";
import type { ListResult } from "../../client/queries.ts";
import { withQuery } from "../../lib/router.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { mail as m } from "../../messages/mail.ts";
import { Empty, LoadFailure, Skeleton } from "../../ui/states.tsx";
import { BOX_ICONS, type BoxName, type Email } from "./boxes.ts";
import { EmailRow } from "./email-row.tsx";
import { selected, toggleSelected } from "./selection.ts";

interface EmailListProps {
  box: BoxName;
  list: ListResult<Email>;
  openId: number | null;
  isFiltered: boolean;
  habits: TimeHabits;
  now: Date;
}

export function EmailList({ box, list, openId, isFiltered, habits, now }: EmailListProps) {
  const { records, error, retry, hasMore, loadMore, isLoadingMore } = list;
  if (error) return <LoadFailure error={error} retry={retry} />;
  if (!records) return <Skeleton rows={9} />;
  if (records.length === 0 && !hasMore) {
    const [title, text] = isFiltered ? [m.emptyFiltered, m.emptyFilteredText] : m.empty[box];
    return (
      <Empty icon={isFiltered ? "search" : BOX_ICONS[box]} title={title ?? ""}>
        {text}
      </Empty>
    );
  }
  const ids = records.map(({ id }) => id);
  return (
    <>
      <ul class="emails" aria-label={m.listName}>
        {records.map((email) => (
          <EmailRow
            key={email.id}
            email={email}
            href={withQuery({}, `/app/mail/${box}/${email.id}`)}
            habits={habits}
            now={now}
            isOpen={email.id === openId}
            isSelected={selected.value.has(email.id)}
            onSelect={(through) => toggleSelected(email.id, { through, ids })}
          />
        ))}
      </ul>
      {hasMore && <More isLoading={isLoadingMore} load={loadMore} />}
    </>
  );
}

/** Loads the next page by itself shortly before its end is seen; the button is for those who do not scroll. */
function More({ isLoading, load }: { isLoading: boolean; load(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (isLoading || !button.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
      },
      { rootMargin: "600px" },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isLoading]);
  return (
    <button ref={button} type="button" class="button quiet" aria-busy={isLoading} onClick={load}>
      {m.more}
    </button>
  );
}
