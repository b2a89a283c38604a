import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { attempt } from "../../../client/notices.ts";
import { queryClient, useList } from "../../../client/queries.ts";
import { emailSettings as m } from "../../../messages/settings-email.ts";
import { Button } from "../../../ui/button.tsx";
import { Problem, SelectField, TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { type Condition, ConditionFields, NEW_CONDITION } from "./conditions.tsx";
import { FLAGS, type Rule } from "./rule.ts";

type Actions = Rule["actions"];
const MOST = 20;

/** All emails of a sender, or what is typed. */
const conditionFor = (sender: string): Condition =>
  sender ? { field: "from", op: "is", value: sender } : NEW_CONDITION;

/** When an email meets the conditions, then this is done with it. */
export function RuleDialog({ rule, sender, onClose }: { rule: Rule | null; sender?: string | null; onClose(): void }) {
  const [conditions, setConditions] = useState<readonly Condition[]>(rule?.conditions ?? [conditionFor(sender ?? "")]);
  const [match, setMatch] = useState<Rule["match"]>(rule?.match ?? "all");
  const [found, setFound] = useState<string | null>(null);
  const webhooks = useList(["webhook", "list"], "/api/settings/webhooks", { query: { limit: 50 } }).records;

  async function preview() {
    await attempt(m.notPreviewed, async () => {
      const { matched, examined } = await api.post("/api/emails/rules/preview", {
        body: { match, conditions: [...conditions] },
        key: null,
      });
      setFound(m.previewed(matched, examined));
    });
  }

  async function save(values: Record<string, string>) {
    const body = { name: (values.name ?? "").trim(), match, conditions: [...conditions], actions: actionsOf(values) };
    if (rule) {
      const { id, version } = rule;
      await api.patch("/api/emails/rules/{id}", { params: { id }, body, version });
    } else await api.post("/api/emails/rules", { body });
    void queryClient.invalidateQueries({ queryKey: ["rule"] });
  }

  return (
    <FormDialog
      title={rule ? m.editRule : m.addRule}
      onClose={onClose}
      size="large"
      required={{ name: m.enterName }}
      beside={<Button onClick={() => void preview()}>{m.preview}</Button>}
      send={save}
    >
      <TextField
        label={m.name}
        name="name"
        defaultValue={rule?.name ?? (sender ? m.ruleFor(sender) : "").slice(0, 100)}
        maxLength={100}
        autocomplete="off"
        autofocus
      />
      <SelectField
        label={m.match}
        value={match}
        options={Object.entries(m.matches)}
        onChange={(event) => setMatch(event.currentTarget.value === "any" ? "any" : "all")}
      />
      <ul class="stack" aria-label={m.conditions}>
        {conditions.map((condition, index) => (
          <ConditionFields
            key={index}
            number={index + 1}
            condition={condition}
            onChange={(next) => setConditions(conditions.with(index, next))}
            {...(conditions.length > 1 && { onRemove: () => setConditions(conditions.toSpliced(index, 1)) })}
          />
        ))}
      </ul>
      {conditions.length < MOST && (
        <Button tone="quiet" icon="plus" onClick={() => setConditions([...conditions, NEW_CONDITION])}>
          {m.addCondition}
        </Button>
      )}
      <p role="status" class="muted">
        {found}
      </p>
      <fieldset class="check-group">
        <legend class="label">{m.actionsTitle}</legend>
        <Problem path="actions" />
        <div class="check-options tiles">
          {FLAGS.map((flag) => (
            <label key={flag} class="check-option">
              <input
                type="checkbox"
                name={flag}
                defaultChecked={rule ? (rule.actions[flag] ?? false) : Boolean(sender) && flag === "archive"}
              />
              <span>{m.do[flag]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <TextField
        label={m.addTags}
        name="addTags"
        defaultValue={rule?.actions.addTags?.join(", ") ?? ""}
        hint={m.addTagsHint}
        autocomplete="off"
        path="actions.addTags"
      />
      <div class="field-pair">
        <SelectField
          label={m.forwardTo}
          name="forwardTo"
          key={webhooks?.length}
          defaultValue={String(rule?.actions.forwardTo ?? "")}
          options={[["", m.noForward], ...(webhooks ?? []).map(({ id, url }) => [String(id), url] as const)]}
          path="actions.forwardTo"
        />
        <TextField
          label={m.deleteAfter}
          name="deleteAfterDays"
          inputMode="numeric"
          defaultValue={String(rule?.actions.deleteAfterDays ?? "")}
          hint={m.deleteAfterHint}
          path="actions.deleteAfterDays"
        />
      </div>
    </FormDialog>
  );
}

function actionsOf(values: Record<string, string>): Actions {
  const tags = (values.addTags ?? "").split(",").flatMap((tag) => tag.trim().replace(/^#/, "") || []);
  const flags = FLAGS.filter((flag) => values[flag] === "on").map((flag) => [flag, true] as const);
  return {
    ...Object.fromEntries(flags),
    ...(tags.length > 0 && { addTags: tags }),
    ...(values.forwardTo && { forwardTo: Number(values.forwardTo) }),
    ...(values.deleteAfterDays && { deleteAfterDays: Number(values.deleteAfterDays) }),
  };
}
