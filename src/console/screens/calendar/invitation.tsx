import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { change, rememberVersion } from "../../client/changes.ts";
import { toast } from "../../client/notices.ts";
import { event as m } from "../../messages/event.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { type Event, isDerived, isSame } from "./event.ts";

const ANSWERS = ["accepted", "tentative", "declined"] as const;
type Answer = (typeof ANSWERS)[number];

const STATUS = { accepted: "confirmed", tentative: "tentative", declined: "cancelled" } as const;

/** An invitation that came by email: accept, maybe, decline. */
export function Invitation({ event, onDone }: { event: Event; onDone(): void }) {
  const [comment, setComment] = useState("");
  if (event.myResponse === null) return null;
  const name = event.organizer?.name ?? event.organizer?.email;
  async function answer(response: Answer) {
    onDone();
    const saved = await change({
      kind: "event",
      ids: [event.id],
      edit: (each: Event) =>
        isSame(each, event) ? { ...each, myResponse: response, awaitsAnswer: false, status: STATUS[response] } : each,
      send: async () => {
        const at = isDerived(event) ? event.originalStart : null;
        return rememberVersion(
          "event",
          await api.post("/api/calendar/events/{id}/respond", {
            params: { id: event.id },
            query: at === null ? {} : { occurrence: at },
            body: { response, ...(comment.trim() && { comment: comment.trim() }) },
          }),
        );
      },
      failed: m.notAnswered,
    });
    if (saved) toast(saved.notified ? m.answered : m.answeredQuietly);
  }
  return (
    <section class="invitation stack gap-10">
      {name && <p>{m.invitation(name)}</p>}
      {!event.awaitsAnswer && <p class="muted">{m.yourAnswer(m.responses[event.myResponse])}</p>}
      <TextField
        label={m.comment}
        value={comment}
        maxLength={1000}
        onInput={({ currentTarget }) => setComment(currentTarget.value)}
      />
      <div class="line stretch">
        {ANSWERS.map((each) => (
          <Button
            key={each}
            tone={each === "accepted" && event.awaitsAnswer ? "primary" : "plain"}
            aria-pressed={event.myResponse === each}
            onClick={() => void answer(each)}
          >
            {m.answers[each]}
          </Button>
        ))}
      </div>
    </section>
  );
}
