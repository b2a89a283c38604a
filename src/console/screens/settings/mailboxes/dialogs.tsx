import { useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { reasonOf, toast } from "../../../client/notices.ts";
import { isProblem } from "../../../client/problem.ts";
import { useGet } from "../../../client/queries.ts";
import { mailboxes as m } from "../../../messages/settings-mailboxes.ts";
import { Button } from "../../../ui/button.tsx";
import { Callout } from "../../../ui/callout.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { type Mailbox, type Preset, rereadMailboxes } from "./mailbox.ts";

type Values = Record<string, string>;
type TestResult = components["schemas"]["MailboxTestResult"];

const HISTORY_DAYS = [30, 90, 180, 365];

const text = (values: Values, name: string) => values[name]?.trim() ?? "";

/** The servers and the user name as they are in the form: what is empty is left to the service. */
function connectionOf(values: Values) {
  const server = (kind: "imap" | "smtp") => {
    const [host, port] = [text(values, `${kind}.host`), Number(values[`${kind}.port`])];
    return host ? { [kind]: { host, port } } : {};
  };
  const username = text(values, "username");
  return { ...server("imap"), ...server("smtp"), ...(username && { username }) };
}

export function ConnectDialog({ onClose }: { onClose(): void }) {
  const presets = useGet(["mailbox", "presets"], "/api/settings/mailboxes/presets", {
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.data;
  const [address, setAddress] = useState("");
  const [chosen, setChosen] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const domain = address.trim().toLowerCase().split("@")[1] ?? "";
  const found = presets?.find(({ domains }) => domains.includes(domain));
  const preset = found ?? presets?.find(({ id }) => id === chosen);
  const isUnknown = domain.includes(".") && presets !== undefined && !found;

  async function connect(values: Values) {
    const days = Number(values.historyDays);
    const [label, name] = [text(values, "label"), text(values, "name")];
    try {
      const { status } = await api.post("/api/settings/mailboxes", {
        body: {
          address: text(values, "address"),
          password: values.password ?? "",
          ...connectionOf(values),
          ...(label && { label }),
          ...(name && { name }),
          historyDays: days,
        },
      });
      toast(status === "connected" ? m.connected : m.savedUnverified);
    } catch (error) {
      if (isProblem(error) && error.fields.some(({ path }) => /^(?:imap|smtp|username)/.test(path))) setIsOpen(true);
      throw error;
    }
    void rereadMailboxes();
  }

  return (
    <FormDialog
      title={m.add}
      button={m.connect}
      required={{ address: m.enterAddress, password: m.enterPassword }}
      send={connect}
      onClose={onClose}
      beside={<TestButton />}
    >
      <TextField
        label={m.address}
        name="address"
        type="email"
        autocomplete="off"
        maxLength={254}
        autofocus
        onInput={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      {isUnknown && (
        <SelectField
          label={m.provider}
          defaultValue=""
          options={[
            ["", m.otherProvider],
            ...presets.filter(({ canConnect }) => canConnect).map(({ id, name }) => [id, name] as const),
          ]}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      )}
      {preset && <Advice preset={preset} />}
      <TextField
        label={m.password}
        name="password"
        type="password"
        autocomplete="off"
        maxLength={1000}
        hint={m.passwordHint}
        spellcheck={false}
      />
      <Servers
        key={preset?.id ?? ""}
        isOpen={isOpen || (isUnknown && !preset)}
        {...(isUnknown && preset?.servers ? { servers: preset.servers } : {})}
      />
      <TextField label={m.label} name="label" maxLength={60} hint={m.labelHint} />
      <TextField label={m.name} name="name" maxLength={100} hint={m.nameHint} />
      <History days={30} />
    </FormDialog>
  );
}

function Advice({ preset: { name, advice, url, canConnect } }: { preset: Preset }) {
  return (
    <Callout tone={canConnect ? "info" : "warn"} role="note">
      {advice}{" "}
      <a href={url} target="_blank" rel="noreferrer">
        {m.where(name)}
      </a>
    </Callout>
  );
}

interface ServersProps {
  isOpen: boolean;
  /** Filled in, to be sent and changed. Where nothing is, the service knows them by the address. */
  servers?: NonNullable<Preset["servers"]>;
  username?: string;
}

function Servers({ isOpen, servers, username = "" }: ServersProps) {
  return (
    <details class="form-more" open={isOpen}>
      <summary>{m.servers}</summary>
      <div class="stack gap-12">
        <TextField
          label={m.username}
          name="username"
          defaultValue={username}
          autocomplete="off"
          maxLength={320}
          hint={m.usernameHint}
          spellcheck={false}
        />
        <TextField
          label={m.imapHost}
          name="imap.host"
          defaultValue={servers?.imap.host ?? ""}
          autocomplete="off"
          maxLength={253}
          spellcheck={false}
        />
        <TextField
          label={m.imapPort}
          name="imap.port"
          type="number"
          defaultValue={String(servers?.imap.port ?? 993)}
          hint={m.imapPortHint}
        />
        <TextField
          label={m.smtpHost}
          name="smtp.host"
          defaultValue={servers?.smtp.host ?? ""}
          autocomplete="off"
          maxLength={253}
          spellcheck={false}
        />
        <TextField
          label={m.smtpPort}
          name="smtp.port"
          type="number"
          defaultValue={String(servers?.smtp.port ?? 465)}
          hint={m.smtpPortHint}
        />
      </div>
    </details>
  );
}

function History({ days }: { days: number }) {
  const choices = HISTORY_DAYS.includes(days) ? HISTORY_DAYS : [days, ...HISTORY_DAYS];
  return (
    <SelectField
      label={m.history}
      name="historyDays"
      defaultValue={String(days)}
      options={choices.map((each) => [String(each), m.historyDays(each)])}
      hint={m.historyHint}
    />
  );
}

/** Logs in with what is in the form, and saves nothing. */
function TestButton() {
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<TestResult | string | null>(null);

  async function test(form: HTMLFormElement | null) {
    if (!form) return;
    const values: Values = {};
    for (const [name, value] of new FormData(form)) if (typeof value === "string") values[name] = value;
    if (!text(values, "address") || !values.password) {
      setResult(text(values, "address") ? m.enterPassword : m.enterAddress);
      return;
    }
    setIsBusy(true);
    setResult(null);
    try {
      const body = { address: text(values, "address"), password: values.password, ...connectionOf(values) };
      setResult(await api.post("/api/settings/mailboxes/test", { body }));
    } catch (error) {
      setResult(reasonOf(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <>
      <Button isBusy={isBusy} onClick={({ currentTarget }) => void test(currentTarget.form)}>
        {m.test}
      </Button>
      <div class="mailbox-test" role="status">
        {typeof result === "string" && <Callout tone="warn">{result}</Callout>}
        {result !== null && typeof result !== "string" && (
          <>
            <Outcome what={m.receiving} of={result.imap} />
            <Outcome what={m.sending} of={result.smtp} />
          </>
        )}
      </div>
    </>
  );
}

function Outcome({ what, of: { ok, code, reason } }: { what: string; of: TestResult["imap"] | TestResult["smtp"] }) {
  if (ok) return <Callout tone="good">{m.works(what)}</Callout>;
  const isRefused = code === "mailbox_auth_failed";
  return (
    <Callout tone="danger">
      {m.fails(what, isRefused ? m.refused : (reason ?? ""))} {isRefused && reason && m.said(reason)}
    </Callout>
  );
}

export function EditDialog({ mailbox, onClose }: { mailbox: Mailbox; onClose(): void }) {
  const { id, version, label, name, historyDays } = mailbox;
  return (
    <FormDialog
      title={m.editTitle(label)}
      required={{ label: m.enterLabel }}
      onClose={onClose}
      send={async (values) => {
        const body = {
          label: text(values, "label"),
          name: text(values, "name") || null,
          historyDays: Number(values.historyDays),
        };
        await api.patch("/api/settings/mailboxes/{id}", { params: { id }, body, version });
        toast(m.saved);
        void rereadMailboxes();
      }}
    >
      <TextField label={m.label} name="label" defaultValue={label} maxLength={60} autofocus />
      <TextField label={m.name} name="name" defaultValue={name ?? ""} maxLength={100} hint={m.nameHint} />
      <History days={historyDays} />
    </FormDialog>
  );
}

/** Also for other servers and another user name, which need the password again. */
export function PasswordDialog({ mailbox, onClose }: { mailbox: Mailbox; onClose(): void }) {
  const { id, version, label, imap, smtp, username } = mailbox;
  return (
    <FormDialog
      title={m.passwordTitle(label)}
      required={{ password: m.enterPassword }}
      onClose={onClose}
      send={async (values) => {
        const body = { password: values.password ?? "", ...connectionOf(values) };
        const { status } = await api.patch("/api/settings/mailboxes/{id}", { params: { id }, body, version });
        toast(status === "connected" ? m.saved : m.savedUnverified);
        void rereadMailboxes();
      }}
    >
      <TextField
        label={m.password}
        name="password"
        type="password"
        autocomplete="off"
        maxLength={1000}
        hint={m.passwordHint}
        spellcheck={false}
        autofocus
      />
      <Servers isOpen={false} servers={{ imap, smtp }} username={username} />
    </FormDialog>
  );
}
