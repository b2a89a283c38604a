import type { ComponentChildren } from "preact";
import { signIn } from "../../messages/sign-in.ts";
import { TextField } from "../../ui/field.tsx";
import { Form, type FormProps } from "../../ui/form.tsx";
import { Icon } from "../../ui/icon.tsx";

export function SignForm(props: FormProps) {
  return <Form {...props} class="sign-form stack gap-16" />;
}

export function Done({ children }: { children: ComponentChildren }) {
  return (
    <div role="status">
      <p class="callout good">
        <Icon name="check" />
        <span>{children}</span>
      </p>
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
