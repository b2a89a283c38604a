import { useState } from "preact/hooks";
import { api, type Returned } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { toast } from "../../../client/notices.ts";
import { queryClient } from "../../../client/queries.ts";
import { models as m } from "../../../messages/settings-service.ts";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/setting.tsx";
import type { AiKey } from "../ai-keys/ai-key.ts";

type Server = Returned<"/api/api-keys/local-servers", "post">["data"][number];

interface LocalServersProps {
  /** The server that is saved now, if any. */
  own: AiKey | undefined;
  active: { provider: string; upstreamModel: string } | undefined;
}

/** Asks nothing until the person does. */
export function LocalServers({ own, active }: LocalServersProps) {
  const [found, setFound] = useState<readonly Server[] | null>(null);
  const { busy, attempt } = useAttempt();
  const find = () =>
    attempt(m.notFound, async () => setFound((await api.post("/api/api-keys/local-servers")).data), "find");

  async function connect({ server, baseUrl }: Server, upstreamModel: string) {
    const other = own?.baseUrl && own.baseUrl !== baseUrl ? own.baseUrl : null;
    if (other && !(await ask({ title: m.replaceTitle, text: m.replaceText(other), button: m.replace }))) return;
    const act = async () => {
      await api.post("/api/api-keys", { body: { provider: "custom", baseUrl, model: "model_d", upstreamModel } });
      await api.post("/api/ai-model", { body: { model: "model_d" } });
      toast(m.connected(upstreamModel, m.servers[server]));
    };
    await attempt(m.notConnected, act, server);
    // Also if only the first of the two was done.
    await queryClient.invalidateQueries({ queryKey: ["service"] });
  }

  const inUse = active?.provider === "custom" ? { baseUrl: own?.baseUrl, model: active.upstreamModel } : null;
  return (
    <Section
      heading={m.local}
      lead={m.localLead}
      actions={
        <Button isBusy={busy === "find"} onClick={() => void find()}>
          {found ? m.findAgain : m.find}
        </Button>
      }
    >
      <div role="status">{found?.length === 0 && <p class="muted">{m.noneFound}</p>}</div>
      {found && found.length > 0 && (
        <ul class="setting-list">
          {found.map((each) => (
            <ServerLine
              key={each.server}
              server={each}
              inUse={inUse?.baseUrl === each.baseUrl ? inUse.model : null}
              isBusy={busy === each.server}
              onConnect={(model) => void connect(each, model)}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

interface ServerLineProps {
  server: Server;
  /** The model of it that is in use. */
  inUse: string | null;
  isBusy: boolean;
  onConnect(model: string): void;
}

function ServerLine({ server: { server, baseUrl, models }, inUse, isBusy, onConnect }: ServerLineProps) {
  const [chosen, setChosen] = useState(inUse && models.includes(inUse) ? inUse : (models[0] ?? ""));
  const name = m.servers[server];
  const isInUse = chosen === inUse;
  return (
    <li class="setting-line">
      <span class="grow">
        <strong>{name}</strong>
        <small class="muted"> {new URL(baseUrl).host}</small>
      </span>
      <select
        class="input"
        aria-label={m.modelOf(name)}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        {models.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      {/* The same button in both states, so that it keeps the focus. */}
      <Button
        tone={isInUse ? "plain" : "primary"}
        isBusy={isBusy}
        aria-disabled={isInUse}
        aria-label={isInUse ? m.inUseOf(name) : m.connectTo(name)}
        onClick={() => !isInUse && onConnect(chosen)}
      >
        {isInUse ? m.inUse : m.connect}
      </Button>
    </li>
  );
}
