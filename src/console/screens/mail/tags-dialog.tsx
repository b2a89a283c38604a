import { useKept } from "../../client/kept-field.ts";
import { mail as m } from "../../messages/mail.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Unsent } from "../../ui/unsent.tsx";
import { changeTags, type Meant } from "./email-changes.ts";
import { useTags } from "./use-mail.ts";

interface TagsDialogProps {
  meant: Meant;
  tags: readonly string[];
  onClose(): void;
}

export function TagsDialog({ meant, tags, onClose }: TagsDialogProps) {
  const kept = useKept(`tag:${meant.emails[0]?.id}`, async (words) => {
    const tag = words.toLowerCase();
    return tags.includes(tag) || changeTags(meant, { addTags: [tag] });
  });
  const known = useTags().filter((tag) => !tags.includes(tag));
  return (
    <Dialog title={m.tags} size="small" typed="none" onClose={onClose}>
      <form
        class="snooze-words stack gap-12"
        onSubmit={(event) => {
          event.preventDefault();
          kept.submit();
        }}
      >
        <TextField
          label={m.addTag}
          maxLength={50}
          autocomplete="off"
          autofocus
          value={kept.text}
          suggestions={known}
          onInput={(event) => kept.type(event.currentTarget.value)}
        />
        <Button type="submit">{m.addTagButton}</Button>
      </form>
      <Unsent field={kept} />
      <ul class="tag-list wrap gap-6">
        {tags.map((tag) => (
          <li key={tag}>
            <button
              type="button"
              class="chip"
              aria-label={m.removeTag(tag)}
              onClick={() => void changeTags(meant, { removeTags: [tag] })}
            >
              {tag}
              <Icon name="close" size={12} />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
