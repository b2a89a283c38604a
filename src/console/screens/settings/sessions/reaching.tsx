import { api } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { toast } from "../../../client/notices.ts";
import { useNow } from "../../../client/profile.ts";
import { queryClient, useQuery } from "../../../client/queries.ts";
import { facts } from "../../../lib/plain.ts";
import { pastText, type TimeHabits } from "../../../lib/time.ts";
import { reaching as m } from "../../../messages/settings-security.ts";
import { Button } from "../../../ui/button.tsx";
import { Entry, Rows } from "../../../ui/entries.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";

/** Something that reaches the person's data without signing in again. */
interface Way {
  kind: keyof typeof m.kinds;
  id: string;
  name: string;
  /** Beside the name, on the line below it. */
  detail?: string;
  createdAt: string;
  usedAt: string | null;
  end(): Promise<unknown>;
}

const ALL = { query: { limit: 100 } };

async function readWays(signal: AbortSignal): Promise<Way[]> {
  const [keys, agents, webhooks, devices, { calendarLink }] = await Promise.all([
    api.get("/api/settings/security/api-keys", { ...ALL, signal }),
    api.get("/api/settings/security/connections", { ...ALL, signal }),
    api.get("/api/settings/webhooks", { ...ALL, signal }),
    api.get("/api/settings/notifications/push", { signal }),
    api.get("/api/settings/security", { signal }),
  ]);
  return [
    ...agents.data.map(
      ({ id, name, createdAt, lastUsedAt }): Way => ({
        ...{ kind: "agent", id: `agent ${id}`, name, createdAt, usedAt: lastUsedAt },
        end: () => api.delete("/api/settings/security/connections/{id}", { params: { id } }),
      }),
    ),
    ...keys.data.map(
      ({ id, name, createdAt, lastUsedAt }): Way => ({
        ...{ kind: "key", id: `key ${id}`, name, createdAt, usedAt: lastUsedAt },
        end: () => api.delete("/api/settings/security/api-keys/{id}", { params: { id } }),
      }),
    ),
    ...webhooks.data.map(
      ({ id, url, description, createdAt }): Way => ({
        ...{ kind: "webhook", id: `webhook ${id}`, name: description ?? addressOf(url), createdAt, usedAt: null },
        ...(description && { detail: addressOf(url) }),
        end: () => api.delete("/api/settings/webhooks/{id}", { params: { id } }),
      }),
    ),
    ...devices.data.map(
      ({ id, name, createdAt, lastSentAt }): Way => ({
        ...{ kind: "device", id: `device ${id}`, name, createdAt, usedAt: lastSentAt },
        end: () => api.delete("/api/settings/notifications/push/{id}", { params: { id } }),
      }),
    ),
    ...[calendarLink ?? []].flat().map(
      ({ createdAt, isYours }): Way => ({
        ...{ kind: "feed", id: "feed", name: m.feed, createdAt, usedAt: null },
        detail: isYours ? m.feedText : m.feedOfOthers,
        end: () => api.delete("/api/calendar/feed"),
      }),
    ),
  ];
}

/** Without the scheme, which all have: two webhooks of one host differ in the rest. */
function addressOf(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/** Beside the sessions: agents, API keys, webhooks, devices and the calendar link, each with a way to end it. */
export function Reaching({ habits }: { habits: TimeHabits }) {
  const now = useNow();
  const query = useQuery({ queryKey: ["session", "reaching"], queryFn: ({ signal }) => readWays(signal) });
  const ways = query.data;
  const text = (moment: string) => pastText(habits, new Date(moment), now);
  return (
    <Section heading={m.heading} lead={m.lead}>
      {!ways && <Pending of={query} rows={3} />}
      {ways?.length === 0 && <p class="muted">{m.none}</p>}
      <Rows of={ways ?? []}>
        {(way) => (
          <Entry
            name={way.name}
            badge={<span class="badge">{m.kinds[way.kind]}</span>}
            hint={facts(way.detail, m.since(text(way.createdAt)), way.usedAt && m.used(text(way.usedAt)))}
          >
            <Button aria-label={m.endName(m.kinds[way.kind], way.name)} onClick={() => ask(endOf(way))}>
              {m.end}
            </Button>
          </Entry>
        )}
      </Rows>
    </Section>
  );
}

const endOf = ({ kind, name, end }: Way) => ({
  ...{ title: m.endTitle(name), text: m.endText[kind], button: m.end, failed: m.notEnded },
  async run() {
    await end();
    toast(m.ended(name));
    await Promise.all(
      [["session", "reaching"] as const, ["setting", "security"] as const].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  },
});
