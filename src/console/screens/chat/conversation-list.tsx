import { api } from "../../client/api.ts";
import { change, patched } from "../../client/changes.ts";
import { useList } from "../../client/queries.ts";
import { navigate } from "../../lib/router.ts";
import { pastText, type TimeHabits } from "../../lib/time.ts";
import { chat as m } from "../../messages/chat.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";

interface Conversation {
  id: string;
  title: string;
  createdAt: string;
  updatedAt: string;
}

interface ConversationListProps {
  openId: string | undefined;
  habits: TimeHabits;
  now: Date;
}

export function ConversationList({ openId, habits, now }: ConversationListProps) {
  const { records, hasMore, loadMore } = useList(["chat", "list"], "/api/ai/chat/conversations", {
    query: { limit: 50 },
  });
  const shown = patched("chat", records ?? []);
  return (
    <nav class="conversations column gap-12" aria-label={m.conversations}>
      <a class="button" href="/app/chat">
        <Icon name="plus" size={16} />
        {m.newConversation}
      </a>
      {records?.length === 0 && <p class="muted">{m.noneYet}</p>}
      <ul>
        {shown.map((each) => (
          <li key={each.id} class="line gap-0 hovers" data-current={each.id === openId}>
            <a
              class="stack gap-0 grow"
              href={`/app/chat/${each.id}`}
              aria-current={each.id === openId ? "page" : undefined}
            >
              <span class="clip">{each.title}</span>
              <time class="muted" dateTime={each.updatedAt}>
                {pastText(habits, new Date(each.updatedAt), now)}
              </time>
            </a>
            <IconButton icon="trash" label={m.deleteNamed(each.title)} onClick={() => remove(each, openId)} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <button type="button" class="button quiet" onClick={loadMore}>
          {m.older}
        </button>
      )}
    </nav>
  );
}

function remove({ id, title }: Conversation, openId: string | undefined): void {
  void change<Conversation, unknown>({
    kind: "chat",
    ids: [id],
    edit: () => null,
    send: () => {
      if (id === openId) navigate("/app/chat");
      return api.delete("/api/ai/chat/conversations/{id}", { params: { id } });
    },
    failed: m.notDeleted,
    ask: { title: m.deleteTitle(title), text: m.deleteText, button: m.delete, done: m.deleted },
  });
}
