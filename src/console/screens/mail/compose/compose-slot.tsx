import { useLayoutEffect, useRef } from "preact/hooks";
import { addSlot } from "./windows.ts";

/** Where a message is answered: below it. */
export function ComposeSlot({ emailId }: { emailId: number }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (element.current ? addSlot(emailId, element.current) : undefined), [emailId]);
  return <div ref={element} class="compose-slot" />;
}
