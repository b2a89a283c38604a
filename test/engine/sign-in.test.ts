import { describe, expect, it } from "vitest";
import { signInOf } from "../../src/engine/email/sign-in.ts";

const read = (from: string, subject: string, body: string) => {
  const found = signInOf({ from, subject, body });
  return found && [found.kind, found.code, found.minutes];
};

describe("a one-time code", () => {
  it.each([
    [
      "noreply@shop.example",
      "Your verification code",
      "Your verification code is 482913.\nIt expires in 10 minutes.",
      "482913",
      10,
    ],
    [
      "ann@home.example",
      "Fwd: Your verification code",
      "Your verification code is 482913. It expires in 10 minutes.",
      "482913",
      10,
    ],
    [
      "no-reply@id.example",
      "739201 is your sign-in code",
      "Enter it to sign in. If you did not request it, ignore this email.",
      "739201",
      15,
    ],
    [
      "account@cloud.example",
      "Security code",
      "Please use the following security code for your account.\n\nSecurity code: 5519207\n\nThanks,\nThe accounts team",
      "5519207",
      15,
    ],
    [
      "noreply@chat.example",
      "Confirm your email address",
      "Hi Ada,\n\nyour confirmation code is below. Enter it in the open window.\n\nX7F-92Q\n\nQuestions? Write to us.",
      "X7F-92Q",
      15,
    ],
    [
      "security@bank.example",
      "Two-step verification",
      "Hello,\nto finish signing in, enter this code:\n\n  204 886\n\nThe code is valid for one hour. Never share it.",
      "204886",
      60,
    ],
    [
      "team@notes.example",
      "Log in to Notes",
      "Copy and paste this temporary login code:\n\nmango-4821\n\nIf you didn't try to log in, you can safely ignore this email.",
      "mango-4821",
      15,
    ],
    ["verify@mail.example", "G-482913 is your code", "G-482913 is your verification code.", "G-482913", 15],
    [
      "noreply@portal.example",
      "Your new account",
      "Your temporary password is: hT4-kk92x\nSign in and change it within 24 hours.",
      "hT4-kk92x",
      1440,
    ],
    [
      "noreply@versand.example",
      "Ihr Bestätigungscode",
      "Guten Tag,\n\nIhr Bestätigungscode lautet: 918273\n\nEr ist 15 Minuten gültig. Geben Sie ihn niemals weiter.",
      "918273",
      15,
    ],
    [
      "service@sparkasse.example",
      "TAN für Ihre Überweisung",
      "Ihre TAN lautet 551029. Sie gilt 5 Minuten für die Überweisung von 120,00 EUR.",
      "551029",
      5,
    ],
    [
      "no-reply@verwaltung.example",
      "Anmeldung",
      "Hallo Frau Klein,\n\num die Anmeldung abzuschließen, geben Sie bitte diesen Code ein:\n\n7310\n\nFalls Sie sich nicht angemeldet haben, ignorieren Sie diese E-Mail.",
      "7310",
      15,
    ],
    [
      "login@verein.example",
      "Dein Anmeldecode: K4T9QX",
      "Hallo,\ndein Anmeldecode ist K4T9QX und läuft in zehn Minuten ab.",
      "K4T9QX",
      10,
    ],
    [
      "ne-pas-repondre@banque.example",
      "Votre code de vérification",
      "Bonjour,\n\nvotre code de vérification est 640 218. Il expire dans 5 minutes. Ne le partagez avec personne.",
      "640218",
      5,
    ],
    [
      "no-reply@service.example",
      "Connexion à votre compte",
      "Saisissez le code suivant pour vous connecter :\n\n903417\n\nCe code est valable 30 minutes. Si vous n'êtes pas à l'origine de cette demande, ignorez ce message.",
      "903417",
      30,
    ],
    [
      "noreply@tienda.example",
      "Tu código de verificación",
      "Hola:\n\nTu código de verificación es 118204. Caduca en 15 minutos. No lo compartas con nadie.",
      "118204",
      15,
    ],
    [
      "no-responder@banco.example",
      "Clave de un solo uso",
      "Su clave de un solo uso es: 77120943. Válida durante 3 minutos.",
      "77120943",
      3,
    ],
    [
      "no-reply@app.example",
      "Iniciar sesión",
      "Usa este código para iniciar sesión en tu cuenta:\n\n5501\n\nSi no has solicitado este código, ignora este mensaje.",
      "5501",
      15,
    ],
  ])("%s: %s", (from, subject, body, code, minutes) => {
    expect(read(from, subject, body)).toEqual(["code", code, minutes]);
  });

  it.each([
    [
      "noreply@code.example",
      "Please verify your device",
      "To complete the sign in, enter the verification code on the unrecognized device.\n\nDevice: Chrome\nVerification code: 492817\n\nIf you did not attempt to sign in, change your password.",
      "492817",
    ],
    [
      "konto-update@laden.example",
      "Anmeldeversuch",
      "Jemand versucht sich anzumelden.\n\nFalls du das bist, lautet dein Verifizierungscode:\n\n834 221\n\nWenn nicht, klicke hier.",
      "834221",
    ],
    [
      "info@film.example",
      "Votre code d'accès temporaire",
      "Bonjour Ada,\nVoici votre code d'accès temporaire :\n4821\nIl expirera dans 15 minutes.",
      "4821",
    ],
    [
      "noreply@spiel.example",
      "Access from a new computer",
      "Here is the code you need to login to account ada:\n\nK7XQ2\n\nThis email was generated because of a login attempt.",
      "K7XQ2",
    ],
    [
      "kundenservice@kasse.example",
      "Freischaltcode",
      "Bitte geben Sie den folgenden Freischaltcode in der App ein: 90214433\n\nMit freundlichen Grüßen",
      "90214433",
    ],
    ["noreply@bank.example", "mTAN", "Die mTAN für Ihre Überweisung über 50,00 EUR an DE89 lautet: 998123", "998123"],
    [
      "security@pago.example",
      "Tu código de seguridad",
      "492018 es tu código de seguridad. No lo compartas con nadie.",
      "492018",
    ],
    [
      "no-reply@box.example",
      "Login verification",
      "Use 903 114 to verify it's you. If this wasn't you, change your password.",
      "903114",
    ],
    ["no-reply@correo.example", "Código de acceso", "Tu código de acceso es el 40 21 77.", "402177"],
    [
      "noreply@home.example",
      "Confirm it's you",
      "Enter 5521 to confirm your identity. This code expires in 3 minutes.",
      "5521",
    ],
    ["ne-pas-repondre@caf.example", "Mot de passe", "Votre mot de passe provisoire est : Xk92-mPq7.", "Xk92-mPq7"],
  ])("%s: %s, in other words", (from, subject, body, code) => {
    expect(read(from, subject, body)?.slice(0, 2)).toEqual(["code", code]);
  });

  it("is the same in other digits, with invisible characters and without a plain sender", () => {
    const code = "４８２９１３";
    expect(read("ann@tool.example", "Code", `Your verification code is ${code}. It expires in 10 minutes.`)).toEqual([
      "code",
      "482913",
      10,
    ]);
    expect(read("noreply@tool.example", "Hi", "Your sign-in code: 48\u200b29\u200b13")).toEqual(["code", "482913", 15]);
  });
});

