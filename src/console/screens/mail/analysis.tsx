import { useId } from "preact/hooks";
import { api } from "../../client/api.ts";
import { useAttempt } from "../../client/attempt.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { facts } from "../../lib/plain.ts";
import { navigate } from "../../lib/router.ts";
import { fullText, pastText, type TimeHabits } from "../../lib/time.ts";
import { mail } from "../../messages/mail.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Email } from "./boxes.ts";
import { setReplyNeeded } from "./reply-needed.ts";

const m = mail.analysis;
type Found = NonNullable<Email["analysis"]>;

interface AnalysisProps {
  email: Email;
  /** What it invites to is shown by itself. */
  isInviting: boolean;
  habits: TimeHabits;
  now: Date;
  /** Shows the place in the text that a finding comes from. */
  onQuote(start: number): void;
}

/** What the service has understood, on one line that unfolds to all of it and what can be done with it. */
export function Analysis({ email, isInviting, habits, now, onQuote }: AnalysisProps) {
  const id = useId();
  const { analysis } = email;
  const heading = (
    <h3 id={id} class="line gap-6">
      <Icon name="sparkle" size={16} />
      {m.name}
    </h3>
  );
  if (!analysis) {
    return (
      <section class="analysis line" aria-labelledby={id}>
        {heading}
        <NotYet email={email} />
      </section>
    );
  }
  return (
    <section class="analysis" aria-labelledby={id}>
      <details>
        <summary class="analysis-line line">
          {heading}
          <InShort email={email} analysis={analysis} />
        </summary>
        <div class="analysis-all stack">
          <Result
            email={email}
            isInviting={isInviting}
            analysis={analysis}
            habits={habits}
            now={now}
            onQuote={onQuote}
          />
        </div>
      </details>
    </section>
  );
}

/** What there is to do, and otherwise what it is about. */
function InShort({ email, analysis }: { email: Email; analysis: Found }) {
  const { urgency, summary, actionItems, meeting } = analysis;
  const { level } = urgency;
  const items = actionItems.length > 0 && m.itemCount(actionItems.length);
  return (
    <>
      {(level === "critical" || level === "high") && <span class="badge warn">{mail.urgency[level]}</span>}
      {email.replyNeeded && <span class="badge good">{mail.needsAnswer}</span>}
      <span class="grow clip muted">{facts(items, meeting && m.meeting, summary)}</span>
    </>
  );
}

function engineOf({ engine }: Found): string {
  return engine.kind === "llm" ? (engine.upstreamModel ?? engine.model ?? "") : m.builtIn;
}

function NotYet({ email }: { email: Email }) {
  const { isBusy, attempt } = useAttempt();
  return (
    <p class="analysis-none cluster">
      {m.waiting}
      <Button
        isBusy={isBusy}
        onClick={async () => {
          await attempt(m.failed, async () => {
            await api.post("/api/emails/{id}/ai-analysis", { params: { id: email.id } });
            await queryClient.invalidateQueries({ queryKey: ["email"] });
          });
        }}
      >
        {m.run}
      </Button>
    </p>
  );
}

function Result({ email, isInviting, analysis, habits, now, onQuote }: AnalysisProps & { analysis: Found }) {
  const { urgency, summary, actionItems, meeting } = analysis;
  const isUrgent = urgency.level === "critical" || urgency.level === "high";
  return (
    <>
      {summary && <p class="analysis-summary">{summary}</p>}
      <p class="analysis-facts cluster">
        <span class={isUrgent ? "badge warn" : "badge"}>
          {m.urgency}: {m.levels[urgency.level]}
        </span>
        {email.replyNeeded && (
          <button type="button" class="quote-link bare hovers" onClick={() => setReplyNeeded([email], false)}>
            {mail.noAnswer}
          </button>
        )}
        {urgency.reasons.length > 0 && <span class="muted">{urgency.reasons.join(" · ")}</span>}
      </p>
      {actionItems.length > 0 && (
        <div class="analysis-part stack gap-6">
          <h4>{m.items}</h4>
          <ul class="stack gap-4">
            {actionItems.map(({ text, dueAt, quote }) => (
              <li key={quote.start}>
                {text}
                {dueAt && <span class="muted"> {m.due(pastText(habits, new Date(dueAt), now))}</span>}
                <Quote quote={quote} onQuote={onQuote} />
              </li>
            ))}
          </ul>
          <CreateTasks email={email} />
        </div>
      )}
      {meeting && !isInviting && (
        <div class="analysis-part stack gap-6">
          <h4>{m.meeting}</h4>
          <p>
            <strong>{meeting.title}</strong> {meeting.proposed && <span class="badge">{m.proposed}</span>}
            <br />
            {fullText(habits, new Date(meeting.start))}
            {meeting.location && ` · ${meeting.location}`}
            <Quote quote={meeting.quote} onQuote={onQuote} />
          </p>
          {meeting.ambiguous && <p class="field-problem">{m.ambiguous}</p>}
          <AddToCalendar email={email} />
        </div>
      )}
      <p class="hint">{m.engine(engineOf(analysis))}</p>
    </>
  );
}

function Quote({ quote, onQuote }: { quote: { start: number; text: string } } & Pick<AnalysisProps, "onQuote">) {
  return (
    <button
      type="button"
      class="quote-link bare hovers"
      aria-label={m.showQuote(quote.text)}
      onClick={() => onQuote(quote.start)}
    >
      {m.quote}
    </button>
  );
}

function CreateTasks({ email }: { email: Email }) {
  const { isBusy, attempt } = useAttempt();
  return (
    <Button
      icon="tasks"
      isBusy={isBusy}
      onClick={async () => {
        await attempt(m.notCreated, async () => {
          const { created } = await api.post("/api/emails/{id}/tasks", { params: { id: email.id } });
          toast(m.created(created), { label: m.showTasks, run: () => navigate("/app/tasks") });
          void queryClient.invalidateQueries({ queryKey: ["task"] });
        });
      }}
    >
      {m.createTasks}
    </Button>
  );
}

function AddToCalendar({ email }: { email: Email }) {
  const { isBusy, attempt } = useAttempt();
  return (
    <Button
      icon="calendar"
      isBusy={isBusy}
      onClick={async () => {
        await attempt(m.notAdded, async () => {
          const { title, conflicts } = await api.post("/api/calendar/events/from-email", {
            body: { emailId: email.id },
          });
          const overlaps = conflicts.map((each) => `“${each.title}”`).join(", ");
          toast([m.added(title), overlaps && m.conflicts(overlaps)].filter(Boolean).join(". "));
          void queryClient.invalidateQueries({ queryKey: ["event"] });
        });
      }}
    >
      {m.addToCalendar}
    </Button>
  );
}
