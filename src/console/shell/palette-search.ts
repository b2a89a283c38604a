import { useEffect, useState } from "preact/hooks";
import { api } from "../client/api.ts";
import type { Command } from "../lib/commands.ts";
import { navigate } from "../lib/router.ts";
import { shell } from "../messages/shell.ts";

export interface Entry extends Command {
  group: string;
  detail?: string;
}

const PAUSE_MS = 180;
const SHOWN = 5;

/** Searches the data while somebody types. An answer that comes after the next letter is thrown away. */
export function useFound(query: string): { found: Entry[]; isSearching: boolean } {
  const [result, setResult] = useState<{ query: string; found: Entry[] }>({ query: "", found: [] });
  const text = query.trim();
  useEffect(() => {
    if (text.length < 2) return;
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      const found = await Promise.all(SEARCHES.map((search) => search(text, leaving.signal).catch(() => [])));
      if (!leaving.signal.aborted) setResult({ query: text, found: found.flat() });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text]);
  return {
    found: text.length < 2 ? [] : result.found,
    isSearching: text.length >= 2 && result.query !== text,
  };
}

type Search = (q: string, signal: AbortSignal) => Promise<Entry[]>;

const findTasks: Search = async (q, signal) => {
  const { data } = await api.get("/api/tasks", { query: { q, limit: SHOWN, sort: "created" }, signal });
  return data.map(({ id, title, tags }) => ({
    id: `task-${id}`,
    group: shell.palette.tasks,
    icon: "tasks",
    label: title,
    detail: tags.join(", "),
    run: () => navigate(`/app/tasks/${id}`),
  }));
};

const findEmails: Search = async (q, signal) => {
  const { data } = await api.get("/api/emails", { query: { q, status: "any", limit: SHOWN }, signal });
  return data.map(({ id, subject, from, status }) => ({
    id: `email-${id}`,
    group: shell.palette.emails,
    icon: "mail",
    label: subject || from.email,
    detail: from.name || from.email,
    run: () => navigate(`/app/mail/${status === "archived" ? "archive" : status}/${id}`),
  }));
};

/** Screens add their search here. */
const SEARCHES: readonly Search[] = [findEmails, findTasks];
