import { shell } from "../messages/shell.ts";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";

/** For an address that leads nowhere, with a link that leads on. */
export function NotFound({ href, text }: { href: string; text: string }) {
  const action = (
    <a class="button primary" href={href}>
      {text}
    </a>
  );
  return (
    <Page heading={shell.notFound.heading}>
      <Empty icon="search" title={shell.notFound.text} action={action} />
    </Page>
  );
}
