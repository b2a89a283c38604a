import "../../base.ts";
import { useEffect, useState } from "preact/hooks";
import { patched } from "../../client/changes.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { useCommands } from "../../lib/commands.ts";
import { navigate } from "../../lib/router.ts";
import { mail as m } from "../../messages/mail.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { BoxTabs } from "./box-tabs.tsx";
import { BOX_ICONS, BOX_NAMES, boxOf, type Email } from "./boxes.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { startNew } from "./compose/opening.ts";
import { DraftList } from "./draft-list.tsx";
import { EmailList } from "./email-list.tsx";
import { Filters } from "./mail-filters.tsx";
import { moveOn, useMailKeys } from "./mail-keys.ts";
import { ReadingPane } from "./reading-pane.tsx";
import { clearSelection, selected } from "./selection.ts";
import { SnoozeDialog } from "./snooze-dialog.tsx";
import { filtersOf, isFiltered, looksElsewhere, useEmails } from "./use-mail.ts";

export default function Mail({ params, query }: ScreenProps) {
  const box = boxOf(params.box) ?? "inbox";
  const openId = params.id && box !== "drafts" ? Number(params.id) : null;
  const habits = useHabits();
  const now = useNow();
  const filters = filtersOf(query);
  const list = useEmails(box, filters, openId, now);
  const emails = list.records ?? [];
  const [snoozed, setSnoozed] = useState<readonly Email[] | null>(null);
  // What is ticked in one box is not meant in another.
  useEffect(() => clearSelection, [box]);
  useMailKeys({ box, emails, openId, onSnooze: setSnoozed });
  useCommands(
    () =>
      BOX_NAMES.map((name) => ({
        id: `mail-${name}`,
        label: m.boxes[name],
        icon: BOX_ICONS[name],
        run: () => navigate(`/app/mail/${name}`),
      })),
    [],
  );
  const ticked = patched("email", emails).filter(({ id }) => selected.value.has(id));
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
      <BoxTabs box={box} />
      <div class="mail-panes" data-reading={openId !== null}>
        <div class="mail-list">
          {box !== "drafts" && <Filters box={box} filters={filters} />}
          {ticked.length > 0 && <BulkBar box={box} emails={ticked} onSnooze={() => setSnoozed(ticked)} />}
          {box === "drafts" ? (
            <DraftList habits={habits} now={now} openId={params.id ? Number(params.id) : null} />
          ) : (
            <EmailList
              box={box}
              list={list}
              openId={openId}
              isFiltered={isFiltered(filters)}
              q={filters.q}
              isElsewhere={looksElsewhere(filters)}
              habits={habits}
              now={now}
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
                habits={habits}
                now={now}
                onLeave={() => moveOn(box, emails, openId)}
                onSnooze={(email) => setSnoozed([email])}
              />
            )}
          </div>
        )}
      </div>
      {snoozed && (
        <SnoozeDialog
          emails={snoozed}
          onClose={() => {
            setSnoozed(null);
            clearSelection();
          }}
        />
      )}
    </Page>
  );
}
