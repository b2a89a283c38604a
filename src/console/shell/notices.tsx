import { dismiss, type Notice, notices } from "../client/notices.ts";
import { shell } from "../messages/shell.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Keys } from "../ui/keys.tsx";

const DRAWN = 3;

/** What was done is told politely, what failed at once. Both regions are there from the start, as screen readers need. */
export function Notices() {
  const shown = notices.value.slice(-DRAWN);
  return (
    <section class="notices" aria-label={shell.notices}>
      <div role="alert">
        {shown
          .filter(({ tone }) => tone === "failure")
          .map((notice) => (
            <NoticeCard key={notice.id} notice={notice} />
          ))}
      </div>
      <div role="status">
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
    <div class={`notice ${tone}`}>
      <Icon name={ICONS[tone]} />
      <div class="notice-text">
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
              class="notice-action"
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
      <IconButton icon="close" label={shell.close} onClick={() => dismiss(id)} />
    </div>
  );
}
