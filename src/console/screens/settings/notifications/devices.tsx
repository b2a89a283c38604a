import { useEffect } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { change, patched } from "../../../client/changes.ts";
import { Failure } from "../../../client/notices.ts";
import { type Profile, useNow } from "../../../client/profile.ts";
import { pushHere, readPush, subscribe, unsubscribe } from "../../../client/push.ts";
import { queryClient, useGet } from "../../../client/queries.ts";
import { facts } from "../../../lib/plain.ts";
import { pastText } from "../../../lib/time.ts";
import { push } from "../../../messages/push.ts";
import { notifications as m } from "../../../messages/settings-notifications.ts";
import { Button } from "../../../ui/button.tsx";
import { Entry, Rows } from "../../../ui/entries.tsx";
import { Section } from "../../../ui/setting.tsx";

const KEY = ["setting", "push"] as const;

interface Device {
  id: number;
  name: string;
  createdAt: string;
  lastSentAt: string | null;
  lastError: string | null;
}

/** The browsers that show reminders: this one can be added, any can be removed. */
export function Devices({ profile }: { profile: Profile }) {
  const now = useNow();
  const { isBusy, attempt } = useAttempt();
  const query = useGet([...KEY], "/api/settings/notifications/push");
  useEffect(() => void readPush().catch(() => {}), []);
  const here = pushHere.value;
  const devices = patched<Device>("setting", query.data?.data ?? []);

  async function turn(isOn: boolean) {
    await attempt(m.notChanged, async () => {
      const { state } = isOn ? await subscribe() : await unsubscribe();
      await queryClient.invalidateQueries({ queryKey: KEY });
      if (isOn && state === "off") throw new Failure(m.stillOff);
    });
  }

  function remove(device: Device) {
    if (device.id === here?.deviceId) void turn(false);
    else
      void change<Device, unknown>({
        kind: "setting",
        ids: [device.id],
        edit: () => null,
        send: () => api.delete("/api/settings/notifications/push/{id}", { params: { id: device.id } }),
        failed: m.notRemoved,
        ask: {
          title: m.removeTitle(device.name),
          text: m.removeText,
          button: m.remove,
          done: m.removed(device.name),
        },
      });
  }

  return (
    <Section heading={m.devices} lead={m.devicesLead}>
      {here && (
        <Entry name={m.here} hint={push.states[here.state]}>
          {here.state === "off" && (
            <Button tone="primary" isBusy={isBusy} onClick={() => void turn(true)}>
              {m.turnOn}
            </Button>
          )}
          {here.state === "on" && (
            <Button isBusy={isBusy} onClick={() => void turn(false)}>
              {m.turnOff}
            </Button>
          )}
        </Entry>
      )}
      <Rows of={devices}>
        {(device) => (
          <Entry
            name={device.name}
            badge={device.id === here?.deviceId && <span class="badge good">{m.here}</span>}
            hint={facts(
              m.added(pastText(profile, new Date(device.createdAt), now)),
              device.lastSentAt ? m.lastSent(pastText(profile, new Date(device.lastSentAt), now)) : m.neverSent,
            )}
            problem={device.lastError}
          >
            <Button onClick={() => remove(device)}>{m.remove}</Button>
          </Entry>
        )}
      </Rows>
      {query.data && devices.length === 0 && <p class="muted">{m.noDevices}</p>}
    </Section>
  );
}
