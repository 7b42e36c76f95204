import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SupervisedProcess } from './supervised-process.ts';

/** The file in the data directory of a running instance that lists its processes. */
export const NODES_FILE = 'nodes.json';

const RETRY_MS = 5_000;

/** One process, at the address where it can be reached alone. */
export interface NodeEntry {
  role: 'mongodb' | 'nats' | 'sync-server' | 'api' | 'gateway' | 'caddy';
  url: string;
  /** The address of its metrics for Prometheus, if it has any. */
  metrics?: string;
  /** Null if it was not started here, such as the server at MONGODB_URI. */
  pid: number | null;
}

/** Keeps the list of running processes current: a process that restarts is not in it. */
export class NodesFile {
  readonly #path: string;
  readonly #nodes: { entry: NodeEntry; supervised: SupervisedProcess | null }[] = [];

  #retry: NodeJS.Timeout | undefined;

  constructor(dataDir: string) {
    this.#path = join(dataDir, NODES_FILE);
  }

  /** @param supervised null if the process was not started here */
  add(
    role: NodeEntry['role'],
    url: string,
    supervised: SupervisedProcess | null,
    metrics?: string,
  ): void {
    this.#nodes.push({ entry: { role, url, pid: null, ...(metrics && { metrics }) }, supervised });
    supervised?.onChange(() => this.#write());
    this.#write();
  }

  remove(): void {
    clearTimeout(this.#retry);
    rmSync(this.#path, { force: true });
  }

  #write(): void {
    const running = this.#nodes
      .map(({ entry, supervised }) => ({ ...entry, pid: supervised?.pid ?? null, supervised }))
      .filter(({ pid, supervised }) => pid !== null || supervised === null)
      .map(({ role, url, pid, metrics }): NodeEntry => ({
        role,
        url,
        pid,
        ...(metrics && { metrics }),
      }));
    const next = `${this.#path}.next`;
    clearTimeout(this.#retry);
    try {
      // The address of MongoDB may contain its password.
      writeFileSync(next, `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
      renameSync(next, this.#path);
    } catch {
      // The disk may be full.
      this.#retry = setTimeout(() => this.#write(), RETRY_MS).unref();
    }
  }
}
