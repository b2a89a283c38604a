import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { queryClient } from "../../client/queries.ts";
import { createSelection } from "../../client/selection.ts";
import { useCommands } from "../../lib/commands.ts";
import { currentRow, moveRow } from "../../lib/rows.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { captions as m } from "../../messages/captions.ts";
import { shell } from "../../messages/shell.ts";
import { streams } from "../../messages/streams.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { SelectFilter } from "../../ui/filters.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { NextRows } from "../../ui/next-rows.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { CaptionCard } from "./caption-card.tsx";
import { approve, skip } from "./caption-changes.ts";
import { type Caption, useCaptions } from "./data.ts";
import { StreamTabs } from "./tabs.tsx";

const { selected, clearSelection, toggleSelected } = createSelection();
const GROUPS = ["failed", "pending", "approved", "posting"] as const;
const PLATFORMS = Object.keys(m.platforms);

/** Captions that wait for a decision or for being posted; what is over is below. */
export function Captions({ query }: { query: URLSearchParams }) {
  const given = query.get("platform") ?? "";
  const platform = PLATFORMS.includes(given) ? given : "";
  const { records, error, retry, hasMore, isLoadingMore, loadMore } = useCaptions("open", platform);
  const all = records ?? [];
  const approved = all.filter(({ status }) => status === "approved");
  const inOrder = GROUPS.flatMap((group) => all.filter(({ status }) => status === group));
  const [isPosting, setIsPosting] = useState(false);
  const findTicked = () => all.filter(({ id, status }) => status === "pending" && selected.value.has(id));
  const ticked = findTicked();
  useEffect(() => clearSelection, [platform]);
  useKeys(all, findTicked);
  useCommands(() => [{ id: "post-approved", label: m.post, icon: "send", run: () => setIsPosting(true) }], []);
  const select = (caption: Caption, through: boolean) =>
    toggleSelected(caption.id, { through, ids: inOrder.map(({ id }) => id) });
  return (
    <Page
      heading={m.heading}
      class="wide-page"
      actions={
        <Button
          tone="primary"
          icon="send"
          aria-disabled={approved.length === 0}
          onClick={() => approved.length > 0 && setIsPosting(true)}
        >
          {approved.length > 0 ? `${m.post} (${approved.length})` : m.post}
        </Button>
      }
    >
      <StreamTabs tab="captions" />
      <search class="filters cluster">
        <SelectFilter
          label={m.platformFilter}
          name="platform"
          value={platform}
          options={[["", m.anyPlatform], ...Object.entries(m.platforms)]}
        />
      </search>
      {ticked.length > 0 && <BulkBar captions={ticked} />}
      {!records && <Pending of={{ error, retry }} rows={4} form="block" />}
      {records?.length === 0 && (
        <Empty icon="streams" title={platform ? m.emptyFiltered : m.empty} text={m.emptyText} />
      )}
      {GROUPS.map((group) => {
        const members = all.filter(({ status }) => status === group);
        return members.length === 0 ? null : (
          <Group
            key={group}
            title={m.statuses[group]}
            captions={members}
            onSelect={group === "pending" ? select : undefined}
            action={
              group === "pending" && members.length > 1 && ticked.length === 0 ? (
                <Button tone="quiet" onClick={() => approve(members)}>
                  {m.approveAll}
                </Button>
              ) : null
            }
          />
        );
      })}
      {hasMore && <NextRows label={streams.more} isLoading={isLoadingMore} load={loadMore} />}
      {records && <Settled platform={platform} />}
      {isPosting && approved.length > 0 && <PostDialog captions={approved} onClose={() => setIsPosting(false)} />}
    </Page>
  );
}

interface GroupProps {
  title: string;
  captions: readonly Caption[];
  action?: ComponentChildren;
  onSelect?: ((caption: Caption, through: boolean) => void) | undefined;
}

function Group({ title, captions, action, onSelect }: GroupProps) {
  const habits = useHabits();
  const now = useNow();
  return (
    <section class="caption-group" aria-label={title}>
      <h2 class="line">
        {title} <span class="count">{captions.length}</span> {action}
      </h2>
      <ul class="tiles wide">
        {captions.map((caption) => (
          <CaptionCard
            key={caption.id}
            caption={caption}
            habits={habits}
            now={now}
            isSelected={selected.value.has(caption.id)}
            onSelect={onSelect && ((through) => onSelect(caption, through))}
          />
        ))}
      </ul>
    </section>
  );
}

