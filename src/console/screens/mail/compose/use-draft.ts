import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { reasonOf } from "../../../client/notices.ts";
import { isProblem } from "../../../client/problem.ts";
import { keepNewest, queryClient, useGet } from "../../../client/queries.ts";
import {
  type Composition,
  type Draft,
  type Fields,
  fieldsOf,
  hasOther,
  type NewDraft,
  newDraftOf,
  originOf,
  withSuggestions,
} from "./composition.ts";
import { type First, hold, keepEmail, newPlace, release } from "./kept-email.ts";
import { draftsOf } from "./opening.ts";
import { deleteStored, readStored, writeFiles, writeStored } from "./stored.ts";

const PAUSE_MS = 700;
/** How soon it is tried again after a failure. */
const AGAIN_MS = 5000;
/** A browser sends at most 64 KB for a page that is being closed. */
const LEAVING_CHARACTERS = 20_000;

type SaveState = "new" | "saving" | "saved" | "failed";

/**
 * The draft behind the window: every change is on this device at once, and saved after a short pause, one request at a
 * time, and at once when the page may be closed. What could not be saved is tried again. The same draft may be open
 * elsewhere: what was written there is taken over, or asked about if there are changes here.
 */
export function useDraft(composition: Composition) {
  const [draft, setDraft] = useState<Draft | null>(composition.draft);
  const [fields, setFields] = useState<Fields>(
    () => composition.fields ?? { ...fieldsOf(composition.draft), ...(composition.to && { to: composition.to }) },
  );
  const [state, setState] = useState<SaveState>(composition.fields ? "failed" : composition.draft ? "saved" : "new");
  /** Why the last try failed. */
  const [reason, setReason] = useState("");
  /** What the draft is by now, where somebody else has changed it. */
  const [theirs, setTheirs] = useState<Draft | null>(null);
  /** It was sent or discarded elsewhere. */
  const [isGone, setIsGone] = useState(false);
  const latest = useRef({
    draft,
    fields,
    isDirty: composition.fields !== undefined,
    isStuck: false,
    /** Made by this window, and nobody has written anything into it. */
    isFresh: composition.draft === null && composition.fields === undefined,
    isOpen: true,
    /** The place is released when it is known what came of it. */
    isSent: false,
  });
  const saving = useRef({ count: 0, last: Promise.resolve() });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const retry = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** What was sent and not confirmed. The reply may have been lost: then the draft is changed, and by nobody else. */
  const tried = useRef<Fields[]>(composition.fields ? [composition.fields] : []);
  const origin = useRef<NewDraft>(originOf(composition));
  const first = useRef<First | null>(composition.first ?? null);
  const [place] = useState(() => composition.place ?? newPlace());

  const keep = (stored: Draft) => {
    latest.current.draft = stored;
    setDraft(stored);
    keepNewest(["draft", stored.id], stored);
    void queryClient.invalidateQueries({ queryKey: ["draft", "list"] });
    void queryClient.invalidateQueries({ queryKey: ["draft", "of"] });
  };
  const show = (next: Fields) => {
    latest.current.fields = next;
    setFields(next);
  };
  /** What is not typed here: the editor has to be told, because it takes nothing else for newer than itself. */
  const [revision, setRevision] = useState(0);
  const showOther = (next: Fields) => {
    show(next);
    setRevision((count) => count + 1);
  };
  /** On this device, until the service has it. */
  const keepHere = (isMissing = latest.current.isDirty) => {
    const { draft: known, fields: typed } = latest.current;
    const { kind, email } = composition;
    const copy = { kind, emailId: email?.id ?? null, draft: known, fields: typed, first: first.current };
    keepEmail(place, isMissing ? copy : null);
  };

  useEffect(() => {
    hold(place);
    if (composition.fields) void flush().catch(() => {});
    else if (!composition.draft && composition.email) void inTurn(() => begin(composition.email?.id ?? 0));
    return () => {
      latest.current.isOpen = false;
      // From now on, the next window or `left.ts` looks after it: two would take each other for somebody else.
      clearTimeout(retry.current);
      // What is under way is finished first: until then, nobody else looks after it.
      void saving.current.last.then(() => latest.current.isSent || release(place));
    };
  }, []);

  /** Goes on with the answer that was begun before, or begins one. */
  async function begin(emailId: number): Promise<void> {
    try {
      const found = await queryClient.fetchQuery(draftsOf(emailId));
      const before = found.find(
        (each) => (composition.kind === "forward" ? each.forwardOf : each.inReplyTo) === emailId,
      );
      const stored = before ?? (await create(origin.current, false));
      if (before) latest.current.isFresh = false;
      else if (!latest.current.isOpen && latest.current.isFresh) return void (await deleteStored(stored.id));
      keep(stored);
      const { isDirty, fields: typed } = latest.current;
      if (isDirty && stored.body.trim() !== "") return stick(stored);
      // Words that were typed while the service was asked stay.
      if (isDirty) show(withSuggestions(typed, fieldsOf(stored)));
      else showOther(fieldsOf(stored));
      if (!isDirty) setState("saved");
    } catch (failure) {
      fail(failure);
    }
  }

  const { data: stored, error } = useGet(["draft", draft?.id ?? 0], "/api/emails/drafts/{id}", {
    params: { id: draft?.id ?? 0 },
    enabled: draft !== null,
  });
  useEffect(takeOver, [stored?.version]);
  useEffect(() => {
    if (isProblem(error, "not_found") && latest.current.draft?.id === draft?.id) setIsGone(true);
  }, [error]);

  useEffect(() => {
    const leave = (event: Event) => {
      if (event.type === "pagehide" || document.visibilityState === "hidden") void flush(true).catch(() => {});
    };
    document.addEventListener("visibilitychange", leave);
    addEventListener("pagehide", leave);
    return () => {
      document.removeEventListener("visibilitychange", leave);
      removeEventListener("pagehide", leave);
    };
  }, []);

  /** What was written elsewhere, as soon as nothing of this window is unsaved: it may have been read before that. */
  function takeOver(): void {
    const { draft: known, isDirty } = latest.current;
    const newest = known && queryClient.getQueryData<Draft>(["draft", known.id]);
    if (!newest || newest.version <= known.version || isDirty || saving.current.count > 0) return;
    latest.current.draft = newest;
    setDraft(newest);
    showOther(fieldsOf(newest));
  }

  function fail(failure: unknown): void {
    setState("failed");
    setReason(reasonOf(failure));
  }

  async function store(isLeaving: boolean): Promise<void> {
    const { fields: now, draft: known } = latest.current;
    latest.current.isDirty = false;
    setState("saving");
    try {
      const keepalive = isLeaving && now.body.length < LEAVING_CHARACTERS;
      const written = known ? await write(known, now, keepalive) : await make(now, keepalive);
      keep(written);
      tried.current = [];
      if (!known) show(withSuggestions(latest.current.fields, fieldsOf(written)));
      keepHere();
      setState("saved");
    } catch (failure) {
      latest.current.isDirty = true;
      keepHere();
      fail(failure);
      clearTimeout(retry.current);
      if (latest.current.isOpen) retry.current = setTimeout(() => void flush().catch(() => {}), AGAIN_MS);
      const { draft: made } = latest.current;
      if (made && isProblem(failure, "version_conflict")) return compare(made);
      if (known && isProblem(failure, "not_found")) return startAgain(known);
      if (isProblem(failure, "validation_failed") && forgetLost(failure.fields.map(({ path }) => path)))
        return store(isLeaving);
      throw failure;
    }
  }

  /** What the text refers to may have been deleted meanwhile: the text stays. Returns whether anything changed. */
  function forgetLost(paths: readonly string[]): boolean {
    const { inReplyTo, forwardOf } = origin.current;
    const isOrigin =
      (inReplyTo ?? forwardOf) !== undefined && paths.some((path) => /^(?:inReplyTo|forwardOf)$/.test(path));
    const isIdentity = latest.current.fields.identityId !== null && paths.includes("identityId");
    if (isOrigin) origin.current = {};
    if (isIdentity) show({ ...latest.current.fields, identityId: null });
    if (isOrigin || isIdentity) first.current = null;
    return isOrigin || isIdentity;
  }

  function write(known: Draft, now: Fields, keepalive: boolean): Promise<Draft> {
    if (tried.current.at(-1) !== now) tried.current.push(now);
    return writeStored(known, now, keepalive);
  }

  function create(body: NewDraft, keepalive: boolean): Promise<Draft> {
    first.current ??= { key: crypto.randomUUID(), body };
    if (!latest.current.isFresh) keepHere(true);
    return api.post("/api/emails/drafts", { ...first.current, keepalive });
  }

  /** The reply to an earlier try may have been lost: that is repeated as it was, and changed. */
  async function make(now: Fields, keepalive: boolean): Promise<Draft> {
    const isRepeated = first.current !== null;
    const made = await create(newDraftOf(now, origin.current), keepalive);
    if (!isRepeated) return made;
    // From here on it is changed like any other draft, also if this change fails.
    keep(made);
    return write(made, withSuggestions(now, fieldsOf(made)), keepalive);
  }

  async function startAgain({ inReplyTo, forwardOf }: Draft): Promise<void> {
    setIsGone(true);
    // Its attachments went with it.
    origin.current = {
      ...(inReplyTo !== null && { inReplyTo }),
      ...(forwardOf !== null && { forwardOf, includeAttachments: false }),
    };
    first.current = null;
    latest.current.draft = null;
    setDraft(null);
    await store(false);
  }

  /** Only if the texts differ, the person has to choose. */
  async function compare(known: Draft): Promise<void> {
    const now = await readStored(known.id);
    if (hasOther(now, [fieldsOf(known), ...tried.current])) return stick(now);
    latest.current.draft = now;
    await store(false);
  }

  /** Two texts, one draft: nothing is saved until the person has chosen. */
  function stick(now: Draft): void {
    latest.current.isStuck = true;
    setTheirs(now);
  }

  function decide(isMine: boolean): void {
    if (!theirs) return;
    latest.current = { ...latest.current, draft: theirs, isDirty: isMine, isStuck: false };
    setTheirs(null);
    setDraft(theirs);
    keepHere();
    if (isMine) void flush().catch(() => {});
    else {
      showOther(fieldsOf(theirs));
      setState("saved");
      takeOver();
    }
  }

  /** Saves what is typed, after what is under way. */
  function flush(isLeaving = false): Promise<void> {
    clearTimeout(timer.current);
    clearTimeout(retry.current);
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
        takeOver();
      });
    return mine;
  }

  function edit(changes: Partial<Fields>): void {
    show({ ...latest.current.fields, ...changes });
    latest.current.isDirty = true;
    latest.current.isFresh = false;
    keepHere();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void flush().catch(() => {}), PAUSE_MS);
  }

  /** Changes the text by something else than typing. */
  function replace(changes: Partial<Fields>): void {
    edit(changes);
    setRevision((count) => count + 1);
  }

  /** Changes the files that the draft has by now: several may be added at the same time. */
  function changeFiles(edited: (ids: string[]) => string[]): Promise<void> {
    return inTurn(async () => {
      const known = latest.current.draft ?? (await make(latest.current.fields, false));
      latest.current.isFresh = false;
      const written = await writeFiles(known, edited);
      keep(written);
      if (hasOther(written, [fieldsOf(known), ...tried.current])) {
        if (latest.current.isDirty) stick(written);
        else showOther(fieldsOf(written));
      }
      keepHere();
    });
  }

  /** Nothing is saved any more. Resolves to the draft that is stored, when nothing is under way. */
  async function stop(): Promise<Draft | null> {
    clearTimeout(timer.current);
    clearTimeout(retry.current);
    latest.current.isDirty = false;
    keepHere();
    await saving.current.last;
    latest.current.isDirty = false;
    keepHere();
    return latest.current.draft;
  }

  /** Holds the place when the window is closed, until it is sent. */
  const handOver = () => Object.assign(latest.current, { isSent: true });
  const current = () => latest.current.draft;
  /** Whether there is anything that the service does not have. */
  const isUnsaved = () => latest.current.isDirty || saving.current.count > 0;
  /** The draft that nobody has written anything into. */
  const untouched = () => (latest.current.isFresh ? latest.current.draft : null);
  /** Whether nobody has written anything yet. */
  const isFresh = () => latest.current.isFresh;
  return {
    ...{ draft, fields, revision, state, reason, theirs, isGone, place },
    ...{ decide, edit, replace, flush, changeFiles, stop, handOver, current, isUnsaved, untouched, isFresh },
  };
}
