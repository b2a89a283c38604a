import { mail as m } from "../../messages/mail.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Email } from "./boxes.ts";

/** The tags of emails, each once. */
export const tagsOf = (emails: readonly Email[]) => [...new Set(emails.flatMap(({ tags }) => tags))];

export function TagLine({ tags, onEdit }: { tags: readonly string[]; onEdit(): void }) {
  if (tags.length === 0) return null;
  return (
    <p class="tag-line wrap gap-6">
      {tags.map((tag) => (
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
