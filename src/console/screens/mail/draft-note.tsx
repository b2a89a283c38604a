import { patched } from "../../client/changes.ts";
import { useQuery } from "../../client/queries.ts";
import { compose as m } from "../../messages/compose.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { draftsOf, openDraft } from "./compose/opening.ts";

/** Answers to an email that have been begun. */
export function DraftNote({ emailId }: { emailId: number }) {
  const { data } = useQuery(draftsOf(emailId));
  if (!data || data.length === 0) return null;
  return (
    <ul class="draft-notes" aria-label={m.drafts}>
      {patched("draft", data).map(({ id, subject, snippet }) => (
        <li key={id} class="draft-note line">
          <Icon name="drafts" size={16} />
          <strong>{m.begun}</strong>
          <span class="clip grow">{snippet || subject || m.noSubject}</span>
          <Button onClick={() => void openDraft(id)}>{m.goOn}</Button>
        </li>
      ))}
    </ul>
  );
}
