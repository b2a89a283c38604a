import type { ComponentChildren } from "preact";
import { signIn } from "../../messages/sign-in.ts";
import { Callout } from "../../ui/callout.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, type FormProps } from "../../ui/form.tsx";

export function SignForm(props: FormProps) {
  return <Form {...props} class="sign-form stack gap-16" />;
}

export function Done({ children }: { children: ComponentChildren }) {
  return (
    <div role="status">
      <Callout tone="good">{children}</Callout>
    </div>
  );
}

/** What an account that exists signs in with. */
export function Credentials() {
  return (
    <>
      <TextField label={signIn.email} name="email" type="email" autocomplete="username" autofocus />
      <TextField label={signIn.password} name="password" type="password" autocomplete="current-password" />
    </>
  );
}
