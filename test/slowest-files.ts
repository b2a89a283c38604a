import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 10;

/** Ends a run with its slowest files. It stands before the default reporter, so that failures are still shown last. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const seconds = (module: TestModule) => {
      const { duration, setupDuration, collectDuration } = module.diagnostic();
      return (duration + setupDuration + collectDuration) / 1000;
    };
    const slowest = [...modules].sort((a, b) => seconds(b) - seconds(a)).slice(0, SHOWN);
    const lines = slowest.map((module) => `${seconds(module).toFixed(1).padStart(7)} s  ${module.relativeModuleId}`);
    console.log(`\nSlowest files:\n${lines.join("\n")}`);
  }
}
