import { useService } from "../../client/service.ts";
import { shell } from "../../messages/shell.ts";
import { Icon } from "../../ui/icon.tsx";

/** An open service still asks to sign in, and says what else can be done with it. */
export function OpenMode() {
  const service = useService();
  if (service?.accessMode !== "open") return null;
  return (
    <p class="callout">
      <Icon name="info" />
      <span>{shell.openMode}</span>
    </p>
  );
}
