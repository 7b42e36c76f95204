import { readFile } from 'node:fs/promises';
import { processIdsOf } from '../../tests/terminal.ts';
import type { ProcessName } from '../../scripts/stack/stack.ts';

/** The unit of CPU times in /proc, and of memory. */
const TICK_MS = 10;
const PAGE_BYTES = 4096;

export interface Usage {
  cpuMs: number;
  rssBytes: number;
}

/** Returns what each process of a running product has used since its start (Linux only). */
export async function usageOf(supervisor: number): Promise<Partial<Record<ProcessName, Usage>>> {
  const usage: Partial<Record<ProcessName, Usage>> = {};
  for (const [name, pid] of Object.entries(await processIdsOf(supervisor))) {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses, which may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, pages = 0] = [fields[11], fields[12], fields[21]];
    usage[name as ProcessName] = {
      cpuMs: (user + system) * TICK_MS,
      rssBytes: pages * PAGE_BYTES,
    };
  }
  return usage;
}
