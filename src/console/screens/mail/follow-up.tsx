import { api } from "../../client/api.ts";
import { change } from "../../client/changes.ts";
import { fullText, type TimeHabits } from "../../lib/time.ts";
import { followUp as f } from "../../messages/follow-up.ts";
import { mail as m } from "../../messages/mail.ts";
import { triage as t } from "../../messages/triage.ts";
import { Icon } from "../../ui/icon.tsx";
import { type Email, isSnoozed } from "./boxes.ts";

/** For an email that was sent already. */
export function followUp(email: Email, followUpDays: number | null): void {
  const send = (days: number | null) =>
    api.patch("/api/emails/{id}", { params: { id: email.id }, body: { followUpDays: days } });
  void change<Email, unknown>({
    kind: "email",
    ids: [email.id],
    send: () => send(followUpDays),
    failed: m.notChanged,
    undo: {
      done: followUpDays ? f.chosen(followUpDays) : f.ended,
      send: () => send(daysLeft(email)),
    },
  });
}

/** Of an email that did not wait: null. */
function daysLeft({ followUpAt }: Email): number | null {
  return followUpAt === null ? null : Math.max(1, Math.round((Date.parse(followUpAt) - Date.now()) / DAY_MS));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Why the email is away, or why it is back. */
export function SnoozeNote({ email, habits, now }: { email: Email; habits: TimeHabits; now: Date }) {
  const { snoozedUntil, followUpAt, status } = email;
  if (!snoozedUntil) return null;
  const isAsleep = isSnoozed(email, now);
  if (!isAsleep && status !== "inbox") return null;
  const isFollowUp = followUpAt === snoozedUntil;
  const words = isFollowUp ? (isAsleep ? f.waits : f.back) : isAsleep ? m.snoozedUntil : t.wokenAt;
  const text = words(fullText(habits, new Date(snoozedUntil)));
  return (
    <p class="muted line gap-6">
      <Icon name={isFollowUp ? "bell" : "snooze"} size={14} />
      {text}
    </p>
  );
}

/** For so long a list says why an email is back at its top. */
const BACK_MS = 30 * DAY_MS;

/** The same in a word, for a row. */
export function backBecause({ snoozedUntil, followUpAt, status }: Email, now: Date): string | null {
  const at = snoozedUntil ? Date.parse(snoozedUntil) : Number.POSITIVE_INFINITY;
  if (status !== "inbox" || at > now.getTime() || at < now.getTime() - BACK_MS) return null;
  return followUpAt === snoozedUntil ? f.noReply : t.isBack;
}