describe("a link that lets its reader in", () => {
  it.each([
    [
      "noreply@notes.example",
      "Reset your password",
      "We received a request to reset your password.\n\nhttps://notes.example/reset?t=9f3ab8\n\nThe link expires in 2 hours.",
      120,
    ],
    [
      "hello@paper.example",
      "Your magic link",
      "Click the link below to sign in to Paper.\n\nSign in\n\nIf you did not request this email, ignore it.",
      60,
    ],
    [
      "noreply@forum.example",
      "Please verify your email address",
      "Thanks for joining! Click the button to verify your email address.\n\nVerify",
      60,
    ],
    [
      "no-reply@verlag.example",
      "Passwort zurücksetzen",
      "Klicken Sie auf den Link, um ein neues Passwort festzulegen:\nhttps://verlag.example/p/1\nDer Link ist 24 Stunden gültig.",
      1440,
    ],
    [
      "kontakt@chor.example",
      "Bestätigen Sie Ihre E-Mail-Adresse",
      "Bitte klicken Sie auf diesen Link: https://chor.example/c/ab12. Wenn Sie das nicht angefordert haben, ignorieren Sie diese Nachricht.",
      60,
    ],
    [
      "noreply@journal.example",
      "Réinitialisation de votre mot de passe",
      "Cliquez sur le bouton pour choisir un nouveau mot de passe. Ce lien est valable une heure.",
      60,
    ],
    [
      "no-reply@asso.example",
      "Confirmez votre adresse e-mail",
      "Cliquez sur le lien suivant : https://asso.example/x",
      60,
    ],
    [
      "noreply@curso.example",
      "Restablecer tu contraseña",
      "Haz clic en el enlace para restablecer tu contraseña: https://curso.example/r/8a. Caduca en 30 minutos.",
      30,
    ],
    [
      "hola@radio.example",
      "Confirma tu correo electrónico",
      "Pulsa el botón para confirmar tu correo. Si no has solicitado esta cuenta, ignora este mensaje.",
      60,
    ],
  ])("%s: %s", (from, subject, body, minutes) => {
    expect(read(from, subject, body)).toEqual(["link", null, minutes]);
  });
});

