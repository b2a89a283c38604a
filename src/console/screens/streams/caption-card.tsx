import { useEffect, useId, useRef, useState } from "preact/hooks";
import { reasonOf } from "../../client/notices.ts";
import { pastText, type TimeHabits } from "../../lib/time.ts";
import { captions as m } from "../../messages/captions.ts";
import { Button } from "../../ui/button.tsx";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { approve, redecide, saveCaption, skip } from "./caption-changes.ts";
import type { Caption } from "./data.ts";
import { hashtagsOf, lengthOf } from "./post-length.ts";

interface CaptionCardProps {
  caption: Caption;
  habits: TimeHabits;
  now: Date;
  isSelected: boolean;
  onSelect?: ((through: boolean) => void) | undefined;
}

export function CaptionCard({ caption, habits, now, isSelected, onSelect }: CaptionCardProps) {
  const [isEditing, setIsEditing] = useState(false);
  const { id, platform, kind, text, hashtags, status, error, uncertain, postUrl, retryAt, engine, updatedAt } = caption;
  const name = m.platforms[platform];
  const { length, most } = lengthOf(platform, text, hashtags);
  return (
    <li class="caption column card" data-row data-id={id} data-selected={isSelected}>
      <header class="line">
        {onSelect && (
          <input
            type="checkbox"
            class="checkbox square"
            aria-label={m.select(name, text.slice(0, 60))}
            checked={isSelected}
            onClick={(event) => onSelect(event.shiftKey)}
          />
        )}
        <span class={`platform-mark center hint ${platform}`} aria-hidden="true">
          {name.slice(0, 1)}
        </span>
        <strong>{name}</strong>
        <span class="muted">{m.kinds[kind]}</span>
        <StatusBadge status={status} />
        <time class="hint caption-time" dateTime={updatedAt}>
          {pastText(habits, new Date(updatedAt), now)}
        </time>
      </header>
      {isEditing ? (
        <Editor caption={caption} onDone={() => setIsEditing(false)} />
      ) : (
        <>
          {/* The row that `j` and `k` move to. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the row that has the focus. */}
          <article class="caption-text" data-row-focus tabIndex={0} aria-label={`${name}: ${text}`}>
            <p>{text}</p>
            {hashtags.length > 0 && <p class="caption-tags">{hashtags.map((tag) => `#${tag}`).join(" ")}</p>}
          </article>
          {(error || uncertain) && (
            <p class="inline-problem field-problem line">
              <Icon name="alert" size={16} />
              <span>{error ?? m.uncertain}</span>
            </p>
          )}
          {retryAt && <p class="muted">{m.retryAt(pastText(habits, new Date(retryAt), now))}</p>}
          <footer class="caption-foot cluster">
            <Actions caption={caption} onEdit={() => setIsEditing(true)} />
            {postUrl && (
              <a class="button quiet" href={postUrl} target="_blank" rel="noopener noreferrer">
                <Icon name="link" size={16} />
                <span>{m.open}</span>
              </a>
            )}
            <span class="hint caption-count">
              {engine.model ?? m.builtIn} · {m.count(length, most)}
            </span>
          </footer>
        </>
      )}
    </li>
  );
}

function StatusBadge({ status }: { status: Caption["status"] }) {
  if (status === "pending") return null;
  const tone = { approved: "good", posted: "good", failed: "danger", posting: "warn", skipped: "" }[status];
  return <span class={`badge ${tone}`}>{m.statuses[status]}</span>;
}

function Actions({ caption, onEdit }: { caption: Caption; onEdit(): void }) {
  const { status } = caption;
  return (
    <>
      {status === "pending" && (
        <Button tone="primary" onClick={() => approve([caption])}>
          {m.approve}
        </Button>
      )}
      {status === "failed" && (
        <Button tone="primary" onClick={() => redecide(caption, "approve")}>
          {m.retry}
        </Button>
      )}
      {status === "pending" && <Button onClick={() => skip([caption])}>{m.skip}</Button>}
      {status === "approved" && <Button onClick={() => redecide(caption, "skip")}>{m.skip}</Button>}
      {status === "skipped" && <Button onClick={() => redecide(caption, "restore")}>{m.restore}</Button>}
      {(status === "pending" || status === "approved" || status === "failed") && (
        <Button tone="quiet" icon="edit" onClick={onEdit}>
          {m.edit}
        </Button>
      )}
    </>
  );
}

/** Shows the count as the platform counts it, while one types. */
function Editor({ caption, onDone }: { caption: Caption; onDone(): void }) {
  const countId = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  const [text, setText] = useState(caption.text);
  const [tags, setTags] = useState(caption.hashtags.map((tag) => `#${tag}`).join(" "));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const hashtags = hashtagsOf(tags);
  const { length, most } = lengthOf(caption.platform, text.trim(), hashtags);
  const isTooLong = length > most;

  async function save(event: SubmitEvent) {
    event.preventDefault();
    if (isTooLong) return;
    if (!text.trim()) {
      setProblem(m.needsText);
      return;
    }
    setIsBusy(true);
    setProblem(undefined);
    try {
      await saveCaption(caption, text.trim(), hashtags);
      onDone();
    } catch (error) {
      setProblem(reasonOf(error));
      setIsBusy(false);
    }
  }

  return (
    <form ref={form} class="caption-editor stack gap-12" onSubmit={save}>
      <TextAreaField
        label={m.text}
        rows={5}
        value={text}
        problem={problem ?? (isTooLong ? m.tooLong(length - most) : undefined)}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <TextField
        label={m.hashtags}
        hint={m.hashtagsHint}
        value={tags}
        onInput={(event) => setTags(event.currentTarget.value)}
      />
      <footer class="caption-foot cluster">
        <Button tone="primary" type="submit" isBusy={isBusy} aria-disabled={isTooLong} aria-describedby={countId}>
          {m.save}
        </Button>
        <Button onClick={onDone}>{m.cancel}</Button>
        <span id={countId} class={isTooLong ? "hint caption-count over" : "hint caption-count"}>
          {m.count(length, most)}
        </span>
      </footer>
    </form>
  );
}
