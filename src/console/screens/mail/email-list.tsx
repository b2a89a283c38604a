import type { ListResult } from "../../client/queries.ts";
import { useStable } from "../../lib/memo.ts";
import { withQuery } from "../../lib/router.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { mail as m } from "../../messages/mail.ts";
import { NextRows } from "../../ui/next-rows.tsx";
import { Empty, LoadFailure, Skeleton } from "../../ui/states.tsx";
import { Windowed } from "../../ui/windowed.tsx";
import { BOX_ICONS, type BoxName, type Email } from "./boxes.ts";
import { EmailRow } from "./email-row.tsx";
import { selected, toggleSelected } from "./selection.ts";

const ROW_PX = 84;

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
  const select = useStable((email: Email, through: boolean) =>
    toggleSelected(email.id, { through, ids: records?.map(({ id }) => id) ?? [] }),
  );
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
  const search = withQuery({}, "");
  return (
    <>
      <ul class="emails" aria-label={m.listName}>
        <Windowed items={records} guess={ROW_PX}>
          {(email) => (
            <EmailRow
              key={email.id}
              email={email}
              href={`/app/mail/${box}/${email.id}${search}`}
              habits={habits}
              now={now}
              isOpen={email.id === openId}
              isSelected={selected.value.has(email.id)}
              onSelect={select}
            />
          )}
        </Windowed>
      </ul>
      {hasMore && <NextRows label={m.more} isLoading={isLoadingMore} load={loadMore} />}
    </>
  );
}
