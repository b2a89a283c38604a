import "../../base.ts";
import { useEffect, useState } from "preact/hooks";
import { useHabits, useNow } from "../../client/profile.ts";
import { useGet } from "../../client/queries.ts";
import { useCommands } from "../../lib/commands.ts";
import { navigate } from "../../lib/router.ts";
import { find } from "../../messages/find.ts";
import { mail as m } from "../../messages/mail.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { Button } from "../../ui/button.tsx";
import { Choices } from "../../ui/choices.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { BOX_ICONS, BOX_NAMES, type BoxName, boxOf, type Row, unreadOf } from "./boxes.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { startNew } from "./compose/opening.ts";
import { DraftList } from "./draft-list.tsx";
import { type Meant, snooze } from "./email-changes.ts";
import { EmailList } from "./email-list.tsx";
import { Filters } from "./mail-filters.tsx";
import { moveOn, useMailKeys } from "./mail-keys.ts";
import { ReadingPane } from "./reading-pane.tsx";
import { useSaved } from "./results.tsx";
import { allMatching, clearSelection, keyOf, selected } from "./selection.ts";
import { TagsDialog, tagsOf } from "./tags.tsx";
import {
  emailsQuery,
  filtersOf,
  isFiltered,
  looksElsewhere,
  openRow,
  useCompact,
  useRows,
  useThreaded,
} from "./use-mail.ts";
import { chooseView } from "./view.ts";

export default function Mail({ params, query }: ScreenProps) {
  const box = boxOf(params.box) ?? "inbox";
  const openId = params.id && box !== "drafts" ? Number(params.id) : null;
  const habits = useHabits();
  const now = useNow();
  const filters = filtersOf(query);
  const isThreaded = useThreaded();
  const list = useRows({ box, filters, isThreaded, openId, now });
  const rows = list.records ?? [];
  const isCompact = useCompact();
  const [snoozed, setSnoozed] = useState<Meant | null>(null);
  const [tagged, setTagged] = useState<Meant | null>(null);
  // What is ticked in one box, or as a conversation, is not meant in another.
  useEffect(() => clearSelection, [box, isThreaded, filters.q, filters.tag, filters.unread]);
  useMailKeys({ box, rows, openId, isThreaded, onSnooze: setSnoozed, onTags: setTagged });
  useCommands(
    () => [
      ...BOX_NAMES.map((name) => ({
        id: `mail-${name}`,
        label: m.boxes[name],
        icon: BOX_ICONS[name],
        run: () => navigate(`/app/mail/${name}`),
      })),
      {
        id: "mail-view",
        label: isThreaded ? m.showSingles : m.showConversations,
        icon: "list",
        run: () => void chooseView({ mailView: isThreaded ? "messages" : "conversations" }),
      },
      {
        id: "mail-density",
        label: isCompact ? m.showComfortable : m.showCompact,
        icon: "list",
        run: () => void chooseView({ mailDensity: isCompact ? "comfortable" : "compact" }),
      },
    ],
    [isThreaded, isCompact],
  );
  const ticked: Meant = {
    emails: rows.filter((row) => selected.value.has(keyOf(row))),
    areThreads: isThreaded,
    matching: allMatching.value,
  };
  return (
    <Page
      heading={m.boxes[box]}
      class="fills mail-page"
      actions={
        <Button tone="primary" icon="edit" onClick={startNew}>
          {m.compose}
        </Button>
      }
    >
      <BoxTabs box={box} asked={filters.q} />
      <div class="mail-panes" data-reading={openId !== null}>
        <div class="mail-list">
          {box !== "drafts" && <Filters box={box} filters={filters} />}
          {ticked.emails.length > 0 && (
            <BulkBar
              box={box}
              meant={ticked}
              rows={rows}
              hasMore={list.hasMore}
              query={emailsQuery(box, filters)}
              onSnooze={() => setSnoozed(ticked)}
              onTags={() => setTagged(ticked)}
            />
          )}
          {box === "drafts" ? (
            <DraftList habits={habits} now={now} openId={params.id ? Number(params.id) : null} />
          ) : (
            <EmailList
              box={box}
              list={list}
              open={openRow(rows, openId, isThreaded)}
              isFiltered={isFiltered(filters)}
              q={filters.q}
              isElsewhere={looksElsewhere(filters)}
              habits={habits}
              now={now}
              onSnooze={setSnoozed}
            />
          )}
        </div>
        {box !== "drafts" && (
          <div class="mail-reading">
            {openId === null ? (
              <Empty icon="mail" title={m.noneOpen} text={m.noneOpenText} />
            ) : (
              <ReadingPane
                key={openId}
                id={openId}
                box={box}
                isThreaded={isThreaded}
                habits={habits}
                now={now}
                onLeave={() => moveOn({ box, rows, openId, isThreaded })}
                onSnooze={setSnoozed}
              />
            )}
          </div>
        )}
      </div>
      {tagged && <Tagging meant={tagged} rows={rows} onClose={() => setTagged(null)} />}
      {snoozed && <SnoozeDialog meant={snoozed} onClose={() => setSnoozed(null)} />}
    </Page>
  );
}

function BoxTabs({ box, asked }: { box: BoxName; asked: string }) {
  const saved = useSaved();
  const { data: counts } = useGet(["email", "boxes"], "/api/emails/boxes");
  return (
    <nav class="boxes" aria-label={m.boxesName}>
      <ul class="line gap-4">
        {BOX_NAMES.map((name) => {
          const unread = unreadOf(name, counts);
          const label = m.boxes[name];
          return (
            <li key={name}>
              <a
                class="item"
                href={`/app/mail/${name}`}
                aria-current={name === box && asked === "" ? "page" : undefined}
              >
                <Icon name={BOX_ICONS[name]} size={16} />
                <span>{label}</span>
                {unread > 0 && (
                  <span class="box-count">
                    {unread} <span class="visually-hidden">{m.unreadCount}</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
        <li>
          <a class="item" href="/app/mail/files">
            <Icon name="paperclip" size={16} />
            <span>{find.files}</span>
          </a>
        </li>
        {saved.map(({ id, name, q }) => (
          <li key={`saved-${id}`}>
            <a
              class="item"
              href={`/app/mail/inbox?${new URLSearchParams({ q })}`}
              aria-current={q === asked ? "page" : undefined}
            >
              <Icon name="search" size={16} />
              <span>{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The tags are those that the rows have after each change. */
function Tagging({ meant, rows, onClose }: { meant: Meant; rows: readonly Row[]; onClose(): void }) {
  const keys = new Set(meant.emails.map(keyOf));
  const shown = rows.filter((row) => keys.has(keyOf(row)));
  return <TagsDialog meant={meant} tags={tagsOf(shown.length > 0 ? shown : meant.emails)} onClose={onClose} />;
}

/** The usual times, and any other in words. */
function SnoozeDialog({ meant, onClose }: { meant: Meant; onClose(): void }) {
  const [text, setText] = useState("");
  const choose = (words: string) => {
    void snooze(meant, words);
    clearSelection();
    onClose();
  };
  return (
    <Dialog title={m.snooze} size="small" onClose={onClose}>
      <Choices options={m.snoozeChoices} onChoose={choose} />
      <form
        class="snooze-words stack gap-12"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) choose(text.trim());
        }}
      >
        <TextField
          label={m.snoozeUntil}
          hint={m.snoozeHint}
          value={text}
          maxLength={200}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" tone="primary">
          {m.snooze}
        </Button>
      </form>
    </Dialog>
  );
}
