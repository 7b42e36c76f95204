import { once } from 'node:events';
import type { LoadResult, LoadTask } from './load.ts';
import { cpuMs, startProcess, stopProcess } from './processes.ts';
import type { BenchServer } from './servers.ts';

export interface Appending extends LoadResult {
  /** Only appends that reached the other device count: a server that falls behind has worked on the others, too. */
  cpuPerArrivalMs: number;
  databaseCpuPerArrivalMs: number | null;
}

/** How long the engine compiles frequently used code, for all servers alike. */
export const WARM_UP_SECONDS = 20;

/** Has pairs of devices append once a second. @param count how many pairs */
export async function appending(
  server: BenchServer,
  count: number,
  seconds: number,
  over: AbortSignal,
): Promise<Appending> {
  const task: LoadTask = {
    url: server.url,
    protocol: server.protocol,
    documents: await server.documents(count),
    creates: server.creates,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds,
  };
  const { child } = await startProcess('./load-process.ts');
  const ended = once(child, 'exit', { signal: over }).then(([code]) => {
    throw new Error(`the devices ended with ${code}: the server left them`);
  });
  ended.catch(() => {});
  try {
    const read = () => ({
      cpu: cpuMs(server.pid),
      database: server.databasePid ? cpuMs(server.databasePid) : null,
    });
    let before = read();
    let after = before;
    child.send({ task });
    for (;;) {
      const [message] = (await Promise.race([once(child, 'message', { signal: over }), ended])) as [
        { measuring?: boolean; result?: LoadResult },
      ];
      if (message.result) {
        const { result } = message;
        const used = after.database === null ? null : after.database - before.database!;
        return {
          ...result,
          cpuPerArrivalMs: (after.cpu - before.cpu) / result.seenMeanwhile,
          databaseCpuPerArrivalMs: used === null ? null : used / result.seenMeanwhile,
        };
      }
      if (message.measuring) before = read();
      else after = read();
      child.send({ go: true });
    }
  } finally {
    await stopProcess(child);
  }
}
