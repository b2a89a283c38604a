import { applyTheme, chosenTheme } from "./lib/theme-choice.ts";

applyTheme(chosenTheme());
