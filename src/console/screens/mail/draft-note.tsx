import { patched } from "../../client/changes.ts";
import { useQuery } from "../../client/queries.ts";
import { compose as m } from "../../messages/compose.ts";
import { Button } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import { draftsOf, openDraft } from "./compose/opening.ts";
import { isDraftOpen } from "./compose/windows.ts";

/** Answers to an email that have been begun. */
export function DraftNote({ emailId }: { emailId: number }) {
  const { data } = useQuery(draftsOf(emailId));
  const others = data && patched("draft", data).filter(({ id }) => !isDraftOpen(id));
  if (!others || others.length === 0) return null;
  return (
    <ul class="draft-notes" aria-label={m.drafts}>
      {others.map(({ id, subject, snippet }) => (
        <li key={id}>
          <Callout tone="warn" action={<Button onClick={() => void openDraft(id)}>{m.goOn}</Button>}>
            <strong>{m.begun}</strong> {snippet || subject || m.noSubject}
          </Callout>
        </li>
      ))}
    </ul>
  );
}
