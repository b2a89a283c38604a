import type { ComponentChildren } from "preact";
import { Form, type FormProps } from "../../ui/form.tsx";
import { Icon } from "../../ui/icon.tsx";

export function SignForm(props: FormProps) {
  return <Form {...props} class="sign-form" />;
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
