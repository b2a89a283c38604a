import { useState } from "preact/hooks";
import type { Profile } from "../../../client/profile.ts";
import { useGet, useList } from "../../../client/queries.ts";
import { moneyText } from "../../../lib/numbers.ts";
import { pastText } from "../../../lib/time.ts";
import { billing as m } from "../../../messages/settings-billing.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Entries, Entry } from "../../../ui/entries.tsx";
import { Listed } from "../../../ui/listed.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";
import { Table } from "../../../ui/table.tsx";

export function PaymentMethods() {
  const list = useList(["setting", "billing", "methods"], "/api/settings/billing/payment-methods", {
    query: { limit: 20 },
  });
  return (
    <Section heading={m.methods}>
      <Entries of={list} none={m.noMethods}>
        {({ type, card, isDefault }) => (
          <Entry
            name={card ? `${card.brand} •••• ${card.last4}` : type}
            badge={isDefault && <span class="badge">{m.isDefault}</span>}
            hint={card && m.expires(String(card.expMonth).padStart(2, "0"), String(card.expYear))}
          />
        )}
      </Entries>
    </Section>
  );
}

export function Invoices({ profile }: { profile: Profile }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const list = useList(["setting", "billing", "invoices"], "/api/settings/billing/invoices", { query: { limit: 12 } });
  return (
    <Section heading={m.invoices}>
      <Listed list={list} none={m.noInvoices}>
        <Table heads={[m.number, m.date, m.status, { number: m.amount }]}>
          {list.records?.map(({ id, number, createdAt, status, total, currency }) => (
            <tr key={id}>
              <th scope="row">
                <button
                  type="button"
                  class="link-button bare"
                  aria-label={m.details(number ?? id)}
                  onClick={() => setOpenId(id)}
                >
                  {number ?? id}
                </button>
              </th>
              <td>{pastText(profile, new Date(createdAt), new Date())}</td>
              <td>{status}</td>
              <td class="number">{moneyText(profile.locale, total, currency)}</td>
            </tr>
          ))}
        </Table>
      </Listed>
      {openId !== null && <InvoiceDialog id={openId} profile={profile} onClose={() => setOpenId(null)} />}
    </Section>
  );
}

function InvoiceDialog({ id, profile, onClose }: { id: string; profile: Profile; onClose(): void }) {
  const query = useGet(["setting", "billing", "invoice", id], "/api/settings/billing/invoices/{id}", {
    params: { id },
  });
  const invoice = query.data;
  return (
    <Dialog title={invoice?.number ?? m.invoices} onClose={onClose}>
      {!invoice && <Pending of={query} rows={3} form="text" />}
      {invoice && (
        <>
          <Table heads={[m.line, { number: m.amount }]}>
            {invoice.lines.map((line, index) => (
              <tr key={index}>
                <td>{line.description}</td>
                <td class="number">{moneyText(profile.locale, line.amount, invoice.currency)}</td>
              </tr>
            ))}
          </Table>
          <div class="form-actions wrap">
            {invoice.hostedUrl && (
              <a class="button" href={invoice.hostedUrl} target="_blank" rel="noreferrer">
                {m.open}
              </a>
            )}
            {invoice.pdfUrl && (
              <a class="button" href={invoice.pdfUrl} target="_blank" rel="noreferrer">
                {m.pdf}
              </a>
            )}
          </div>
        </>
      )}
    </Dialog>
  );
}
