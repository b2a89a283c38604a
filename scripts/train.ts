/** Trains every model of the built-in engine and writes their tables. Usage: npm run train -- ../shared/data */
import "./train-action-items.ts";
import "./train-intents.ts";
