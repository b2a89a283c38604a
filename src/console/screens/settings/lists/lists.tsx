import { useState } from "preact/hooks";
import type { components } from "#api";
import { api, type Returned } from "../../../client/api.ts";
import { change, patched, versionOf } from "../../../client/changes.ts";
import { toast } from "../../../client/notices.ts";
import { queryClient, useList } from "../../../client/queries.ts";
import { known } from "../../../lib/cast.ts";
import { lists as m } from "../../../messages/settings-email.ts";
import { shell } from "../../../messages/shell.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Section, SwitchRow } from "../../../ui/setting.tsx";
import { Empty, LoadFailure, Skeleton } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";

type TaskList = Returned<"/api/tasks/lists", "get">["data"][number];
type Changes = components["schemas"]["TaskListChanges"];
type Asked = { kind: "edit"; list: TaskList | null } | { kind: "delete"; list: TaskList } | null;

export default function Lists({ query }: SettingsProps) {
  const [asked, setAsked] = useState<Asked>(query.get("do") === "new" ? { kind: "edit", list: null } : null);
  const [showsArchived, setShowsArchived] = useState(false);
  const read = useList<TaskList>({
    key: ["task-list", showsArchived ? "all" : "in-use"],
    read: (cursor, signal) =>
      api.get("/api/tasks/lists", { query: { limit: 100, cursor, archived: showsArchived ? "all" : "false" }, signal }),
  });
  const lists = read.records && patched("task-list", read.records);
  return (
    <Section
      heading={m.heading}
      lead={m.lead}
      actions={
        <Button tone="primary" icon="plus" onClick={() => setAsked({ kind: "edit", list: null })}>
          {m.add}
        </Button>
      }
    >
      {read.error && <LoadFailure error={read.error} retry={read.retry} />}
      {!lists && !read.error && <Skeleton rows={3} />}
      {lists?.length === 0 && (
        <Empty icon="list" title={m.none}>
          {m.noneText}
        </Empty>
      )}
      <ul class="setting-list">
        {lists?.map((each, index) => (
          <li key={each.id} class="setting-line">
            <span class={`list-color ${each.color}`} aria-hidden="true" />
            <div class="grow">
              <p class="setting-name">
                <a href={`/app/tasks?list=${each.id}`}>{each.name}</a>{" "}
                {each.archivedAt && <span class="badge">{m.archived}</span>}
              </p>
              <p class="hint">{m.open(each.openTasks, each.totalTasks)}</p>
            </div>
            <Menu label={m.actions(each.name)} button={<Icon name="more" />}>
              <MenuItem icon="edit" onChoose={() => setAsked({ kind: "edit", list: each })}>
                {m.edit}
              </MenuItem>
              {index > 0 && (
                <MenuItem onChoose={() => save(each, { position: { before: lists[index - 1]?.id ?? each.id } })}>
                  {m.up}
                </MenuItem>
              )}
              {index < lists.length - 1 && (
                <MenuItem onChoose={() => save(each, { position: { after: lists[index + 1]?.id ?? each.id } })}>
                  {m.down}
                </MenuItem>
              )}
              <MenuItem icon="archive" onChoose={() => save(each, { archived: each.archivedAt === null })}>
                {each.archivedAt ? m.unarchive : m.archive}
              </MenuItem>
              <MenuItem icon="trash" tone="danger" onChoose={() => setAsked({ kind: "delete", list: each })}>
                {m.delete}
              </MenuItem>
            </Menu>
          </li>
        ))}
      </ul>
      <SwitchRow label={m.showArchived} isOn={showsArchived} onChange={setShowsArchived} />
      {asked?.kind === "edit" && <ListDialog list={asked.list} onClose={() => setAsked(null)} />}
      {asked?.kind === "delete" && (
        <DeleteDialog list={asked.list} others={lists ?? []} onClose={() => setAsked(null)} />
      )}
    </Section>
  );
}

/** The Tasks screen keeps its lists among what belongs to tasks. */
const reread = () =>
  Promise.all([["task-list"], ["task"]].map((queryKey) => queryClient.invalidateQueries({ queryKey })));

function save(list: TaskList, body: Changes): void {
  void change<TaskList, TaskList>({
    kind: "task-list",
    ids: [list.id],
    ...(body.archived && { edit: (each) => ({ ...each, archivedAt: new Date().toISOString() }) }),
    send: () =>
      api.patch("/api/tasks/lists/{id}", {
        params: { id: list.id },
        body,
        version: versionOf("task-list", list),
      }),
    failed: m.notSaved,
    alsoStale: ["task"],
  });
}

function ListDialog({ list, onClose }: { list: TaskList | null; onClose(): void }) {
  return (
    <Dialog title={list ? m.editTitle : m.add} size="small" onClose={onClose}>
      <Form
        button={m.save}
        required={{ name: m.enterName }}
        beside={<Button onClick={onClose}>{shell.cancel}</Button>}
        send={async ({ name = "", color }) => {
          const body = { name: name.trim(), color: known<TaskList["color"]>(color) };
          if (list) {
            const { id, version } = list;
            await api.patch("/api/tasks/lists/{id}", { params: { id }, body, version });
          } else await api.post("/api/tasks/lists", { body });
          onClose();
          await reread();
        }}
      >
        {(problemOf) => (
          <>
            <TextField
              label={m.name}
              name="name"
              defaultValue={list?.name ?? ""}
              maxLength={100}
              autocomplete="off"
              autofocus
              problem={problemOf("name")}
            />
            <SelectField
              label={m.color}
              name="color"
              defaultValue={list?.color ?? "gray"}
              options={Object.entries(m.colors)}
              problem={problemOf("color")}
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}

interface DeleteDialogProps {
  list: TaskList;
  others: readonly TaskList[];
  onClose(): void;
}

function DeleteDialog({ list, others, onClose }: DeleteDialogProps) {
  const targets = others.filter(({ id, archivedAt }) => id !== list.id && archivedAt === null);
  return (
    <Dialog title={m.deleteTitle(list.name)} size="small" onClose={onClose}>
      <Form
        button={m.delete}
        tone="danger"
        beside={<Button onClick={onClose}>{shell.cancel}</Button>}
        send={async ({ tasks = "keep" }) => {
          const query = /^\d+$/.test(tasks)
            ? { tasks: "move" as const, moveTo: Number(tasks) }
            : { tasks: tasks === "delete" ? ("delete" as const) : ("keep" as const) };
          await api.delete("/api/tasks/lists/{id}", { params: { id: list.id }, query });
          toast(m.deleted(list.name));
          onClose();
          await reread();
        }}
      >
        {(problemOf) =>
          list.totalTasks === 0 ? (
            <p>{m.deleteKeep}</p>
          ) : (
            <SelectField
              label={m.deleteTasks}
              name="tasks"
              options={[
                ["keep", m.deleteChoices.keep],
                ...targets.map(({ id, name }) => [String(id), m.moveTo(name)] as const),
                ["delete", m.deleteChoices.delete],
              ]}
              problem={problemOf("tasks")}
            />
          )
        }
      </Form>
    </Dialog>
  );
}
