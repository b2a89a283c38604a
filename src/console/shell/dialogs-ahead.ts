import "../base.ts";

export { default as QuickAdd } from "../screens/tasks/quick-add-dialog.tsx";
export { default as More } from "./more.tsx";
export { default as Palette } from "./palette.tsx";
export { default as Shortcuts } from "./shortcut-dialog.tsx";
