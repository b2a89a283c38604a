import { store, stored } from "./storage.ts";

export const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

export function chosenTheme(): Theme {
  const choice = stored("theme");
  return THEMES.find((theme) => theme === choice) ?? "system";
}

export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  store("theme", theme === "system" ? null : theme);
  applyTheme(theme);
}
