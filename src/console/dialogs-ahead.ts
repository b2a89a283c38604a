import "./base.ts";

export { default as QuickAdd } from "./screens/tasks/quick-add-dialog.tsx";
export { default as More } from "./shell/more.tsx";
export { default as Palette } from "./shell/palette.tsx";
export { default as Shortcuts } from "./shell/shortcut-dialog.tsx";
