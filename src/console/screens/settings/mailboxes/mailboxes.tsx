import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { toast } from "../../../client/notices.ts";
import { useNow } from "../../../client/profile.ts";
import { queryClient, useGet } from "../../../client/queries.ts";
import { numberText } from "../../../lib/numbers.ts";
import { facts } from "../../../lib/plain.ts";
import { momentText, type TimeHabits } from "../../../lib/time.ts";
import { mailboxes as m } from "../../../messages/settings-mailboxes.ts";
import { Button } from "../../../ui/button.tsx";
import { Callout } from "../../../ui/callout.tsx";
import { Entry, Rows } from "../../../ui/entries.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Progress } from "../../../ui/meter.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Empty, Pending } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";
import { ConnectDialog, EditDialog, PasswordDialog } from "./dialogs.tsx";
import { FoldersDialog } from "./folders-dialog.tsx";
import { type Mailbox, rereadMailboxes } from "./mailbox.ts";

type DialogName = "edit" | "password" | "folders";

const WALKING_MS = 5000;
const QUIET_MS = 30_000;
const isBusy = ({ walk, lastRun, paused }: Mailbox) => !paused && (walk !== null || lastRun?.status === "running");

export default function Mailboxes({ profile, query }: SettingsProps) {
  const [isAdding, setIsAdding] = useState(query.get("do") === "new");
  const [open, setOpen] = useState<{ dialog: DialogName; mailbox: Mailbox } | null>(null);
  const read = useGet(["mailbox", "list"], "/api/settings/mailboxes", {
    refetchInterval: ({ state }) => (state.data?.data.some(isBusy) ? WALKING_MS : QUIET_MS),
  });
  const { data, error, refetch } = read;
  const close = () => setOpen(null);
  return (
    <Section
      heading={m.heading}
      lead={m.lead}
      actions={
        <Button tone="primary" icon="plus" onClick={() => setIsAdding(true)}>
          {m.add}
        </Button>
      }
    >
      {!data && <Pending of={{ error, refetch }} rows={2} />}
      {data?.data.length === 0 && <Empty icon="inbox" title={m.none} text={m.noneText} />}
      <Rows of={data?.data ?? []}>
        {(mailbox) => <Line mailbox={mailbox} habits={profile} onOpen={(dialog) => setOpen({ dialog, mailbox })} />}
      </Rows>
      {isAdding && <ConnectDialog onClose={() => setIsAdding(false)} />}
      {open?.dialog === "edit" && <EditDialog mailbox={open.mailbox} onClose={close} />}
      {open?.dialog === "password" && <PasswordDialog mailbox={open.mailbox} onClose={close} />}
      {open?.dialog === "folders" && <FoldersDialog mailbox={open.mailbox} onClose={close} />}
    </Section>
  );
}

const TONES = { unverified: "warn", connected: "good", failing: "warn", auth_failed: "danger", stopped: "danger" };

interface LineProps {
  mailbox: Mailbox;
  habits: TimeHabits & { locale: string };
  onOpen(dialog: DialogName): void;
}

function Line({ mailbox, habits, onOpen }: LineProps) {
  const now = useNow();
  const { attempt, isBusy: isSaving } = useAttempt();
  const { id, version, label, address, status, paused, reason, lastOkAt, nextTryAt, walk } = mailbox;
  const count = (value: number) => numberText(habits.locale, value);
  const ago = (time: string) => agoText(habits, new Date(time), now);

  const pause = () =>
    attempt(m.notChanged, async () => {
      await api.patch("/api/settings/mailboxes/{id}", { params: { id }, body: { paused: !paused }, version });
      await rereadMailboxes();
    });

  const read = async (full: boolean) => {
    try {
      const run = await api.post("/api/settings/mailboxes/{id}/sync", { params: { id }, query: full ? { full } : {} });
      toast(run.status === "partial" ? m.readPartly : m.readDone(run.created));
    } finally {
      // Also why it could not be read is in the list.
      await rereadMailboxes();
      void queryClient.invalidateQueries({ queryKey: ["email"] });
    }
  };

  const goOn = () =>
    ask({ title: m.fullTitle, text: m.fullText, button: m.full, failed: m.notRead, run: () => read(true) });

  const forget = () =>
    ask({
      ...{ title: m.forgetTitle(label), text: m.forgetText, button: m.forget, failed: m.notForgotten },
      async run() {
        await api.delete("/api/settings/mailboxes/{id}", { params: { id } });
        toast(m.forgotten(label));
        await rereadMailboxes();
      },
    });

  const text = status === "connected" ? null : m.texts[status];
  return (
    <>
      <Entry
        name={label}
        badge={
          paused ? (
            <span class="badge">{m.paused}</span>
          ) : (
            <span class={`badge ${TONES[status]}`}>{m.statuses[status]}</span>
          )
        }
        hint={facts(
          label !== address && address,
          lastOkAt ? m.checked(ago(lastOkAt)) : m.neverChecked,
          !paused &&
            (status === "failing" || status === "unverified") &&
            nextTryAt !== null &&
            new Date(nextTryAt) > now &&
            m.nextTry(m.at(momentText(habits, new Date(nextTryAt), now))),
        )}
      >
        <Button isBusy={isSaving} aria-label={`${paused ? m.resume : m.pause}: ${label}`} onClick={() => void pause()}>
          {paused ? m.resume : m.pause}
        </Button>
        <Menu label={m.actions(label)}>
          <MenuItem icon="repeat" onChoose={() => void attempt(m.notRead, () => read(false))} label={m.read} />
          <MenuItem icon="edit" onChoose={() => onOpen("edit")} label={m.edit} />
          <MenuItem icon="inbox" onChoose={() => onOpen("folders")} label={m.folders} />
          <MenuItem icon="key" onChoose={() => onOpen("password")} label={m.changePassword} />
          <MenuItem icon="trash" tone="danger" onChoose={() => void forget()} label={m.forget} />
        </Menu>
      </Entry>
      {!paused && text && (
        <Callout tone={status === "auth_failed" || status === "stopped" ? "danger" : "warn"} role="note">
          {reason && <p>{reason}</p>}
          <p>{text}</p>
          {status === "auth_failed" && <Button onClick={() => onOpen("password")}>{m.enterPasswordAgain}</Button>}
          {status === "stopped" && <Button onClick={() => void goOn()}>{m.full}</Button>}
        </Callout>
      )}
      {!paused && walk && status === "connected" && (
        <>
          <p class="hint" aria-live="polite">
            {walk.done + walk.waiting > 0 ? m.walk(count(walk.done), count(walk.done + walk.waiting)) : m.walking}
          </p>
          <Progress label={m.walking} done={walk.done} total={walk.done + walk.waiting || null} />
        </>
      )}
    </>
  );
}

const HOUR_MINUTES = 60;

function agoText(habits: TimeHabits, time: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - time.getTime()) / 60_000);
  if (minutes < 1) return m.now;
  return minutes < HOUR_MINUTES ? m.minutes(minutes) : m.at(momentText(habits, time, now));
}
