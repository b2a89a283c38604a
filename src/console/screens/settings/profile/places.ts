/** Languages to choose from; the profile's own is always among them. */
export const LOCALES = (
  "en-GB en-US en-AU en-CA en-IN en-IE de-DE de-AT de-CH fr-FR fr-BE fr-CA fr-CH es-ES es-MX it-IT pt-PT pt-BR nl-NL " +
  "nl-BE da-DK sv-SE nb-NO fi-FI is-IS pl-PL cs-CZ sk-SK hu-HU ro-RO bg-BG el-GR hr-HR sl-SI et-EE lv-LV lt-LT uk-UA " +
  "tr-TR he-IL ar-EG hi-IN id-ID vi-VN th-TH ja-JP ko-KR zh-CN zh-TW"
).split(" ");

export function localeName(tag: string): string {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** All zones of the browser, and the current one, which may be an older name of one of them. */
export function zones(current: string): [string, string][] {
  const names = new Set([current, "UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...names].sort().map((zone) => [zone, zone.replaceAll("_", " ")]);
}
