import type { WritingTool } from "../../../../lib/chat-tools.ts";

/** Every sentence that the built-in engine says in each of its languages. */
export interface Phrases {
  due(when: string): string;
  allDay: string;
  priority: Record<"low" | "medium" | "high" | "urgent", string>;
  noDueDate: string;
  reminder(times: readonly string[]): string;
  atItsTime: string;
  before(length: string): string;
  repeating: string;
  addedTask(line: string, list: string | null): string;
  addedEvent(line: string): string;
  noInvitation(people: string): string;
  overlaps(events: string): string;
  done(title: string): string;
  reopened(title: string): string;
  removedTask(title: string): string;
  /** So many tasks were taken off the list, and so many events cancelled. */
  cleared(tasks: number, events: number): string;
  changed(line: string): string;
  /** When the person will be reminded of something: "1 hour before". */
  reminds(times: readonly string[], title: string): string;
  cancelled(line: string): string;
  moved(line: string): string;
  movedToList(list: string, title: string): string;
  providerUnchanged: string;
  proposed(summary: string): string;
  undone(title: string, tool: string): string;
  redone(title: string): string;
  notUndone(title: string, reason: string): string;
  /** What a call would do: "cancel “Gym”". */
  deeds: Record<Exclude<WritingTool, "move_event"> | "remove_task" | "trash_mail", (name: string) => string> & {
    move_event(name: string, to?: string): string;
  };
  confirm(deeds: readonly string[]): string;
  which(words: string): string;
  whichOne: string;
  open: string;
  askTitle: string;
  askTask(list: string | null): string;
  askWhen(title: string): string;
  askMoveTo(title: string): string;
  askTime(day: string): string;
  askDay(span: string): string;
  past: string;
  noTimeFound: string;
  /** After a time that cannot be. */
  whenInstead: string;
  notFound(name: string, kind?: "task" | "event" | "email" | "draft" | "slot"): string;
  unclear: string;
  found(line: string): string;
  whatToChange(line: string): string;
  unchanged: string;
  /** The words of the message that were not understood. */
  notUnderstood(part: string): string;
  /** The nearest that can be done for the kind of record that was named. */
  nearest(kind: "task" | "event" | "email" | "draft" | "slot" | null): string;
  /** What is taken for a remark may be none. */
  remark(part: string): string;
  /** The time here, with the name of the zone, or in a city. */
  timeIs(time: string, place: string, isHere: boolean): string;
  cannotAnswer: string;
  cannot: string;
  notUsed(words: string): string;
  sayAgain(rest: string): string;
  tooMany(parts: string): string;
  noted: string;
  welcome: string;
  hello: string;
  goodbye: string;
  nothingToConfirm: string;
  nothingMore: string;
  notChanged: string;
  noEvents(when: string): string;
  events(count: number, when: string): string;
  tasksDue(count: number): string;
  noTasks(which: string): string;
  tasks(count: string, which: string, isOne: boolean): string;
  dueIn(when: string): string;
  overdue: string;
  finished: string;
  nextDays(days: number): string;
  on(when: string): string;
  next(line: string): string;
  free(when: string): string;
  notFree(minutes: number, when: string): string;
  isFree(moment: string, minutes: number): string;
  isBusy(moment: string): string;
  taken: string;
  conflicts: string;
  noConflicts(when: string): string;
  noConflict(moment: string): string;
  more(count: number): string;
  /** The request is understood, but only in English. */
  onlyEnglish: string;
  help: string;
}
