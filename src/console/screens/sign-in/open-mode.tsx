import { useService } from "../../client/service.ts";
import { shell } from "../../messages/shell.ts";
import { Callout } from "../../ui/callout.tsx";

/** An open service still asks to sign in, and says what else can be done with it. */
export function OpenMode() {
  const service = useService();
  if (service?.accessMode !== "open") return null;
  return <Callout>{shell.openMode}</Callout>;
}
