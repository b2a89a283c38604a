import { useState } from "preact/hooks";
import type { Profile } from "../../../client/profile.ts";
import { useGet, useList } from "../../../client/queries.ts";
import { moneyText } from "../../../lib/numbers.ts";
import { pastText } from "../../../lib/time.ts";
import { billing as m } from "../../../messages/settings-billing.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Listed } from "../../../ui/listed.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";

export function PaymentMethods() {
  const list = useList(["setting", "billing", "methods"], "/api/settings/billing/payment-methods", {
    query: { limit: 20 },
  });
  return (
    <Section heading={m.methods}>
      <Listed list={list} none={<p class="muted">{m.noMethods}</p>}>
        <ul class="setting-list">
          {list.records?.map(({ id, type, card, isDefault }) => (
            <li key={id} class="setting-line">
              <div class="grow">
                <p class="setting-name">
                  {card ? `${card.brand} •••• ${card.last4}` : type}{" "}
                  {isDefault && <span class="badge">{m.isDefault}</span>}
                </p>
                {card && <p class="hint">{m.expires(String(card.expMonth).padStart(2, "0"), String(card.expYear))}</p>}
              </div>
            </li>
          ))}
        </ul>
      </Listed>
    </Section>
  );
}

export function Invoices({ profile }: { profile: Profile }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const list = useList(["setting", "billing", "invoices"], "/api/settings/billing/invoices", { query: { limit: 12 } });
  return (
    <Section heading={m.invoices}>
      <Listed list={list} none={<p class="muted">{m.noInvoices}</p>}>
        <div class="table-wrap">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{m.number}</th>
                <th scope="col">{m.date}</th>
                <th scope="col">{m.status}</th>
                <th scope="col" class="number">
                  {m.amount}
                </th>
              </tr>
            </thead>
            <tbody>
              {list.records?.map(({ id, number, createdAt, status, total, currency }) => (
                <tr key={id}>
                  <th scope="row">
                    <button
                      type="button"
                      class="link-button"
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
            </tbody>
          </table>
        </div>
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
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{m.line}</th>
                <th scope="col" class="number">
                  {m.amount}
                </th>
              </tr>
            </thead>
            <tbody>
              {invoice.lines.map((line, index) => (
                <tr key={index}>
                  <td>{line.description}</td>
                  <td class="number">{moneyText(profile.locale, line.amount, invoice.currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
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
