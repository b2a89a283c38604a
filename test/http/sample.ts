import { env } from "cloudflare:workers";
import { z } from "@hono/zod-openapi";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import { integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import type { Context } from "../../src/context.ts";
import { versionIs } from "../../src/db/version.ts";
import { anyone, data, owner, user } from "../../src/http/guards.ts";
import { createRouter } from "../../src/http/router.ts";
import { FlagParam, Id, IdParam, listOf, pageParams, Timestamp, TimestampInput } from "../../src/http/schemas.ts";
import { decodeCursor, encodeCursor } from "../../src/lib/cursor.ts";
import { AppError } from "../../src/lib/errors.ts";
import { heldBack } from "./hold.ts";

/*
 * A feature that exists for these tests only: notes in folders. It uses every tool of src/http, so
 * that the conventions are tested through HTTP and without leaning on any real feature.
 */

const notes = sqliteTable(
  "sample_notes",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    folder: text("folder").notNull(),
    title: text("title").notNull(),
    version: integer("version").notNull().default(1),
  },
  (table) => [unique().on(table.folder, table.title)],
);

await env.DB.exec(
  "CREATE TABLE IF NOT EXISTS sample_notes (id INTEGER PRIMARY KEY AUTOINCREMENT, folder TEXT NOT NULL, " +
    "title TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1, UNIQUE (folder, title))",
);

await env.DB.exec("CREATE VIRTUAL TABLE IF NOT EXISTS sample_search USING fts5(text)");

const Note = z
  .object({ id: Id, folder: z.string(), title: z.string(), version: z.int() })
  .openapi("SampleNote", { example: { id: 1, folder: "home", title: "Milk", version: 1 } });
const NewNote = z.object({
  folder: z.string().min(1),
  title: z
    .string()
    .min(1)
    .max(1024 * 1024),
  stars: z.int().min(1).max(5).optional(),
  tags: z.array(z.string().min(2)).optional(),
});
const Who = z
  .object({ kind: z.string(), userId: z.int().nullable() })
  .openapi("SampleWho", { example: { kind: "anonymous", userId: null } });
const Share = z
  .object({
    noteId: z.int(),
    secret: z.string().nullable(),
    links: z.array(z.object({ secret: z.string().nullable() })),
  })
  .openapi("SampleShare", { example: { noteId: 1, secret: null, links: [] } });
const Moment = z.object({ at: Timestamp, urgent: z.boolean() }).openapi("SampleMoment");
const idParams = z.object({ id: IdParam });

export const router = createRouter();

