import { useEffect, useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../client/api.ts";
import { attempt } from "../../client/notices.ts";
import { queryClient, useGet } from "../../client/queries.ts";
import { withQuery } from "../../lib/router.ts";
import { find } from "../../messages/find.ts";
import { mail } from "../../messages/mail.ts";
import { type BoxName, boxOf } from "./boxes.ts";
import type { NameDialog } from "./name-search.tsx";
import { placeIn, remember, searchIn } from "./search.ts";

type SavedSearch = components["schemas"]["SavedSearch"];

const KEY: ["setting", string] = ["setting", "email-searches"];

export function useSaved(): readonly SavedSearch[] {
  const { data } = useGet(KEY, "/api/emails/searches", { query: { limit: 100 }, staleTime: 60_000 });
  return data?.data ?? [];
}

const changed = () => queryClient.invalidateQueries({ queryKey: KEY });

/** Where a search looked, in words. */
export function whereOf(q: string): string {
  const place = placeIn(q);
  if (place === null) return find.allMail;
  const box = boxOf(place);
  return place === "anywhere" ? find.anywhere : box ? mail.boxes[box] : place;
}

const hrefOf = (q: string, box: BoxName) => withQuery({ q }, `/app/mail/${box}`);

/** The way to look elsewhere for the same words. */
export function Elsewhere({ q, box, isEmpty = false }: { q: string; box: BoxName; isEmpty?: boolean }) {
  const place = placeIn(q);
  if (place === "anywhere") return null;
  const [text, next] =
    place !== null
      ? [find.searchAll, null]
      : isEmpty
        ? [find.searchAnywhere, "anywhere"]
        : [find.only(mail.boxes[box]), box];
  return <a href={hrefOf(searchIn(q, next), box)}>{text}</a>;
}

/** Says where the results come from, and keeps the search. */
export function ResultsNote({ q, box }: { q: string; box: BoxName }) {
  const saved = useSaved().find((each) => each.q === q.trim());
  const [Naming, setNaming] = useState<{ Dialog: typeof NameDialog } | null>(null);
  const name = () =>
    void attempt(find.notSaved, async () => setNaming({ Dialog: (await import("./name-search.tsx")).NameDialog }));
  useEffect(() => {
    // Once nobody types any more.
    const timer = setTimeout(() => remember(q), REMEMBERED_MS);
    return () => clearTimeout(timer);
  }, [q]);
  return (
    <div class="list-note hint cluster">
      <span>{find.results(whereOf(q))}</span>
      <Elsewhere q={q} box={box} />
      {saved ? (
        <>
          <span>{find.savedAs(saved.name)}</span>
          <button type="button" class="plain-link" onClick={name}>
            {find.rename}
          </button>
          <button type="button" class="plain-link" onClick={() => void remove(saved)}>
            {find.remove}
          </button>
        </>
      ) : (
        <button type="button" class="plain-link" onClick={name}>
          {find.save}
        </button>
      )}
      {Naming && <Naming.Dialog q={q.trim()} saved={saved} onDone={changed} onClose={() => setNaming(null)} />}
    </div>
  );
}

const REMEMBERED_MS = 1500;

async function remove({ id, version }: SavedSearch): Promise<void> {
  await attempt(find.notRemoved, () => api.delete("/api/emails/searches/{id}", { params: { id }, version }));
  await changed();
}
