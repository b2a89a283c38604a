import { Callout } from "../../ui/callout.tsx";
import "../../base.ts";
import { useEffect, useRef } from "preact/hooks";
import { useKept } from "../../client/kept-field.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { mentionAt } from "../../lib/people.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { chat as m } from "../../messages/chat.ts";
import { shell } from "../../messages/shell.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { Button } from "../../ui/button.tsx";
import { useCompletion } from "../../ui/completion.tsx";
import { Page } from "../../ui/page.tsx";
import { Pending } from "../../ui/states.tsx";
import { Unsent } from "../../ui/unsent.tsx";
import { ActionLine } from "./action-line.tsx";
import { type Message, type Turn, useConversation, useTurn } from "./conversation.ts";
import { ConversationList } from "./conversation-list.tsx";
import { ProposalCard } from "./proposal-card.tsx";
import { ReplyText } from "./reply-text.tsx";

export default function Chat({ params }: ScreenProps) {
  const habits = useHabits();
  const now = useNow();
  return (
    <Page heading={m.heading} class="fills chat-page">
      <div class="chat-panes" data-open={params.id !== undefined}>
        <ConversationList openId={params.id} habits={habits} now={now} />
        <Conversation key={params.id ?? "new"} id={params.id} />
      </div>
    </Page>
  );
}

function Conversation({ id }: { id: string | undefined }) {
  const { data, error, refetch } = useConversation(id);
  const field = useRef<HTMLTextAreaElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const messages = data?.messages.data ?? [];
  const proposals = data?.proposals ?? [];
  const { turn, suggestions, say, stop, isBusy } = useTurn(id, messages);
  const kept = useKept(`chat:${id ?? "new"}`, say);
  const completion = useCompletion({
    field,
    value: kept.text,
    pieceAt: mentionAt,
    textOf: ({ name, email }) => `${name || email} `,
    isByPerson: true,
    onChange: kept.type,
  });
  // What was not heard stands in its field again.
  const isBack = turn?.state === "failed" && kept.text.trim() === turn.message;
  const isSaid = messages.length > 0 || turn !== null;
  // A conversation shows its end. A new one shows the page from its top, with what stands above it.
  useEffect(() => {
    if (isSaid) end.current?.scrollIntoView({ block: "end" });
  }, [isSaid, messages.length, turn?.reply, turn?.message, suggestions.length]);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  useShortcuts(() => [{ keys: "Escape", label: m.stopAnswer, group: m.heading, run: stop }], []);

  function send(): void {
    if (!isBusy) kept.submit();
  }

  return (
    <section class="conversation column" aria-label={data?.title ?? m.newConversation}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
      <div class="chat-log column gap-16" role="log" aria-label={m.log} tabIndex={0}>
        {id && !data && <Pending of={{ error, refetch }} rows={5} form="text" />}
        {!id && !turn && <Start onChoose={(words) => !isBusy && void say(words)} />}
        {messages.map((message) => (
          <Said key={message.id} message={message} />
        ))}
        {turn && <Saying turn={turn} isBack={isBack} onRetry={() => (isBack ? send() : void say(turn.message))} />}
        {proposals.length > 0 && (
          <ul class="proposals stack" aria-label={m.proposals}>
            {proposals.map((proposal) => (
              <ProposalCard key={proposal.id} proposal={proposal} isDisabled={isBusy} />
            ))}
          </ul>
        )}
        {suggestions.length > 0 && (
          <Choices class="wrap" label={m.suggestions} messages={suggestions} onChoose={(words) => void say(words)} />
        )}
        <div ref={end} />
      </div>
      <Unsent field={kept} />
      <form
        class="chat-form line"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          {...completion.attributes}
          ref={field}
          class="input"
          rows={1}
          maxLength={8000}
          aria-label={m.message}
          placeholder={m.placeholder}
          value={kept.text}
          onInput={({ currentTarget }) => {
            completion.type(currentTarget);
            kept.type(currentTarget.value);
          }}
          onBlur={completion.close}
          onKeyDown={(event) => {
            if (completion.press(event)) return;
            if (event.key === "Escape" && isBusy) stop();
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        {completion.list}
        {isBusy ? (
          <Button onClick={stop}>{m.stop}</Button>
        ) : (
          <Button tone="primary" type="submit" icon="send">
            {m.send}
          </Button>
        )}
      </form>
    </section>
  );
}

function Start({ onChoose }: { onChoose(text: string): void }) {
  return (
    <div class="chat-start stack">
      <strong>{m.emptyTitle}</strong>
      <p class="muted">{m.emptyText}</p>
      <Choices class="stack" messages={m.examples} onChoose={onChoose} />
    </div>
  );
}

interface ChoicesProps {
  class: string;
  label?: string;
  messages: readonly string[];
  onChoose(text: string): void;
}

/** Messages that a press of a button sends. */
function Choices({ class: name, label, messages, onChoose }: ChoicesProps) {
  return (
    <ul class={`choices ${name}`} aria-label={label}>
      {messages.map((message) => (
        <li key={message}>
          <button type="button" class="chip" onClick={() => onChoose(message)}>
            {message}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Said({ message }: { message: Message }) {
  const { role, text, actions, engine } = message;
  const name = engine?.kind === "llm" ? (engine.upstreamModel ?? engine.model ?? "") : m.builtIn;
  const because = engine?.fallbackReason ? (m.because[engine.fallbackReason] ?? m.noAnswer) : null;
  return (
    <article class={`said stack ${role}`}>
      <h2 class="visually-hidden">{role === "user" ? m.you : m.assistant}</h2>
      {role === "user" ? <p class="said-text">{text}</p> : <ReplyText text={text} />}
      {actions.length > 0 && (
        <ul>
          {actions.map((action, index) => (
            <ActionLine key={index} action={action} />
          ))}
        </ul>
      )}
      {role === "assistant" && <p class="said-by">{m.engine(name, because)}</p>}
    </article>
  );
}

function Saying({ turn, isBack, onRetry }: { turn: Turn; isBack: boolean; onRetry(): void }) {
  const isGoing = turn.state === "going";
  return (
    <>
      {!isBack && (
        <article class="said stack user">
          <h2 class="visually-hidden">{m.you}</h2>
          <p class="said-text">{turn.message}</p>
        </article>
      )}
      <article class="said stack assistant" aria-busy={isGoing}>
        <h2 class="visually-hidden">{m.assistant}</h2>
        {(turn.reply || isGoing) && <ReplyText text={turn.reply || m.thinking} />}
        {turn.actions.length > 0 && (
          <ul>
            {turn.actions.map((action, index) => (
              <ActionLine key={index} action={action} />
            ))}
          </ul>
        )}
        {turn.state === "stopped" && <p class="said-by">{m.stopped}</p>}
        {turn.state === "failed" && (
          <Callout tone="danger" role="alert" action={<Button onClick={onRetry}>{shell.tryAgain}</Button>}>
            <strong>{turn.reply ? m.brokeOff : m.notSent}</strong> {turn.reason}
          </Callout>
        )}
      </article>
    </>
  );
}
