import { useLayoutEffect, useRef } from "preact/hooks";
import { compose as m } from "../../../messages/compose.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { fragmentOf } from "./rich/clean.ts";
import { fragmentOfText } from "./rich/written.ts";
import { useIdentities } from "./sender.tsx";

interface SignatureProps {
  identityId: number | null;
  /** What is written: a signature that stands there is not put under it again. */
  text: string;
  isOn: boolean;
  onRemove(): void;
  onAdd(): void;
}

/** What the service puts under the text, as it will stand there. It follows the sender. */
export function Signature({ identityId, text, isOn, onRemove, onAdd }: SignatureProps) {
  const { chosen } = useIdentities(identityId);
  const shown = useRef<HTMLDivElement>(null);
  const own = chosen?.signature?.trim() ?? "";
  const markup = chosen?.signatureHtml?.trim() ?? "";
  const isThere = own !== "" && text.includes(own);
  useLayoutEffect(() => {
    shown.current?.replaceChildren(markup ? fragmentOf(markup, { pictureOf: () => null }) : fragmentOfText(own));
  }, [own, markup, isOn, isThere]);
  if ((own === "" && markup === "") || isThere) return null;
  if (!isOn) {
    return (
      <Button tone="quiet" onClick={onAdd}>
        {m.addSignature}
      </Button>
    );
  }
  return (
    <section class="compose-signature line gap-8" aria-label={m.signature}>
      <div ref={shown} class="grow muted" />
      <IconButton icon="close" label={m.removeSignature} onClick={onRemove} />
    </section>
  );
}
