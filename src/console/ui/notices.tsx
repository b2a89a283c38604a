import { dismiss, type Notice, notices } from "../client/notices.ts";
import { shell } from "../messages/shell.ts";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Keys } from "./keys.tsx";

const DRAWN = 3;

/**
 * What was done is told politely, what failed at once. The polite region is there from the start, as screen readers need;
 * an alert is read when it appears, and a dialog or form has its own. Everything outside an open modal dialog is inert, so
 * the topmost dialog shows the notices instead of the page.
 */
export function Notices({ isCovered }: { isCovered: boolean }) {
  if (isCovered) return null;
  const all = notices.value;
  const newestUndo = all.findLast(({ isUndo }) => isUndo);
  // Several that can be undone would cover the page; `z` still finds the others.
  const shown = all.filter((notice) => !notice.isUndo || notice === newestUndo).slice(-DRAWN);
  const failures = shown.filter(({ tone }) => tone === "failure");
  return (
    <section class="notices" aria-label={shell.notices}>
      {failures.length > 0 && (
        <div class="stack" role="alert">
          {failures.map((notice) => (
            <NoticeCard key={notice.id} notice={notice} />
          ))}
        </div>
      )}
      <div class="stack" role="status">
        {shown
          .filter(({ tone }) => tone !== "failure")
          .map((notice) => (
            <NoticeCard key={notice.id} notice={notice} />
          ))}
      </div>
    </section>
  );
}

const ICONS = { done: "check", failure: "alert", reminder: "bell" };

function NoticeCard({ notice: { id, tone, text, detail, href, action, second, isUndo } }: { notice: Notice }) {
  return (
    <div class={`notice line gap-10 ${tone}`}>
      <Icon name={ICONS[tone]} />
      <div class="notice-text grow">
        <p>
          {href ? (
            <a href={href} onClick={() => dismiss(id)}>
              {text}
            </a>
          ) : (
            text
          )}
        </p>
        {detail && <p class="notice-detail">{detail}</p>}
      </div>
      {[action, second].map(
        (each) =>
          each && (
            <button
              key={each.label}
              type="button"
              class="notice-action line inline"
              onClick={() => {
                if (!isUndo) dismiss(id);
                each.run();
              }}
            >
              {each.label}
              {isUndo && <Keys keys="z" />}
            </button>
          ),
      )}
      <IconButton icon="close" label={shell.hideNotice} onClick={() => dismiss(id)} />
    </div>
  );
}