describe("no code", () => {
  it.each([
    [
      "orders@shop.example",
      "Order confirmation 482913",
      "Thanks for your order. Your order number is 482913. Sign in to your account to follow it.",
    ],
    [
      "billing@host.example",
      "Invoice 20261118",
      "Your invoice 20261118 is due in 14 days. Log in to pay it: https://host.example/pay",
    ],
    [
      "no-reply@air.example",
      "Booking confirmed",
      "Your booking reference:\n\nX7F92Q\n\nLog in with your booking code to check in. Check-in opens 24 hours before departure.",
    ],
    [
      "news@mode.example",
      "20 % off, today only",
      "Use code SAVE20 at checkout. Sign in to your account. The offer expires in 60 minutes.",
    ],
    [
      "news@mode.example",
      "Ihr Rabattcode",
      "Ihr Rabattcode lautet HERBST26. Gültig 3 Tage. Jetzt anmelden und sparen.",
    ],
    [
      "no-reply@zoom.example",
      "Invitation: planning",
      "Join the meeting\nMeeting ID: 912 4456 0021\nPasscode: 482913\n\nOne tap mobile +49 30 482913",
    ],
    ["maria@school.example", "Wi-Fi", "The Wi-Fi password in the staff room is Sunny2026. Could you sign the list?"],
    ["tom@club.example", "Door", "Hi, the code for the clubhouse door is 4821, see you at 7."],
    ["ann@home.example", "Code?", "Can you send me the verification code that you got? I need to log in."],
    ["ann@home.example", "Re: your code", "It was 482913, but it expired after 10 minutes."],
    [
      "noreply@bank.example",
      "New sign-in to your account",
      "We noticed a new sign-in from Chrome. If this was not you, reset your password: https://bank.example/security",
    ],
    [
      "noreply@bank.example",
      "Your password was changed",
      "Your password was changed on 18 November 2026. If you did not do this, reset your password at https://bank.example.",
    ],
    [
      "service@amt.example",
      "Terminbestätigung",
      "Ihr Termin ist bestätigt. Vorgangsnummer: 551029\n10115 Berlin, Tel. +49 30 551029. Bitte bestätigen Sie den Termin im Portal.",
    ],
    [
      "no-reply@paket.example",
      "Ihr Paket liegt bereit",
      "Ihr Abholcode lautet 8812. Das Paket liegt 7 Tage zur Abholung bereit. Melden Sie sich für Fragen an.",
    ],
    [
      "facturation@eau.example",
      "Votre facture",
      "Votre facture n° 640218 est disponible. Connectez-vous à votre compte pour la payer.",
    ],
    ["info@hotel.example", "Su reserva", "Su reserva 118204 está confirmada. Acceda a su cuenta para verla."],
    [
      "noreply@stadt.example",
      "Jahresbericht",
      "Der Jahresbericht\n\n2026\n\nist da. Zur Anmeldung für den Newsletter: https://stadt.example",
    ],
    [
      "noreply@hotel.example",
      "Your booking is confirmed",
      "Confirmation number: 4821933012\nPIN code: 4821\n\nSign in to manage your booking.",
    ],
    ["noreply@shop.example", "Votre code promo", "Votre code promo : NOEL26. Valable 48 heures. Connectez-vous."],
    ["news@shop.example", "Nur heute", "Mit dem Code DANKE10 sparen Sie 10 €. Gültig bis Sonntag. Jetzt anmelden."],
    [
      "noreply@apfel.example",
      "Your ID was used to sign in",
      "Your ID was used to sign in. If this wasn't you, reset your password at https://apfel.example.",
    ],
    [
      "schule@example.org",
      "Elternabend",
      "Bitte bestätigen Sie Ihre Teilnahme über den Link: https://schule.example/a.",
    ],
    [
      "dev@team.example",
      "Review",
      "The login page returns code 4031 when the token expires after 15 minutes. Can you look at it?",
    ],
  ])("%s: %s", (from, subject, body) => {
    expect(read(from, subject, body)).toBeNull();
  });
});

