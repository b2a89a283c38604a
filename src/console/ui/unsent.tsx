import type { Words } from "../client/kept-field.ts";
import { shell } from "../messages/shell.ts";
import { Button, IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface UnsentProps {
  field: { unsent: readonly Words[]; retry(words: Words): void; discard(words: Words): void };
}

/** Words of a field that could not be stored, while the field has others. */
export function Unsent({ field: { unsent, retry, discard } }: UnsentProps) {
  if (unsent.length === 0) return null;
  return (
    <ul class="unsent stack gap-4" aria-label={shell.unsaved.label}>
      {unsent.map((each) => (
        <li key={each.key} class="line">
          <Icon name="alert" size={16} />
          <span class="clip grow">{each.text}</span>
          <span class="muted">{shell.unsaved.notSaved}</span>
          <Button tone="quiet" onClick={() => retry(each)}>
            {shell.tryAgain}
          </Button>
          <IconButton icon="close" label={shell.unsaved.discard(each.text)} onClick={() => discard(each)} />
        </li>
      ))}
    </ul>
  );
}
