import type { MailServer } from "../../lib/mailbox-kinds.ts";

interface Preset {
  id: string;
  name: string;
  /** The addresses it is for, by what follows the @. Others can use it, too: with a domain of their own. */
  domains: readonly string[];
  /** Null: this service cannot log in there with a password. */
  servers: { imap: MailServer; smtp: MailServer } | null;
  /** Where the password comes from, in the provider's own words, or why it cannot be connected. */
  advice: string;
  url: string;
}

const implicit = (host: string, port: 993 | 465): MailServer => ({ host, port, tls: "implicit" });
/** For sending, where the provider documents only this one. */
const starttls = (host: string): MailServer => ({ host, port: 587, tls: "starttls" });
const both = (imap: string, smtp: string) => ({ imap: implicit(imap, 993), smtp: implicit(smtp, 465) });

/** As the providers document them. None was tried: see docs/mailboxes.md. */
export const PRESETS: readonly Preset[] = [
  {
    id: "gmail",
    name: "Gmail",
    domains: ["gmail.com", "googlemail.com"],
    servers: both("imap.gmail.com", "smtp.gmail.com"),
    advice:
      "Turn on 2-Step Verification in your Google Account, then create an “App password” there. The password of the " +
      "account itself is refused.",
    url: "https://myaccount.google.com/apppasswords",
  },
  {
    id: "icloud",
    name: "iCloud Mail",
    domains: ["icloud.com", "me.com", "mac.com"],
    servers: { imap: implicit("imap.mail.me.com", 993), smtp: starttls("smtp.mail.me.com") },
    advice:
      "Sign in to your Apple Account, open “Sign-In and Security” and generate an “App-Specific Password”. The password " +
      "of the account itself is refused.",
    url: "https://account.apple.com",
  },
  {
    id: "fastmail",
    name: "Fastmail",
    domains: ["fastmail.com", "fastmail.fm"],
    servers: both("imap.fastmail.com", "smtp.fastmail.com"),
    advice:
      "In Fastmail, open Settings → Privacy & Security and create an “App password” with access to mail. Basic plans " +
      "have no IMAP.",
    url: "https://www.fastmail.com/help/clients/apppassword.html",
  },
  {
    id: "gmx",
    name: "GMX (gmx.net)",
    domains: ["gmx.net", "gmx.de", "gmx.at", "gmx.ch"],
    servers: { imap: implicit("imap.gmx.net", 993), smtp: starttls("mail.gmx.net") },
    advice:
      "Allow POP3 and IMAP in the settings of GMX Mail first. With two-factor authentication, create an " +
      "“anwendungsspezifisches Passwort” under Mein Account → Sicherheit; without it, use your GMX password.",
    url: "https://hilfe.gmx.net/sicherheit/2fa/anwendungsspezifisches-passwort.html",
  },
  {
    id: "gmx-com",
    name: "GMX (gmx.com)",
    domains: ["gmx.com", "gmx.us", "gmx.co.uk"],
    servers: { imap: implicit("imap.gmx.com", 993), smtp: starttls("mail.gmx.com") },
    advice:
      "Allow POP3 and IMAP in the settings of GMX Mail first. With two-factor authentication, create an " +
      "“application-specific password”; without it, use your GMX password.",
    url: "https://support.gmx.com",
  },
  {
    id: "web-de",
    name: "WEB.DE",
    domains: ["web.de"],
    servers: { imap: implicit("imap.web.de", 993), smtp: starttls("smtp.web.de") },
    advice:
      "Allow POP3 and IMAP in the settings of WEB.DE first. With two-factor authentication, create an " +
      "“anwendungsspezifisches Passwort”; without it, use your WEB.DE password.",
    url: "https://hilfe.web.de",
  },
  {
    id: "yahoo",
    name: "Yahoo Mail",
    domains: [
      "yahoo.com",
      "ymail.com",
      "rocketmail.com",
      "yahoo.co.uk",
      "yahoo.de",
      "yahoo.fr",
      "yahoo.es",
      "yahoo.it",
    ],
    servers: both("imap.mail.yahoo.com", "smtp.mail.yahoo.com"),
    advice: "In the security settings of your Yahoo account, generate an “app password”.",
    url: "https://login.yahoo.com/account/security",
  },
  {
    id: "aol",
    name: "AOL Mail",
    domains: ["aol.com"],
    servers: both("imap.aol.com", "smtp.aol.com"),
    advice: "In the security settings of your AOL account, generate an “app password”.",
    url: "https://login.aol.com/account/security",
  },
  {
    id: "mailbox-org",
    name: "mailbox.org",
    domains: ["mailbox.org"],
    servers: both("imap.mailbox.org", "smtp.mailbox.org"),
    advice:
      "With two-factor authentication, create an “application password” under All settings → Security → Application " +
      "passwords; without it, use your mailbox.org password.",
    url: "https://kb.mailbox.org/en/private/e-mail/e-mail-configuration",
  },
  {
    id: "posteo",
    name: "Posteo",
    domains: ["posteo.de", "posteo.net", "posteo.org", "posteo.eu"],
    servers: both("posteo.de", "posteo.de"),
    advice: "Use your Posteo password.",
    url: "https://posteo.de/en/help",
  },
  {
    id: "zoho",
    name: "Zoho Mail (zoho.com)",
    domains: ["zoho.com", "zohomail.com"],
    servers: both("imap.zoho.com", "smtp.zoho.com"),
    advice:
      "Turn on IMAP access in Zoho Mail under Settings → Mail Accounts. With two-factor authentication, generate an “App " +
      "password” under Security. Organizations with a domain of their own use imappro.zoho.com and smtppro.zoho.com.",
    url: "https://accounts.zoho.com/home#security/app_password",
  },
  {
    id: "zoho-eu",
    name: "Zoho Mail (zoho.eu)",
    domains: ["zoho.eu", "zohomail.eu"],
    servers: both("imap.zoho.eu", "smtp.zoho.eu"),
    advice:
      "Turn on IMAP access in Zoho Mail under Settings → Mail Accounts. With two-factor authentication, generate an “App " +
      "password” under Security. Organizations with a domain of their own use imappro.zoho.eu and smtppro.zoho.eu.",
    url: "https://accounts.zoho.eu/home#security/app_password",
  },
  {
    id: "outlook",
    name: "Outlook.com, Hotmail and Microsoft 365",
    domains: [
      "outlook.com",
      "outlook.de",
      "outlook.fr",
      "hotmail.com",
      "hotmail.co.uk",
      "hotmail.de",
      "live.com",
      "msn.com",
    ],
    servers: null,
    advice:
      "Microsoft no longer accepts passwords here, app passwords included: it requires OAuth, which this service does not " +
      "support yet. Forward these emails to an inbox of this service instead.",
    url: "https://support.microsoft.com/office/pop-imap-and-smtp-settings-for-outlook-com-d088b986-291d-42b8-9564-9c414e2aa040",
  },
  {
    id: "proton",
    name: "Proton Mail",
    domains: ["proton.me", "protonmail.com", "pm.me"],
    servers: null,
    advice:
      "Proton Mail has no IMAP server on the internet, only its Bridge on your own computer, which this service cannot " +
      "reach.",
    url: "https://proton.me/mail/bridge",
  },
];

/** By the domain of the address. */
export function presetOf(address: string): Preset | undefined {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return PRESETS.find(({ domains }) => domains.includes(domain));
}
