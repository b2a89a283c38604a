import { emails } from "../features/emails/routes.ts";
import { tasks } from "../features/tasks/routes.ts";
import type { Feature } from "../http/route.ts";

export const features: readonly Feature[] = [
  {
    path: "/api/emails",
    tag: "Emails",
    description: "Mail: lists, search, threads, tags, answers, and what it asks for.",
    router: emails,
  },
  { path: "/api/tasks", tag: "Tasks", description: "What is to be done, and by when.", router: tasks },
];
