import { useKept } from "../../client/kept-field.ts";
import { mail as m } from "../../messages/mail.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Unsent } from "../../ui/unsent.tsx";
import type { Email } from "./boxes.ts";
import { setTags } from "./email-changes.ts";
import { useTags } from "./use-mail.ts";

export function TagLine({ email, onEdit }: { email: Email; onEdit(): void }) {
  if (email.tags.length === 0) return null;
  return (
    <p class="tag-line wrap gap-6">
      {email.tags.map((tag) => (
        <a key={tag} class="chip" href={`/app/mail/inbox?tag=${encodeURIComponent(tag)}`}>
          <Icon name="tag" size={12} />
          {tag}
        </a>
      ))}
      <button type="button" class="chip" onClick={onEdit} aria-label={m.tags}>
        <Icon name="edit" size={12} />
      </button>
    </p>
  );
}

export function TagsDialog({ email, onClose }: { email: Email; onClose(): void }) {
  const kept = useKept(`tag:${email.id}`, async (words) => {
    const tag = words.toLowerCase();
    return email.tags.includes(tag) || setTags(email, [...email.tags, tag]);
  });
  const known = useTags().filter((tag) => !email.tags.includes(tag));
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
        {email.tags.map((tag) => (
          <li key={tag}>
            <button
              type="button"
              class="chip"
              aria-label={m.removeTag(tag)}
              onClick={() =>
                void setTags(
                  email,
                  email.tags.filter((each) => each !== tag),
                )
              }
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
