import { type Form, mapOf, partsOf, textOf } from "./form.ts";

export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  body: unknown;
}

export interface StripeEvent {
  id: string;
  object: "event";
  type: string;
  created: number;
  data: { object: Json };
}

const PRICES: Record<string, number> = {
  poa_pro_month: 1900,
  poa_pro_year: 19_000,
  poa_business_month: 4900,
  poa_business_year: 49_000,
  poa_tokens_1m: 900,
  poa_tokens_5m: 3900,
  poa_tokens_20m: 12_900,
};

const PARAMETERS: Record<string, readonly string[]> = {
  "/v1/customers": ["email", "name", "metadata"],
  "/v1/checkout/sessions": [
    "mode",
    "customer",
    "client_reference_id",
    "line_items",
    "metadata",
    "success_url",
    "cancel_url",
    "subscription_data",
    "invoice_creation",
  ],
  "/v1/billing_portal/sessions": ["customer", "return_url"],
};

const seconds = () => Math.floor(Date.now() / 1000);
const DAY = 86_400;

export function failure(status: number, type: string, code: string | undefined, message: string): Answer {
  return { status, body: { error: { type, code, message, doc_url: "https://stripe.com/docs/error-codes" } } };
}

function missing(what: string, id: string): Answer {
  return failure(404, "invalid_request_error", "resource_missing", `No such ${what}: '${id}'`);
}

function list(url: string, all: Json[], query: Form): Answer {
  const limit = Number(textOf(query.limit) ?? 10);
  const after = textOf(query.starting_after);
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(from, from + limit);
  return { status: 200, body: { object: "list", url, data, has_more: from + limit < all.length } };
}

/** One account at the provider: what it holds, and what its API answers. */
export class World {
  readonly customers = new Map<string, Json>();
  readonly sessions = new Map<string, Json>();
  readonly subscriptions: Json[] = [];
  readonly invoices: Json[] = [];
  readonly methods: Json[] = [];
  readonly charges = new Map<string, Json>();
  private lookupKeys = Object.keys(PRICES);
  private count = 0;
  private readonly tag = Math.random().toString(36).slice(2, 10);

  private id(prefix: string): string {
    this.count += 1;
    return `${prefix}_${this.tag}${String(this.count).padStart(4, "0")}`;
  }

  sell(lookupKeys: string[]): void {
    this.lookupKeys = lookupKeys;
  }

  private price(lookupKey: string): Json {
    const isPlan = !lookupKey.includes("tokens");
    return {
      id: `price_${lookupKey}`,
      object: "price",
      active: true,
      lookup_key: lookupKey,
      unit_amount: PRICES[lookupKey],
      currency: "eur",
      type: isPlan ? "recurring" : "one_time",
      recurring: isPlan ? { interval: lookupKey.endsWith("year") ? "year" : "month", interval_count: 1 } : null,
    };
  }

  get(path: string, query: Form): Answer {
    const [, , area = "", first = "", second = ""] = path.split("/");
    if (path === "/v1/prices") {
      const wanted = partsOf(query.lookup_keys).map(String);
      const found = this.lookupKeys.filter((key) => wanted.length === 0 || wanted.includes(key));
      return list(
        path,
        found.map((key) => this.price(key)),
        query,
      );
    }
    if (area === "customers") {
      const customer = this.customers.get(first);
      if (!customer) return missing("customer", first);
      if (second === "payment_methods") return list(path, this.methods, query);
      return { status: 200, body: customer };
    }
    if (path === "/v1/subscriptions" || path === "/v1/invoices") {
      const customer = textOf(query.customer);
      if (customer !== null && !this.customers.has(customer)) return missing("customer", customer);
      const all = path === "/v1/invoices" ? this.invoices : this.subscriptions;
      return list(path, all.filter((record) => customer === null || record.customer === customer).toReversed(), query);
    }
    const invoice = this.invoices.find(({ id }) => id === first);
    if (area === "invoices") return invoice ? { status: 200, body: invoice } : missing("invoice", first);
    const charge = this.charges.get(first);
    if (area === "charges") return charge ? { status: 200, body: charge } : missing("charge", first);
    const session = this.sessions.get(second);
    const isExpanded = partsOf(query.expand).includes("payment_intent.latest_charge");
    if (area === "checkout" && session) return { status: 200, body: isExpanded ? this.expanded(session) : session };
    if (area === "checkout") return missing("checkout.session", second);
    return failure(404, "invalid_request_error", undefined, `Unrecognized request URL (GET: ${path}).`);
  }

