import { useEffect } from "preact/hooks";
import { patched } from "../../client/changes.ts";
import { useList } from "../../client/queries.ts";
import { pastText, type TimeHabits } from "../../lib/time.ts";
import { compose } from "../../messages/compose.ts";
import { mail as m } from "../../messages/mail.ts";
import { Empty, Pending } from "../../ui/states.tsx";
import { openDraft } from "./compose/opening.ts";

interface DraftListProps {
  habits: TimeHabits;
  now: Date;
  /** A draft that the address names. */
  openId: number | null;
}

export function DraftList({ habits, now, openId }: DraftListProps) {
  const { records, error, retry, hasMore, loadMore } = useList(["draft", "list"], "/api/emails/drafts", {
    query: { limit: 50 },
  });
  useEffect(() => {
    if (openId !== null) void openDraft(openId);
  }, [openId]);
  if (!records) return <Pending of={{ error, retry }} rows={5} />;
  const drafts = patched("draft", records);
  if (drafts.length === 0) {
    const [title, text] = m.empty.drafts;
    return <Empty icon="drafts" title={title ?? ""} text={text} />;
  }
  return (
    <>
      <ul class="emails" aria-label={compose.drafts}>
        {drafts.map((draft) => (
          <li key={draft.id} class="email draft hovers" data-row data-id={draft.id}>
            <button type="button" class="email-link bare" data-row-focus onClick={() => void openDraft(draft.id)}>
              <span class="email-people clip muted">
                {draft.to.map((each) => (typeof each === "string" ? each : each.name || each.email)).join(", ") ||
                  compose.toNobody}
              </span>
              <time class="email-time hint" dateTime={draft.updatedAt}>
                {pastText(habits, new Date(draft.updatedAt), now)}
              </time>
              <span class="email-subject clip">{draft.subject || compose.noSubject}</span>
              <span class="email-snippet clip hint">{draft.snippet}</span>
            </button>
          </li>
        ))}
      </ul>
      {hasMore && (
        <button type="button" class="button quiet" onClick={loadMore}>
          {m.more}
        </button>
      )}
    </>
  );
}
