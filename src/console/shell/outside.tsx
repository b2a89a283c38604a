import type { ComponentChildren } from "preact";
import { shell } from "../messages/shell.ts";
import { Brand } from "./brand.tsx";

/** Around the pages that need no session. */
export function Outside({ children }: { children: ComponentChildren }) {
  return (
    <div class="outside">
      <a class="skip" href="#main">
        {shell.skip}
      </a>
      <header>
        <Brand />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
