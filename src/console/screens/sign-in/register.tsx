import { Callout } from "../../ui/callout.tsx";
import "../../base.ts";
import type { components } from "#api";
import { api } from "../../client/api.ts";
import { attempt } from "../../client/notices.ts";
import { useService } from "../../client/service.ts";
import { signIn as begin } from "../../client/session.ts";
import { transmit } from "../../client/transport.ts";
import { providers, receivers } from "../../messages/providers.ts";
import { signIn } from "../../messages/sign-in.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { SignForm } from "./form.tsx";

type ProfileChanges = components["schemas"]["ProfileChanges"];

export default function Register({ query }: ScreenProps) {
  const service = useService();
  const next = query.get("next");
  const back = next ? `/app/sign-in?next=${encodeURIComponent(next)}` : "/app/sign-in";
  const isFirst = service?.firstAccount === true;
  return (
    <Page heading={signIn.registerHeading} lead={isFirst ? signIn.firstLead : signIn.registerLead}>
      {isFirst && <Callout>{signIn.firstNotice}</Callout>}
      {service?.registrationOpen === false && <Callout>{signIn.closed}</Callout>}
      <SignForm
        button={signIn.createAccount}
        required={{ name: signIn.enterName, email: signIn.enterEmail, password: signIn.enterPassword }}
        send={(values) => register(values, Boolean(service?.aiProvider) && !values.useModels)}
      >
        <TextField label={signIn.name} name="name" autocomplete="name" autofocus />
        <TextField label={signIn.email} name="email" type="email" autocomplete="username" />
        <TextField
          label={signIn.password}
          name="password"
          type="password"
          autocomplete="new-password"
          hint={signIn.passwordHint}
        />
        {service?.aiProvider && (
          <label class="check-option">
            <input type="checkbox" name="useModels" defaultChecked />
            <span>
              {signIn.useModels(providers[service.aiProvider])}
              <small class="muted">{signIn.useModelsHint(receivers[service.aiProvider])}</small>
            </span>
          </label>
        )}
        {service?.setupTokenRequired && (
          <TextField
            label={signIn.setupToken}
            name="setupToken"
            type="password"
            autocomplete="off"
            hint={signIn.setupTokenHint}
          />
        )}
      </SignForm>
      {!isFirst && (
        <p class="sign-links wrap between hint">
          <span>
            {signIn.haveAccount} <a href={back}>{signIn.signIn}</a>
          </span>
        </p>
      )}
    </Page>
  );
}

async function register(
  { name = "", email = "", password = "", setupToken }: Record<string, string>,
  switchesModelsOff: boolean,
) {
  const address = email.trim();
  const { token } = await api.post("/api/auth/register", {
    body: { name: name.trim(), email: address, password, ...(setupToken && { setupToken: setupToken.trim() }) },
  });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  // Before the console opens, which reads the profile first.
  await takeHabits(headers);
  // The account exists by now: what fails is said in the console, where it can be tried again.
  if (switchesModelsOff) {
    const body = JSON.stringify({ model: "builtin" });
    await attempt(signIn.modelsStillOn, () => transmit({ method: "POST", path: "/api/ai-model", headers, body }));
  }
  await begin(address, password);
  // The session of the registration would stay in the list of sessions, used by nobody.
  await transmit({ method: "POST", path: "/api/auth/logout", headers }).catch(() => {});
}

/** A new profile starts with how this browser writes times. From then on only the profile counts. */
async function takeHabits(headers: Record<string, string>): Promise<void> {
  const { timeZone, hourCycle } = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions();
  const timeFormat = hourCycle === "h12" || hourCycle === "h11" ? "12h" : "24h";
  const send = (changes: ProfileChanges) =>
    transmit({ method: "PATCH", path: "/api/settings/profile", headers, body: JSON.stringify(changes) });
  await send({ timeZone, timeFormat, locale: navigator.language })
    // A language or a zone that the service does not know must not cost the rest.
    .catch(() => send({ timeFormat }))
    .catch(() => {});
}
