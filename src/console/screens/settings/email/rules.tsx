import { useEffect, useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { attempt, toast } from "../../../client/notices.ts";
import { queryClient } from "../../../client/queries.ts";
import { useRecords } from "../../../client/records.ts";
import { emailSettings as m } from "../../../messages/settings-email.ts";
import { Button } from "../../../ui/button.tsx";
import { Entries, Entry } from "../../../ui/entries.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { FLAGS, type Rule } from "./rule.ts";
import { RuleDialog } from "./rule-dialog.tsx";

const ASK_MS = 2000;

/** `sender`: whose emails a new rule is for. */
export function Rules({ isAdding, sender }: { isAdding: boolean; sender: string | null }) {
  const [edited, setEdited] = useState<Rule | "new" | null>(isAdding ? "new" : null);
  const [isRunning, setIsRunning] = useState(false);
  const list = useRecords(["rule", "list"], "/api/emails/rules", {
    query: { limit: 100 },
    ...(isRunning && { refetchInterval: ASK_MS }),
  });
  const rules = list.records;
  const save = (rule: Rule, body: { enabled?: boolean; position?: number }) => {
    const params = { id: rule.id };
    const send = (version: number) => api.patch("/api/emails/rules/{id}", { params, body, version });
    list.save(rule, body, send, m.ruleNotSaved);
  };
  /** Rules with the same position stand in the order of their ids, so each gets the place of the other. */
  const swap = (rule: Rule, other: Rule | undefined) => {
    if (!other) return;
    const [low, high] = [Math.min(rule.position, other.position), Math.max(rule.position, other.position)];
    const isFirst = rule.position < other.position || (rule.position === other.position && rule.id < other.id);
    const apart = low === high ? high + 1 : high;
    save(rule, { position: isFirst ? apart : low });
    save(other, { position: isFirst ? low : apart });
  };
  const remove = (rule: Rule) => {
    const { id, name, position, enabled, match, conditions, actions } = rule;
    const body = { name, position, enabled, match, conditions, actions };
    list.remove(rule, {
      send: () => api.delete("/api/emails/rules/{id}", { params: { id } }),
      failed: m.ruleNotDeleted,
      undo: { done: m.ruleDeleted(name), send: () => api.post("/api/emails/rules", { body }) },
    });
  };
  const runs = rules?.some(({ run }) => run?.status === "running") ?? false;
  useEffect(() => setIsRunning(runs), [runs]);
  return (
    <Section
      heading={m.rules}
      lead={m.rulesLead}
      actions={
        <Button icon="plus" onClick={() => setEdited("new")}>
          {m.addRule}
        </Button>
      }
    >
      <Entries of={list} rows={2} none={m.noRules} isOrdered>
        {(rule, index) => (
          <Entry
            name={rule.name}
            hint={sentenceOf(rule)}
            more={
              rule.run && (
                <p class="hint">
                  {(rule.run.status === "running" ? m.running : m.ran)(rule.run.seen, rule.run.matched)}
                </p>
              )
            }
          >
            <Switch
              aria-label={m.ruleOn(rule.name)}
              value={rule.enabled}
              onChange={(enabled) => save(rule, { enabled })}
            />
            <Menu label={m.actions(rule.name)}>
              <MenuItem icon="edit" onChoose={() => setEdited(rule)} label={m.edit} />
              <MenuItem icon="filter" onChoose={() => void apply(rule)} label={m.apply} />
              {rules?.[index - 1] && <MenuItem onChoose={() => swap(rule, rules[index - 1])} label={m.up} />}
              {rules?.[index + 1] && <MenuItem onChoose={() => swap(rule, rules[index + 1])} label={m.down} />}
              <MenuItem icon="trash" tone="danger" onChoose={() => remove(rule)} label={m.delete} />
            </Menu>
          </Entry>
        )}
      </Entries>
      {edited && <RuleDialog rule={edited === "new" ? null : edited} sender={sender} onClose={() => setEdited(null)} />}
    </Section>
  );
}

/** What a rule does, as a person would say it. */
function sentenceOf({ match, conditions, actions }: Rule): string {
  const holds = conditions.map((condition) => {
    const field = m.fields[condition.field];
    if (condition.field === "hasAttachment")
      return `${field} ${condition.value ? m.attachments.true : m.attachments.false}`;
    if (condition.field === "size") return `${field} ${m.ops[condition.op]} ${Math.round(condition.value / 1000)}`;
    if (condition.field === "kind") return `${field} ${m.ops[condition.op]} ${m.kinds[condition.value]}`;
    if (condition.field === "authentication") return `${field} ${m.ops[condition.op]} ${m.proofs[condition.value]}`;
    return `${field} ${m.ops[condition.op]} “${condition.value}”`;
  });
  const done = [
    ...FLAGS.filter((act) => actions[act]).map((act) => m.do[act]),
    actions.addTags && actions.addTags.length > 0 && `${m.addTags}: ${actions.addTags.join(", ")}`,
    actions.forwardTo !== undefined && m.forwardTo,
    actions.deleteAfterDays !== undefined && `${m.deleteAfter}: ${actions.deleteAfterDays}`,
  ];
  return `${holds.join(match === "all" ? " and " : " or ")} → ${done.filter(Boolean).join(", ")}`;
}

async function apply({ id }: Rule): Promise<void> {
  await attempt(m.notApplied, async () => {
    await api.post("/api/emails/rules/{id}/apply", { params: { id } });
    toast(m.applied);
  });
  await queryClient.invalidateQueries({ queryKey: ["rule"] });
}
