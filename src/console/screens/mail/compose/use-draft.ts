import { useEffect, useRef, useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { isProblem } from "../../../client/problem.ts";
import { queryClient, useQuery } from "../../../client/queries.ts";
import { addressesOf, type Composition, type Draft, type Fields, fieldsOf, originOf } from "./composition.ts";

type DraftChanges = components["schemas"]["DraftChanges"];
type NewDraft = components["schemas"]["NewDraft"];

const PAUSE_MS = 700;
/** A browser sends at most 64 KB for a page that is being closed. */
const LEAVING_CHARACTERS = 20_000;

export type SaveState = "new" | "saving" | "saved" | "failed";

/**
 * The draft behind the window: every change is saved after a short pause, one request at a time, and at once when the
 * page may be closed. What could not be saved stays in the window and is tried again with the next change. The same draft
 * may be open elsewhere: what was written there is taken over, or asked about if there are changes here.
 */
export function useDraft(composition: Composition) {
  const [draft, setDraft] = useState<Draft | null>(composition.draft);
  const [fields, setFields] = useState<Fields>(() => composition.fields ?? fieldsOf(composition.draft));
  const [state, setState] = useState<SaveState>(composition.draft ? "saved" : "new");
  /** What the draft is by now, where somebody else has changed it. */
  const [theirs, setTheirs] = useState<Draft | null>(null);
  /** It was sent or discarded elsewhere. */
  const [isGone, setIsGone] = useState(false);
  const latest = useRef({ draft, fields, isDirty: composition.fields !== undefined, isStuck: false });
  const saving = useRef({ count: 0, last: Promise.resolve() });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const origin = useRef<Partial<NewDraft>>(originOf(composition));

  const keep = (stored: Draft) => {
    latest.current.draft = stored;
    setDraft(stored);
    queryClient.setQueryData(["draft", stored.id], stored);
    void queryClient.invalidateQueries({ queryKey: ["draft", "list"] });
  };
  const show = (next: Fields) => {
    latest.current.fields = next;
    setFields(next);
  };

  useEffect(() => {
    if (composition.draft || composition.fields || !composition.email) return;
    let isClosed = false;
    void inTurn(async () => {
      try {
        const stored = await api.post("/api/emails/drafts", { body: origin.current });
        if (isClosed) return void (await api.delete("/api/emails/drafts/{id}", { params: { id: stored.id } }));
        keep(stored);
        const { body, ...found } = fieldsOf(stored);
        // Words that were typed while the service was asked stay.
        show({ ...found, body: latest.current.fields.body || body });
        setState("saved");
      } catch {
        setState("failed");
      }
    });
    return () => {
      isClosed = latest.current.draft === null && !latest.current.isDirty;
    };
  }, []);

  const { data: stored, error } = useQuery({
    queryKey: ["draft", draft?.id ?? 0],
    queryFn: ({ signal }) => api.get("/api/emails/drafts/{id}", { params: { id: draft?.id ?? 0 }, signal }),
    enabled: draft !== null,
  });
  useEffect(() => {
    const { draft: known, isDirty } = latest.current;
    if (!stored || !known || stored.version <= known.version || isDirty || saving.current.count > 0) return;
    latest.current.draft = stored;
    setDraft(stored);
    show(fieldsOf(stored));
  }, [stored?.version]);
  useEffect(() => {
    if (isProblem(error, "not_found") && latest.current.draft?.id === draft?.id) setIsGone(true);
  }, [error]);

  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === "hidden") void flush(true).catch(() => {});
    };
    const ask = (event: Event) => {
      if (!latest.current.isDirty && saving.current.count === 0) return;
      void flush(true).catch(() => {});
      event.preventDefault();
    };
    document.addEventListener("visibilitychange", leave);
    addEventListener("beforeunload", ask);
    return () => {
      document.removeEventListener("visibilitychange", leave);
      removeEventListener("beforeunload", ask);
    };
  }, []);

  async function store(isLeaving: boolean): Promise<void> {
    const { fields: now, draft: known } = latest.current;
    latest.current.isDirty = false;
    setState("saving");
    const body: DraftChanges = {
      to: addressesOf(now.to),
      cc: addressesOf(now.cc),
      bcc: addressesOf(now.bcc),
      subject: now.subject,
      body: now.body,
      quote: now.quote,
      identityId: now.identityId,
      // The window shows the text: a formatted version must not say something else.
      ...(known && known.html !== null && known.body !== now.body && { html: null }),
    };
    try {
      const written = await write(known, body, isLeaving && now.body.length < LEAVING_CHARACTERS);
      keep(written);
      if (!known) show(withSuggestions(latest.current.fields, fieldsOf(written)));
      setState("saved");
    } catch (failure) {
      latest.current.isDirty = true;
      setState("failed");
      if (known && isProblem(failure, "version_conflict")) await compare(known);
      else if (known && isProblem(failure, "not_found")) await startAgain(known);
      // A half-typed address is no failure worth a word.
      else if (!isProblem(failure, "validation_failed")) throw failure;
    }
  }

  async function write(known: Draft | null, body: DraftChanges, keepalive: boolean): Promise<Draft> {
    if (!known) return api.post("/api/emails/drafts", { body: { ...given(body), ...origin.current }, keepalive });
    const { id, version } = known;
    return api.patch("/api/emails/drafts/{id}", { params: { id }, body, version, keepalive });
  }

  async function startAgain({ inReplyTo, forwardOf }: Draft): Promise<void> {
    setIsGone(true);
    // Its attachments went with it.
    origin.current = {
      ...(inReplyTo !== null && { inReplyTo }),
      ...(forwardOf !== null && { forwardOf, includeAttachments: false }),
    };
    latest.current.draft = null;
    setDraft(null);
    await store(false);
  }

  /** Only if the texts differ, the person has to choose. */
  async function compare(known: Draft): Promise<void> {
    const now = await api.get("/api/emails/drafts/{id}", { params: { id: known.id } });
    const [before, after] = [fieldsOf(known), fieldsOf(now)];
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      latest.current.isStuck = true;
      setTheirs(now);
      return;
    }
    latest.current.draft = now;
    await store(false);
  }

  function decide(isMine: boolean): void {
    if (!theirs) return;
    latest.current = { ...latest.current, draft: theirs, isDirty: isMine, isStuck: false };
    setTheirs(null);
    setDraft(theirs);
    if (isMine) void flush().catch(() => {});
    else {
      show(fieldsOf(theirs));
      setState("saved");
    }
  }

  /** Saves what is typed, after what is under way. */
  function flush(isLeaving = false): Promise<void> {
    clearTimeout(timer.current);
    return inTurn(async () => {
      if (latest.current.isDirty && !latest.current.isStuck) await store(isLeaving);
    });
  }

  /** One after the other; at once if nothing is under way: a page that is being closed has no later. */
  function inTurn(run: () => Promise<void>): Promise<void> {
    const turn = saving.current;
    const mine = turn.count === 0 ? run() : turn.last.then(run);
    turn.count += 1;
    turn.last = mine
      .catch(() => {})
      .then(() => {
        turn.count -= 1;
      });
    return mine;
  }

  function edit(changes: Partial<Fields>): void {
    show({ ...latest.current.fields, ...changes });
    latest.current.isDirty = true;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void flush().catch(() => {}), PAUSE_MS);
  }

  /** Changes the files that the draft has by now: several may be added at the same time. */
  function changeFiles(edited: (ids: string[]) => string[]): Promise<void> {
    return inTurn(async () => {
      const known = latest.current.draft ?? (await write(null, { subject: latest.current.fields.subject }, false));
      const attachmentIds = edited(known.attachments.map(({ id }) => id));
      keep(await api.patch("/api/emails/drafts/{id}", { params: { id: known.id }, body: { attachmentIds } }));
    });
  }

  /** Nothing is saved any more. Resolves to the draft that is stored, when nothing is under way. */
  async function stop(): Promise<Draft | null> {
    clearTimeout(timer.current);
    latest.current.isDirty = false;
    await saving.current.last;
    return latest.current.draft;
  }

  const current = () => latest.current.draft;
  return { draft, fields, state, theirs, isGone, decide, edit, flush, changeFiles, stop, current };
}

/** Without the fields that are still empty, which the service fills in for an answer. */
function given(body: DraftChanges): DraftChanges {
  const isEmpty = (value: unknown) => value === "" || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isEmpty(value)));
}

function withSuggestions(typed: Fields, found: Fields): Fields {
  return {
    ...typed,
    to: typed.to || found.to,
    cc: typed.cc || found.cc,
    subject: typed.subject || found.subject,
  };
}
