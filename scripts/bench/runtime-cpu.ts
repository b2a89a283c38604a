import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The CPU time that all threads of a process have taken, in ms, which Linux tells; null elsewhere. */
export async function cpuTimeOf(pid: number | string | undefined): Promise<number | null> {
  try {
    const folder = `/proc/${pid}/task`;
    const texts = (await readdir(folder)).map((thread) => readFile(join(folder, thread, "schedstat"), "utf8"));
    const times = (await Promise.all(texts)).map((text) => Number(text.split(" ")[0]));
    return times.reduce((sum, time) => sum + time, 0) / 1e6;
  } catch {
    return null;
  }
}

/** The runtimes that this process has started. */
export async function runtimePids(): Promise<string[]> {
  const all = await readdir("/proc").catch(() => []);
  const stats = all.filter((name) => /^\d+$/.test(name)).map(async (pid) => ({ pid, stat: await statOf(pid) }));
  const isOwn = ({ stat }: { stat: string }) => new RegExp(`^\\d+ \\(workerd\\S*\\) \\S ${process.pid} `).test(stat);
  return (await Promise.all(stats)).filter(isOwn).map(({ pid }) => pid);
}

function statOf(pid: string): Promise<string> {
  return readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
}

/** What these processes have taken together; null where that cannot be read. */
export async function cpuTimeOfAll(pids: readonly string[]): Promise<number | null> {
  const times = await Promise.all(pids.map(cpuTimeOf));
  return times.length === 0 || times.includes(null) ? null : times.reduce<number>((sum, time) => sum + (time ?? 0), 0);
}
