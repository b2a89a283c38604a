import { mail as m } from "../../messages/mail.ts";
import type { BoxName, Email } from "./boxes.ts";
import { archive, deleteForever, type Meant, moveToInbox, moveToSpam, notSpam, trash } from "./email-changes.ts";

export interface Move {
  keys: string;
  icon: string;
  label: string;
  /** Calls `leave` when it is certain that the emails go. */
  run(meant: Meant, leave: () => void): void;
}

const move = (keys: string, icon: string, label: string, act: (meant: Meant) => void): Move => ({
  ...{ keys, icon, label },
  run(meant, leave) {
    leave();
    act(meant);
  },
});

/** Where emails can go from a box: the same for buttons and keys. */
export function movesFrom(box: BoxName | Email["status"]): { main: Move; trash: Move; spam: Move } {
  const isAway = box === "archive" || box === "archived" || box === "spam" || box === "trash";
  return {
    main: isAway ? move("e", "inbox", m.toInbox, moveToInbox) : move("e", "archive", m.archive, archive),
    trash:
      box === "trash"
        ? { ...{ keys: "#", icon: "trash", label: m.deleteForever }, run: (...given) => void deleteForever(...given) }
        : move("#", "trash", m.trash, trash),
    spam: box === "spam" ? move("!", "inbox", m.notSpam, notSpam) : move("!", "alert", m.spam, moveToSpam),
  };
}
