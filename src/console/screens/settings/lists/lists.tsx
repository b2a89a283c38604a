import { useState } from "preact/hooks";
import type { components } from "#api";
import { api, type Returned } from "../../../client/api.ts";
import { change, versionOf } from "../../../client/changes.ts";
import { toast } from "../../../client/notices.ts";
import { queryClient } from "../../../client/queries.ts";
import { useRecords } from "../../../client/records.ts";
import { known } from "../../../lib/cast.ts";
import { lists as m } from "../../../messages/settings-lists.ts";
import { Button } from "../../../ui/button.tsx";
import { Entries, Entry } from "../../../ui/entries.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Section, SwitchRow } from "../../../ui/setting.tsx";
import { Empty } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";

type TaskList = Returned<"/api/tasks/lists", "get">["data"][number];
/** Seen on the dark and on the light theme. */
const COLORS: Record<TaskList["color"], string> = {
  gray: "#8b8d94",
  red: "#d1453b",
  orange: "#e07b2a",
  yellow: "#d9a916",
  green: "#3b9a57",
  teal: "#2a9d98",
  blue: "#3d7ce0",
  purple: "#8559d6",
  pink: "#d5589b",
  brown: "#96694c",
};
type Changes = components["schemas"]["TaskListChanges"];
type Asked = { kind: "edit"; list: TaskList | null } | { kind: "delete"; list: TaskList } | null;

export default function Lists({ query }: SettingsProps) {
  const [asked, setAsked] = useState<Asked>(query.get("do") === "new" ? { kind: "edit", list: null } : null);
  const [showsArchived, setShowsArchived] = useState(false);
  const read = useRecords(["task-list", showsArchived ? "all" : "in-use"], "/api/tasks/lists", {
    query: { limit: 100, archived: showsArchived ? "all" : "false" },
  });
  const lists = read.records ?? [];
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
      <Entries of={read} none={<Empty icon="list" title={m.none} text={m.noneText} />}>
        {(each, index) => (
          <Entry
            before={<span class="list-color" style={{ background: COLORS[each.color] }} aria-hidden="true" />}
            name={<a href={`/app/tasks?list=${each.id}`}>{each.name}</a>}
            badge={each.archivedAt && <span class="badge">{m.archived}</span>}
            hint={m.open(each.openTasks, each.totalTasks)}
          >
            <Menu label={m.actions(each.name)}>
              <MenuItem icon="edit" onChoose={() => setAsked({ kind: "edit", list: each })} label={m.edit} />
              {lists[index - 1] && (
                <MenuItem
                  onChoose={() => save(each, { position: { before: lists[index - 1]?.id ?? each.id } })}
                  label={m.up}
                />
              )}
              {lists[index + 1] && (
                <MenuItem
                  onChoose={() => save(each, { position: { after: lists[index + 1]?.id ?? each.id } })}
                  label={m.down}
                />
              )}
              <MenuItem
                icon="archive"
                onChoose={() => save(each, { archived: each.archivedAt === null })}
                label={each.archivedAt ? m.unarchive : m.archive}
              />
              <MenuItem
                icon="trash"
                tone="danger"
                onChoose={() => setAsked({ kind: "delete", list: each })}
                label={m.delete}
              />
            </Menu>
          </Entry>
        )}
      </Entries>
      <SwitchRow label={m.showArchived} value={showsArchived} onChange={setShowsArchived} />
      {asked?.kind === "edit" && <ListDialog list={asked.list} onClose={() => setAsked(null)} />}
      {asked?.kind === "delete" && <DeleteDialog list={asked.list} others={lists} onClose={() => setAsked(null)} />}
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
    <FormDialog
      title={list ? m.editTitle : m.add}
      onClose={onClose}
      size="small"
      required={{ name: m.enterName }}
      send={async ({ name = "", color }) => {
        const body = { name: name.trim(), color: known<TaskList["color"]>(color) };
        if (list) {
          const { id, version } = list;
          await api.patch("/api/tasks/lists/{id}", { params: { id }, body, version });
        } else await api.post("/api/tasks/lists", { body });
        void reread();
      }}
    >
      <TextField
        label={m.name}
        name="name"
        defaultValue={list?.name ?? ""}
        maxLength={100}
        autocomplete="off"
        autofocus
      />
      <SelectField
        label={m.color}
        name="color"
        defaultValue={list?.color ?? "gray"}
        options={Object.entries(m.colors)}
      />
    </FormDialog>
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
    <FormDialog
      title={m.deleteTitle(list.name)}
      onClose={onClose}
      size="small"
      button={m.delete}
      tone="danger"
      send={async ({ tasks = "keep" }) => {
        const query = /^\d+$/.test(tasks)
          ? { tasks: "move" as const, moveTo: Number(tasks) }
          : { tasks: tasks === "delete" ? ("delete" as const) : ("keep" as const) };
        await api.delete("/api/tasks/lists/{id}", { params: { id: list.id }, query });
        toast(m.deleted(list.name));
        void reread();
      }}
    >
      {list.totalTasks === 0 ? (
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
        />
      )}
    </FormDialog>
  );
}
