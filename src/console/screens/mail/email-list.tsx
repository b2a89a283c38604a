import { useProfile } from "../../client/profile.ts";
import { type ListResult, useGet } from "../../client/queries.ts";
import { useStable } from "../../lib/memo.ts";
import { withQuery } from "../../lib/router.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { find } from "../../messages/find.ts";
import { mail as m } from "../../messages/mail.ts";
import { NextRows } from "../../ui/next-rows.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { Windowed } from "../../ui/windowed.tsx";
import { BOX_ICONS, type BoxName, type Row } from "./boxes.ts";
import type { Meant } from "./email-changes.ts";
import { EmailRow } from "./email-row.tsx";
import { movesFrom } from "./moves.ts";
import { Elsewhere, ResultsNote, whereOf } from "./results.tsx";
import { keyOf, selected, toggleSelected } from "./selection.ts";
import { useSwipe } from "./swipe.ts";
import { useCompact } from "./use-mail.ts";

const ROW_PX = { comfortable: 84, compact: 40 };

interface EmailListProps {
  box: BoxName;
  list: ListResult<Row>;
  open: Row | undefined;
  isFiltered: boolean;
  /** What is searched for; the search may name another place than the box. */
  q: string;
  isElsewhere: boolean;
  habits: TimeHabits;
  now: Date;
  onSnooze(meant: Meant): void;
}

export function EmailList({ box, list, open, isFiltered, q, isElsewhere, habits, now, onSnooze }: EmailListProps) {
  const { records, error, retry, hasMore, loadMore, isLoadingMore } = list;
  const select = useStable((row: Row, through: boolean) =>
    toggleSelected(keyOf(row), { through, ids: records?.map(keyOf) ?? [] }),
  );
  const density = useCompact() ? "compact" : "comfortable";
  const swipe = useSwipe({
    row: (id) => records?.find((row) => String(row.id) === id),
    right: (row) => movesFrom(box).main.run({ emails: [row], areThreads: row.conversation !== undefined }, () => {}),
    left: (row) => onSnooze({ emails: [row], areThreads: row.conversation !== undefined }),
  });
  if (!records) return <Pending of={{ error, retry }} rows={9} />;
  if (records.length === 0 && !hasMore) {
    const where = isElsewhere ? find.none(whereOf(q)) : m.emptyFiltered(m.boxes[box]);
    const [title, text] = isFiltered ? [where, isElsewhere ? find.noneText : m.emptyFilteredText] : m.empty[box];
    return (
      <Empty
        icon={isFiltered ? "search" : BOX_ICONS[box]}
        title={title ?? ""}
        text={
          <>
            {text} {isElsewhere && <Elsewhere q={q} box={box} isEmpty />}
          </>
        }
      />
    );
  }
  const search = withQuery({}, "");
  const showsMailbox = new Set(records.map(({ mailboxes }) => mailboxes[0]?.label)).size > 1;
  return (
    <>
      {box === "spam" && !isElsewhere && <SpamNote />}
      {isElsewhere && <ResultsNote q={q} box={box} />}
      <ul class="emails" aria-label={m.listName} data-density={density} {...swipe}>
        <Windowed key={density} items={records} guess={ROW_PX[density]}>
          {(row) => (
            <EmailRow
              key={keyOf(row)}
              email={row}
              href={`/app/mail/${box}/${row.id}${search}`}
              habits={habits}
              now={now}
              isOpen={row === open}
              isSelected={selected.value.has(keyOf(row))}
              showsMailbox={showsMailbox}
              onSelect={select}
            />
          )}
        </Windowed>
      </ul>
      {hasMore && <NextRows label={m.more} isLoading={isLoadingMore} load={loadMore} />}
    </>
  );
}

/** How long they are kept is a setting, which only the owner reads. */
function SpamNote() {
  const profile = useProfile();
  const isOwner = profile?.role === "owner";
  const { data } = useGet(["setting", "retention"], "/api/settings/retention", { enabled: isOwner });
  const text = data ? m.spamBox(data.spamDays) : profile && !isOwner ? m.spamBoxOfOthers : null;
  return text && <p class="list-note hint">{text}</p>;
}
