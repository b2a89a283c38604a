/*
 * What every screen uses: the build puts it into one file, which the page loads first, instead of a file for each set of
 * screens that share a module. `scripts/console.mjs` adds this import to every part that is loaded on demand.
 */
import "./client/changes.ts";
import "./lib/time.ts";
import "./shell/app.tsx";
import "./ui/field.tsx";
