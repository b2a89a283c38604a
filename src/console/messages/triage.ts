/** Of Mail, and not of Today, which has the other texts of emails in its first load. */
export const triage = {
  wokenAt: (when: string) => `Back from snooze since ${when}`,
  isBack: "Back",
  task: {
    title: "Add a task",
    name: "Task",
    due: "Due",
    dueHint: "In your words: tomorrow, friday 5pm. May stay empty.",
    enterTitle: "Enter a title.",
    added: "Task added",
    show: "Show tasks",
  },
  addTask: "Add a task",
  addEvent: "Add an event",
  addRule: "Rule for this sender",
  print: "Print",
  selectAll: "Select all",
  selectAllIn: (box: string) => `Select everything in ${box}`,
  selectAllFound: "Select everything found",
  allSelected: (count: number, hasMore: boolean) =>
    hasMore ? `${count.toLocaleString("en")} or more selected` : `${count} selected`,
  counting: "Counting…",
  notCounted: "The emails were not counted.",
  partlyChanged: (done: number, all: number) =>
    `${done} of ${all} were changed. Try again for the rest: nothing is changed twice.`,
  showCompact: "Show compact rows",
  showComfortable: "Show comfortable rows",
};
