import type { Act } from "../../reader/read.ts";
import type { Request } from "../../request/request.ts";
import { askAbout } from "../answers/about.ts";
import { askDay, askFree } from "../answers/day.ts";
import { askMail, readMail } from "../answers/mail.ts";
import { askTasks } from "../answers/tasks.ts";
import type { Answer, Planned, Scene } from "../plan.ts";
import { addEvent, addTask } from "./add.ts";
import { again, instead, redo, undo } from "./back.ts";
import * as change from "./change.ts";
import { done, remove, reopen } from "./finish.ts";
import { respond } from "./invitation.ts";
import * as mail from "./mail.ts";
import { makeTasks } from "./make-tasks.ts";
import { retime } from "./retime.ts";

/** Requests that change something, each with what plans the change. */
const WRITES = {
  add_task: addTask,
  add_event: addEvent,
  move: retime("move"),
  later: retime("later"),
  earlier: retime("earlier"),
  length: retime("length"),
  longer: retime("longer"),
  shorter: retime("shorter"),
  until: retime("until"),
  rename: change.rename,
  place: change.place,
  invite: change.invite,
  uninvite: change.uninvite,
  priority: change.priority,
  undate: change.undate,
  to_list: change.toList,
  repeat: change.repeat,
  no_repeat: change.noRepeat,
  remind: change.remind,
  note: change.note,
  done,
  reopen,
  remove,
  accept: respond("accepted"),
  decline: respond("declined"),
  maybe: respond("tentative"),
  star: mail.flag({ isStarred: true }),
  unstar: mail.flag({ isStarred: false }),
  archive: mail.flag({ status: "archived" }),
  inbox: mail.flag({ status: "inbox" }),
  mark_read: mail.flag({ isRead: true }),
  mark_unread: mail.flag({ isRead: false }),
  tag: mail.tag,
  untag: mail.untag,
  snooze: mail.snooze,
  unsubscribe: mail.unsubscribe,
  reply: mail.reply,
  forward: mail.forward,
  write: mail.write,
  send: mail.send,
  make_tasks: makeTasks,
  undo,
  redo,
  other: instead,
  pick: again,
} satisfies Partial<Record<Act, Write>>;

/** Requests that only ask. What answers them cannot reach a tool that writes. */
const READS = {
  ask_day: askDay,
  ask_free: askFree,
  ask_tasks: askTasks,
  ask_mail: askMail,
  ask_about: askAbout,
  read: readMail(false),
  summarise: readMail(true),
} satisfies Partial<Record<Act, (scene: Scene, request: Request) => Promise<Answer>>>;

type Write = (scene: Scene, request: Request) => Promise<Planned> | Planned;
type Read = (scene: Scene, request: Request) => Promise<Answer>;

export const writeFor = (act: Act): Write | null => (act in WRITES ? WRITES[act as keyof typeof WRITES] : null);
export const readFor = (act: Act): Read | null => (act in READS ? READS[act as keyof typeof READS] : null);
