import { api } from "../../client/api.ts";
import { keepNewest, queryClient } from "../../client/queries.ts";
import { contacts as m } from "../../messages/contacts.ts";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Contact } from "./contact.ts";

interface ContactDialogProps {
  contact: Contact | null;
  onSaved?(contact: Contact): void;
  onClose(): void;
}

/** One that was added by itself is saved by this. */
export function ContactDialog({ contact, onSaved, onClose }: ContactDialogProps) {
  async function save(values: Record<string, string>): Promise<Contact> {
    const body = {
      name: values.name?.trim() ?? "",
      addresses: linesOf(values.addresses),
      company: values.company?.trim() ?? "",
      phones: linesOf(values.phones).map(phoneOf),
      notes: values.notes?.trim() ?? "",
    };
    const saved = contact
      ? await api.patch("/api/contacts/{id}", { params: { id: contact.id }, body, version: contact.version })
      : await api.post("/api/contacts", { body });
    keepNewest(["contact", saved.id], saved);
    void queryClient.invalidateQueries({ queryKey: ["contact"] });
    return saved;
  }
  return (
    <FormDialog
      title={contact ? m.editTitle : m.add}
      onClose={onClose}
      required={{ name: m.enterName }}
      send={save}
      onDone={(saved) => {
        onClose();
        onSaved?.(saved);
      }}
    >
      <TextField
        label={m.name}
        name="name"
        defaultValue={contact?.name ?? ""}
        maxLength={200}
        autocomplete="off"
        autofocus
      />
      <TextAreaField
        label={m.addresses}
        name="addresses"
        defaultValue={contact?.addresses.join("\n") ?? ""}
        hint={m.addressesHint}
        rows={2}
      />
      <TextField
        label={m.company}
        name="company"
        defaultValue={contact?.company ?? ""}
        maxLength={200}
        autocomplete="off"
      />
      <TextAreaField
        label={m.phones}
        name="phones"
        defaultValue={contact?.phones.map(phoneText).join("\n") ?? ""}
        hint={m.phonesHint}
        rows={2}
      />
      <TextAreaField label={m.notes} name="notes" defaultValue={contact?.notes ?? ""} maxLength={5000} rows={3} />
    </FormDialog>
  );
}

type Phone = Contact["phones"][number];

const linesOf = (text = "") =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

export const phoneText = ({ label, number }: Phone) => (label ? `${label}: ${number}` : number);

/** `mobile: +49 30 1234567`, or a number alone. A number may have a colon itself: `tel:+49…`. */
function phoneOf(line: string): Phone {
  const [, label = "", number = line] = /^([^:\d]*):\s*(\S.*)$/.exec(line) ?? [];
  return { label: label.trim(), number };
}