  post(path: string, form: Form): Answer {
    const known = PARAMETERS[path];
    if (!known) return failure(404, "invalid_request_error", undefined, `Unrecognized request URL (POST: ${path}).`);
    const unknown = Object.keys(form).find((name) => !known.includes(name));
    if (unknown) return failure(400, "invalid_request_error", "parameter_unknown", `Unknown parameter: ${unknown}`);
    if (path === "/v1/customers") return this.createCustomer(form);
    const customer = textOf(form.customer) ?? "";
    if (!this.customers.has(customer)) return missing("customer", customer);
    if (path === "/v1/billing_portal/sessions") {
      const id = this.id("bps");
      return { status: 200, body: { id, object: "billing_portal.session", url: `https://billing.example/${id}` } };
    }
    return this.createSession(customer, form);
  }

  private createCustomer(form: Form): Answer {
    const customer = {
      id: this.id("cus"),
      object: "customer",
      email: textOf(form.email),
      name: textOf(form.name),
      metadata: mapOf(form.metadata),
      invoice_settings: { default_payment_method: null as string | null },
    };
    this.customers.set(customer.id, customer);
    return { status: 200, body: customer };
  }

  private createSession(customer: string, form: Form): Answer {
    const [item] = partsOf(form.line_items);
    const price = typeof item === "object" ? textOf(item.price) : null;
    const lookupKey = this.lookupKeys.find((key) => `price_${key}` === price);
    if (!lookupKey) return missing("price", price ?? "");
    const mode = textOf(form.mode);
    if (textOf(form.success_url) === null) {
      return failure(400, "invalid_request_error", "parameter_missing", "Missing required param: success_url.");
    }
    if ((mode === "subscription") === lookupKey.includes("tokens")) {
      return failure(400, "invalid_request_error", undefined, "The price's type does not fit the mode.");
    }
    const id = this.id("cs_test");
    const session = {
      id,
      object: "checkout.session",
      mode,
      customer,
      client_reference_id: textOf(form.client_reference_id),
      metadata: mapOf(form.metadata),
      amount_total: PRICES[lookupKey] ?? null,
      currency: "eur",
      status: "open",
      payment_status: "unpaid",
      success_url: textOf(form.success_url),
      cancel_url: textOf(form.cancel_url),
      expires_at: seconds() + DAY,
      url: `https://checkout.example/c/pay/${id}`,
      lookup_key_of_test: lookupKey,
    };
    this.sessions.set(id, session);
    return { status: 200, body: session };
  }

  event(type: string, object: Json): StripeEvent {
    return { id: this.id("evt"), object: "event", type, created: seconds(), data: { object: { ...object } } };
  }

  /** The person has gone through the page; with a slow way to pay, the money comes later. */
  complete(sessionId: string, { paid = true } = {}): StripeEvent {
    const session = this.sessions.get(sessionId);
    if (!session) throw new Error(`no session ${sessionId}`);
    const isLate = session.status === "complete";
    Object.assign(session, { status: "complete", payment_status: paid ? "paid" : "unpaid" });
    const lookupKey = String(session.lookup_key_of_test);
    if (session.mode === "subscription") this.subscribe(String(session.customer), lookupKey);
    if (paid) this.invoice(String(session.customer), lookupKey);
    if (paid && session.mode === "payment" && !session.payment_intent) this.charge(session);
    return this.event(isLate ? "checkout.session.async_payment_succeeded" : "checkout.session.completed", session);
  }