describe("hostile texts", () => {
  it.each([
    ["many codes", "Your verification code is 111111. ".repeat(5000)],
    ["digits only", "1".repeat(200_000)],
    ["digits in groups", "123 456 ".repeat(20_000)],
    ["words without a code", "verification code is ".repeat(10_000)],
    ["quotes", `code: ${"*".repeat(100_000)}482913`],
    ["lines", "\n".repeat(100_000)],
  ])("%s are read in one pass", (_, body) => {
    expect(() => signInOf({ from: "noreply@x.example", subject: "code", body })).not.toThrow();
  });

  it("of many codes the first is taken", () => {
    const body = Array.from({ length: 20 }, (_, at) => `Your login code is ${100_000 + at}.`).join("\n");
    expect(read("noreply@x.example", "Codes", body)?.[1]).toBe("100000");
  });
});

describe("a message whose code, password or link only its words tell", () => {
  const robot = "noreply@bank.example";
  const found = (subject: string, body: string, html: string | null = null) =>
    signInOf({ from: robot, subject, body, html });

  it.each([
    ["Login", "Your login code is BDKQWZ.", "BDKQWZ"],
    ["Sign-in phrase", "Enter this phrase to sign in:\n\nvuvom-zutid-lapor-kesin\n", "vuvom-zutid-lapor-kesin"],
    ["Your account", "Your temporary password is: sunflower\nPlease change it.", "sunflower"],
    [
      "Your account",
      'Your initial password is "horse battery staple". Change it after you log in.',
      "horse battery staple",
    ],
    ["Login details", "Username: kim\nPassword: Sunflower9", "Sunflower9"],
    ["Ihr Konto", "Ihr Konto wurde angelegt.\nInitialpasswort: Regen!Bogen77", "Regen!Bogen77"],
    ["Ihr Konto", "Benutzer: kim\nKennwort: Blütenweiß", "Blütenweiß"],
    ["Tu cuenta", "Usuario: kim\nContraseña temporal: Mar.Azul.903", "Mar.Azul.903"],
    ["Vos accès", "Identifiant : kim\nMot de passe provisoire : Marguerite", "Marguerite"],
  ])("has it: %s, %s", (subject, body, code) => {
    expect(found(subject, body)).toMatchObject({ kind: "code", code });
  });

  it.each([4400, 24_000, 300_000])("has it after %i characters", (length) => {
    const text = "We confirm what you ordered: item 4812 of page 31. Our code of conduct is online. ";
    const body = `${text.repeat(length / text.length)}\n\nYour sign-in code is 662019. It expires in 10 minutes.`;
    expect(found("Sign-in attempt", body)).toEqual({ kind: "code", code: "662019", minutes: 10 });
  });

  it.each([
    "https://bank.example/reset?token=8ab12f",
    "https://bank.example/u/3f9ac0d1e27b",
    "https://bank.example/m/qwhzrbnmklop",
    "https://click.bank.example/ls/click?upn=u001.Zk2qLw9a8",
    "https://bank.example/account#t=AbC123xyz",
  ])("is a link where only the HTML has it: %s", (href) => {
    for (const words of [
      "Choose a new password",
      "Neues Passwort wählen",
      "Choisir un mot de passe",
      "Elegir contraseña",
    ]) {
      const html = `<p>Hello Nora,</p><p><a href="${href}">${words}</a></p>`;
      expect([words, found("Password", "Hello Nora,", html)?.kind]).toEqual([words, "link"]);
    }
  });

  it("has it in the words of a picture", () => {
    const html = '<p>Use the code in the picture to sign in.</p><img src="c.png" alt="Your code: 704418">';
    expect(found("Your sign-in code", "Use the code in the picture to sign in.", html)).toMatchObject({
      code: "704418",
    });
  });

  it.each([
    ["verification code in auth.ts", "Moved the verification code in auth.ts, commit 8f3ac21. All checks have passed."],
    ["For you", "Your personal discount code: NK-88213. Enter the code at the checkout. Expires in 24 hours."],
    ["Ihr Termin", "Dienstag, 9:40 Uhr. Bestätigungscode für die Absage: 8812."],
    ["Password rules", "A password must have twelve characters. Your password is checked when you change it."],
  ])("is none: %s", (subject, body) => {
    expect(found(subject, body)).toBeNull();
  });

  it("is none in a newsletter that links to a forgotten password", () => {
    const html =
      '<p>Unsere Rosen.</p><a href="https://x.example/passwort">Passwort vergessen?</a> <a href="https://x.example/ab?u=9a8b7c">Newsletter abbestellen</a>';
    expect(found("Die besten Rosen", "Unsere Rosen.\nPasswort vergessen? Newsletter abbestellen", html)).toBeNull();
  });
});
