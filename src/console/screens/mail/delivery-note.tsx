import { api } from "../../client/api.ts";
import { attempt, toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { navigate } from "../../lib/router.ts";
import { fullText, type TimeHabits } from "../../lib/time.ts";
import { mail as m } from "../../messages/mail.ts";
import { Button } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import type { Email } from "./boxes.ts";

/** Says that an email has not left yet, or never will. */
export function DeliveryNote({ email, habits }: { email: Email; habits: TimeHabits }) {
  if (email.delivery === "failed") {
    return (
      <Callout tone="danger" role="note">
        {m.failedDelivery(email.deliveryError ?? "")}
      </Callout>
    );
  }
  if (email.delivery !== "scheduled" || !email.sendAt) return null;
  return (
    <Callout role="note" action={<Button onClick={() => void cancel(email.id)}>{m.cancelSend}</Button>}>
      {m.leavesAt(fullText(habits, new Date(email.sendAt)))}
    </Callout>
  );
}

async function cancel(id: number): Promise<void> {
  await attempt(m.notCancelled, async () => {
    await api.post("/api/emails/{id}/cancel-send", { params: { id } });
    toast(m.sendCancelled);
    navigate("/app/mail/drafts");
    void queryClient.invalidateQueries({ queryKey: ["email"] });
  });
}