router.endpoint("get", "/api/notes", {
  operationId: "listNotes",
  summary: "List notes, newest first",
  guard: data("tasks:read"),
  query: z.object({ ...pageParams, folder: z.string(), list: z.enum(["notes", "drafts"]).default("notes") }),
  returns: { 200: listOf(Note, "SampleNoteList") },
  errors: ["invalid_cursor", "misconfigured"],
  handle: async ({ ctx, query }) => {
    const { folder, limit, cursor, list } = query;
    const secrets = ctx.config.secrets("JWT_SECRET");
    const after = cursor === undefined ? undefined : Number(decodeCursor(secrets, list, cursor)[0]);
    const rows = await ctx.db
      .select()
      .from(notes)
      .where(and(eq(notes.folder, folder), after === undefined ? undefined : lt(notes.id, after)))
      .orderBy(desc(notes.id))
      .limit(limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return { data: page, nextCursor: rows.length > limit && last ? encodeCursor(secrets, list, [last.id]) : null };
  },
});

router.endpoint("post", "/api/notes", {
  operationId: "createNote",
  summary: "Create a note",
  guard: data("tasks:write"),
  query: z.object({ notify: FlagParam.optional() }),
  body: NewNote,
  returns: { 201: Note },
  errors: ["unavailable"],
  idempotent: true,
  handle: async ({ c, ctx, body }) => {
    const { folder, title } = body;
    await heldBack(title);
    if (title.startsWith("misses")) {
      const { db } = ctx;
      await Promise.all([0, -1].map((id) => db.update(notes).set({ title }).where(eq(notes.id, id))));
      throw new AppError("unavailable", "Its writes met nothing.");
    }
    const [note] = await ctx.db.insert(notes).values({ folder, title }).returning();
    if (!note) throw new Error("the insert returned nothing");
    if (title.startsWith("breaks off")) throw new AppError("unavailable", "It broke off after its change.");
    c.header("Location", `/api/notes/${note.id}`);
    return note;
  },
});

router.endpoint("get", "/api/notes/{id}", {
  operationId: "getNote",
  summary: "Read a note",
  guard: data("tasks:read"),
  params: idParams,
  returns: { 200: Note },
  errors: ["not_found"],
  handle: ({ ctx, params }) => findNote(ctx, params.id),
});

router.endpoint("patch", "/api/notes/{id}", {
  operationId: "updateNote",
  summary: "Change a note",
  guard: data("tasks:write"),
  params: idParams,
  body: z.object({ title: z.string().min(1).optional() }),
  returns: { 200: Note },
  errors: ["not_found", "nothing_to_update", "conflict"],
  ifMatch: true,
  handle: async ({ ctx, params, body, ifMatch }) => {
    const { title } = body;
    if (title === undefined) throw new AppError("nothing_to_update");
    if (title === "locked") {
      throw new AppError("conflict", "The note is locked.", { details: { allowed: ["read"], status: "locked" } });
    }
    const { db } = ctx;
    const [note] = await db
      .update(notes)
      .set({ title, version: sql`${notes.version} + 1` })
      .where(and(eq(notes.id, params.id), versionIs(notes.version, ifMatch)))
      .returning();
    if (note) return note;
    await findNote(ctx, params.id);
    throw new AppError("version_conflict");
  },
});

router.endpoint("delete", "/api/notes/{id}", {
  operationId: "deleteNote",
  summary: "Delete a note",
  guard: data("tasks:write"),
  params: idParams,
  returns: { 204: null },
  handle: async ({ c, ctx, params }) => {
    await ctx.db.delete(notes).where(eq(notes.id, params.id));
    return c.body(null, 204);
  },
});

router.endpoint("post", "/api/notes/{id}/shares", {
  operationId: "shareNote",
  summary: "Share a note; the secret is shown once",
  guard: data("tasks:write"),
  params: idParams,
  returns: { 201: Share },
  idempotent: { secrets: ["secret"] },
  handle: async ({ params }) => {
    const secret = `shown-once-${crypto.randomUUID()}`;
    return { noteId: params.id, secret, links: [{ secret }] };
  },
});

router.endpoint("post", "/api/notes/{id}/reminders", {
  operationId: "remindOfNote",
  summary: "Takes no body and answers none",
  guard: data("tasks:write"),
  params: idParams,
  returns: { 202: null },
  idempotent: true,
  handle: async ({ c }) => c.body(null, 202),
});

router.endpoint("post", "/api/notes/moments", {
  operationId: "makeMoment",
  summary: "Every member of the body is optional; the body is not",
  guard: anyone,
  query: z.object({ urgent: FlagParam.optional() }),
  body: z.object({ at: TimestampInput.optional() }),
  returns: { 200: Moment },
  handle: async ({ query, body }) => {
    const { at = new Date(0) } = body;
    return { at: at.toISOString(), urgent: query.urgent ?? false };
  },
});

router.endpoint("post", "/api/notes/failures", {
  operationId: "fail",
  summary: "Breaks in the way it is told to, with the value bound to a statement",
  guard: anyone,
  body: z.object({ how: z.enum(["unique", "batch", "search", "type", "json", "code"]), value: z.string() }),
  returns: { 204: null },
  handle: async ({ ctx, body }) => {
    const { db, config } = ctx;
    const { how, value } = body;
    const twice = db.insert(notes).values({ folder: value, title: value });
    const bind = (query: string, given: unknown) => config.bindings.DB.prepare(query).bind(given).all();
    if (how === "unique") await twice.then(() => twice.execute());
    if (how === "batch") await db.batch([twice, twice]);
    if (how === "search") await bind("SELECT * FROM sample_search WHERE sample_search MATCH ?", `${value}:x`);
    if (how === "type") await bind("SELECT ?", { toString: () => value });
    if (how === "json") JSON.parse(value);
    throw new TypeError("A mistake in the code");
  },
});

for (const [name, guard] of Object.entries({ anyone, data: data("tasks:read"), user, owner })) {
  router.endpoint("get", `/api/notes/who/${name}`, {
    operationId: `who_${name}`,
    summary: "Who the guard let in",
    guard,
    returns: { 200: Who },
    handle: async ({ ctx }) => {
      const { actor } = ctx;
      return { kind: actor.kind, userId: "user" in actor ? actor.user.id : null };
    },
  });
}

for (const rateLimit of ["auth", "expensive"] as const) {
  router.endpoint("post", `/api/notes/limited/${rateLimit}`, {
    operationId: `limited_${rateLimit}`,
    summary: "Behind a rate limit",
    guard: owner,
    rateLimit,
    returns: { 204: null },
    handle: async ({ c }) => c.body(null, 204),
  });
}

async function findNote(ctx: Context, id: number) {
  const note = await ctx.db.select().from(notes).where(eq(notes.id, id)).get();
  if (!note) throw new AppError("not_found", `There is no note ${id}.`);
  return note;
}
