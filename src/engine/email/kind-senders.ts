import type { Header } from "../../lib/authentication-results.ts";
import { wordSet } from "../../lib/words.ts";

/** Only machines write from these addresses. */
const ROBOT =
  /^(?:[\w.+-]{0,100}[+._-])?(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|nicht[-_.]?antworten|keine[-_.]?antwort|ne[-_.]?pas[-_.]?repondre|no[-_.]?respond(?:er|a)|non[-_.]?rispondere|nao[-_.]?responda|niet[-_.]?beantwoorden|svara[-_.]?inte)(?:[+._-][^@]*)?@/i;
const ROBOT_ROLE =
  /^(?:notifications?|notify|alerts?|mailer|automated|auto|system|robot|bounces?|root|cron|builds?|ci|jenkins|monitoring|nagios|jira|gitlab|calendar-notification|reminders?|account-security|receipts?|e?-?receipts?)(?:[+._-][^@]*)?@/i;
const MAIL_SYSTEM =
  /^(?:mailer-daemon|postmaster|mail-daemon|mail-?system|microsoftexchange[0-9a-f]{16,})(?:[+._-][^@]*)?@/i;
/** A person or a machine may write from these: the words decide. */
const ROLE =
  /^(?:billing|invoices?|orders?|sales|accounts?(?:[+._-][^@]*)?|payments?|service|security|shipping|shipment[\w-]*|delivery|bookings?|reservations?|tickets?|support|info|hello|team|contact|confirm(?:ation)?s?|auto-confirm|rechnung(?:en)?|bestellung(?:en)?|buchung(?:en)?|kundenservice|facture|facturation|commandes?|pedidos?|facturas?|ordini|bestellingen|praxis|office|admin)@/i;

export const isRobot = (address: string): boolean => ROBOT.test(address) || ROBOT_ROLE.test(address);
export const isMailSystem = (address: string): boolean => MAIL_SYSTEM.test(address);
export const isRole = (address: string): boolean => ROLE.test(address);

/** Fields with which services say that a message is about an event in them. They also put it on a "list". */
const SERVICE_FIELDS =
  /^x-(?:github-(?:reason|sender|recipient)|gitlab-[\w-]+|jira-fingerprint|atlassian-[\w-]+|bugzilla-[\w-]+|sentry-[\w-]+|linkedin-class|facebook(?:-notify)?|cron-env|pagerduty-[\w-]+|asana-[\w-]+|trello-[\w-]+|slack-[\w-]+|phabricator-[\w-]+|gerrit-[\w-]+|redmine-[\w-]+|launchpad-[\w-]+|discourse-[\w-]+|nagios-[\w-]+|zabbix-[\w-]+|travis-[\w-]+|jenkins-[\w-]+|google-calendar-[\w-]*|notification-[\w-]+|notifications)$/;

/** Fields of services that send for others, mostly receipts and notices, and of payment providers and shops. */
const RELAY_FIELDS =
  /^(?:feedback-id|x-(?:ses-outgoing|sg-eid|sg-id|mailgun-(?:sid|tag)|pm-message-id|postmark-[\w-]+|mandrill-user|mc-user|sparkpost-[\w-]+|mj-[\w-]+|stripe-eid|pp-email-transmission-id|paypal-[\w-]+|shopify-[\w-]+|amazon-mail-relay-type|amz-[\w-]+|csa-complaints|hubspot-[\w-]+|sfmc-[\w-]+|sfdc-[\w-]+|klaviyo-[\w-]+|mailer-(?:sid|lid|recptid)|campaign(?:-?id)?))$/;
/** Only payment providers and shops write these. */
const PAYMENT_FIELDS = /^x-(?:stripe-eid|pp-email-transmission-id|paypal-[\w-]+|shopify-[\w-]+)$/;

const ANSWERING_FIELDS = wordSet(
  "x-autoreply x-auto-reply x-autorespond x-autoresponse x-autoreply-from x-auto-response-from x-mail-autoreply x-fc-machinegenerated",
);

/** The header fields of a message, which show whether a program wrote it. */
export interface HeaderSigns {
  /** The first word of the first field of this name, in lower case; "" if there is none. */
  first(name: string): string;
  /** The whole first field, in lower case. */
  value(name: string): string | undefined;
  isAnswer: boolean;
  /** Says that a machine wrote it. */
  isAutomatic: boolean;
  isList: boolean;
  isBulk: boolean;
  isService: boolean;
  isRelayed: boolean;
  isPayment: boolean;
  /** A filter on the way said that it is spam. */
  isMarkedSpam: boolean;
}

export function signsIn(headers: readonly Header[]): HeaderSigns {
  const value = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase();
  const first = (name: string) => value(name)?.split(/[\s;,(]/)[0] ?? "";
  const any = (pattern: RegExp) => headers.some(({ key }) => pattern.test(key));
  const submitted = first("auto-submitted");
  const precedence = first("precedence");
  const says = headers.some(({ key, value: text }) => ANSWERING_FIELDS.has(key) && text.trim().toLowerCase() !== "no");
  return {
    first,
    value,
    isAnswer: submitted === "auto-replied" || says || precedence === "auto_reply",
    isAutomatic: submitted.startsWith("auto-"),
    isList: value("list-unsubscribe") !== undefined || value("list-id") !== undefined,
    isBulk: ["bulk", "list", "junk"].includes(precedence),
    isService: any(SERVICE_FIELDS),
    isRelayed: any(RELAY_FIELDS),
    isPayment: any(PAYMENT_FIELDS),
    isMarkedSpam: first("x-spam-flag") === "yes" || first("x-spam-status") === "yes",
  };
}