  private charge(session: Json): void {
    const payment = this.id("pi");
    const charge = {
      id: this.id("ch"),
      object: "charge",
      customer: session.customer,
      payment_intent: payment,
      amount: session.amount_total,
      amount_refunded: 0,
    };
    this.charges.set(charge.id, charge);
    session.payment_intent = payment;
  }

  /** Gives money back for a checkout, so much in all. */
  refund(sessionId: string, amount: number): StripeEvent {
    const payment = this.sessions.get(sessionId)?.payment_intent;
    const charge = [...this.charges.values()].find(({ payment_intent }) => payment_intent === payment);
    if (!payment || !charge) throw new Error(`nothing was paid for ${sessionId}`);
    charge.amount_refunded = amount;
    return this.event("charge.refunded", charge);
  }

  /** With `expand`, references come as the records themselves. */
  private expanded(session: Json): Json {
    const latest_charge = [...this.charges.values()].find((each) => each.payment_intent === session.payment_intent);
    const payment_intent = latest_charge
      ? { id: session.payment_intent, object: "payment_intent", latest_charge }
      : null;
    return { ...session, payment_intent };
  }

  subscribe(customer: string, lookupKey: string): Json {
    const now = seconds();
    const subscription = {
      id: this.id("sub"),
      object: "subscription",
      customer,
      status: "active",
      created: now + this.subscriptions.length,
      cancel_at_period_end: false,
      trial_end: null,
      metadata: {},
      items: {
        object: "list",
        data: [
          {
            id: this.id("si"),
            object: "subscription_item",
            price: this.price(lookupKey),
            current_period_start: now,
            current_period_end: now + 30 * DAY,
          },
        ],
        has_more: false,
      },
    };
    this.subscriptions.push(subscription);
    return subscription;
  }

  invoice(customer: string, lookupKey: string): Json {
    const amount = PRICES[lookupKey] ?? 0;
    const id = this.id("in");
    const invoice = {
      id,
      object: "invoice",
      customer,
      number: `POA-${String(this.invoices.length + 1).padStart(4, "0")}`,
      status: "paid",
      currency: "eur",
      total: amount,
      amount_due: amount,
      amount_paid: amount,
      created: seconds(),
      period_start: seconds(),
      period_end: seconds() + 30 * DAY,
      hosted_invoice_url: `https://invoice.example/${id}`,
      invoice_pdf: `https://invoice.example/${id}/pdf`,
      lines: {
        object: "list",
        data: [{ id: this.id("il"), description: lookupKey, amount, quantity: 1 }],
        has_more: false,
      },
    };
    this.invoices.push(invoice);
    return invoice;
  }

  /** Changes the newest subscription, or the one named. */
  changeSubscription(change: Json & { id?: string; lookupKey?: string }): StripeEvent {
    const { id, lookupKey, ...rest } = change;
    const subscription = id ? this.subscriptions.find((each) => each.id === id) : this.subscriptions.at(-1);
    if (!subscription) throw new Error("there is no subscription");
    Object.assign(subscription, rest);
    if (lookupKey) {
      const items = subscription.items as { data: Json[] };
      Object.assign(items.data[0] ?? {}, { price: { ...this.price(lookupKey) } });
    }
    const isEnd = rest.status === "canceled";
    return this.event(isEnd ? "customer.subscription.deleted" : "customer.subscription.updated", subscription);
  }

  addCard(customerId: string): Json {
    const card = {
      id: this.id("pm"),
      object: "payment_method",
      type: "card",
      card: { brand: "visa", last4: "4242", exp_month: 8, exp_year: 2030 },
    };
    this.methods.push(card);
    const customer = this.customers.get(customerId);
    if (customer) customer.invoice_settings = { default_payment_method: card.id };
    return card;
  }

  deleteCustomer(customerId: string): StripeEvent {
    const customer = this.customers.get(customerId) ?? {};
    this.customers.delete(customerId);
    return this.event("customer.deleted", customer);
  }
}