/** Closed until somebody wants to see it, because it only grows. */
function Settled({ platform }: { platform: string }) {
  const [isShown, setIsShown] = useState(false);
  const { records, error, retry, hasMore, isLoadingMore, loadMore } = useCaptions("settled", platform, isShown);
  return (
    <div class="caption-group">
      <button
        type="button"
        class="disclosure line inline gap-6 bare"
        aria-expanded={isShown}
        onClick={() => setIsShown(!isShown)}
      >
        <Icon name="right" size={14} />
        {m.settled}
      </button>
      {isShown && !records && <Pending of={{ error, retry }} rows={2} form="block" />}
      {isShown && records?.length === 0 && <p class="muted">{m.noneSettled}</p>}
      {isShown && records && records.length > 0 && <Group title={m.settled} captions={records} />}
      {isShown && hasMore && <NextRows label={streams.more} isLoading={isLoadingMore} load={loadMore} />}
    </div>
  );
}

function BulkBar({ captions }: { captions: readonly Caption[] }) {
  const act = (run: (captions: readonly Caption[]) => void) => () => {
    run(captions);
    clearSelection();
  };
  return (
    <div class="bulk line gap-2 task-bulk" role="toolbar" aria-label={m.selected(captions.length)}>
      <IconButton icon="close" label={m.clear} onClick={clearSelection} />
      <span class="bulk-count">{m.selected(captions.length)}</span>
      <Button tone="primary" onClick={act(approve)}>
        {m.approve}
      </Button>
      <Button onClick={act(skip)}>{m.skip}</Button>
    </div>
  );
}

/** `e` approves and `#` skips, as they archive and delete elsewhere. */
function useKeys(all: readonly Caption[], ticked: () => readonly Caption[]): void {
  const group = shell.shortcuts.lists;
  const focused = () => all.find(({ id }) => String(id) === currentRow()?.dataset.id);
  const act = (run: (captions: readonly Caption[]) => void) => () => {
    const one = focused();
    const meant = ticked().length > 0 ? ticked() : one ? [one] : [];
    const undecided = meant.filter(({ status }) => status === "pending");
    if (undecided.length === 0) return;
    moveRow(1);
    run(undecided);
    clearSelection();
  };
  useShortcuts(
    () => [
      { keys: "j", label: m.keys.next, group, run: () => moveRow(1) },
      { keys: "k", label: m.keys.previous, group, run: () => moveRow(-1) },
      { keys: "e", label: m.keys.approve, group, run: act(approve) },
      { keys: "#", label: m.keys.skip, group, run: act(skip) },
      {
        keys: "x",
        label: m.keys.select,
        group,
        run: () => {
          const caption = focused();
          if (caption?.status === "pending") toggleSelected(caption.id);
        },
      },
      { keys: "Escape", label: m.clear, group, run: clearSelection },
    ],
    [all],
  );
}

/** As many as one request posts. */
const MOST = 50;

/** Says what goes where before it does: a post cannot be taken back. */
function PostDialog({ captions, onClose }: { captions: readonly Caption[]; onClose(): void }) {
  const meant = captions.slice(0, MOST);
  async function post() {
    try {
      const { posted, failed, notPosted } = await api.post("/api/stream/captions/dispatch", {
        body: { captionIds: meant.map(({ id }) => id) },
      });
      const rest = failed + notPosted;
      toast(rest === 0 ? m.posted(posted) : m.postedBut(posted, rest));
    } finally {
      void queryClient.invalidateQueries({ queryKey: ["caption"] });
    }
  }
  return (
    <FormDialog title={m.postTitle(meant.length)} lead={m.postText} button={m.postNow} send={post} onClose={onClose}>
      <ul class="post-list stack">
        {meant.map(({ id, platform, text }) => (
          <li key={id}>
            <strong>{m.platforms[platform]}</strong>
            <span class="clip muted">{text}</span>
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}
