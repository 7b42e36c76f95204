import { watch } from 'node:fs';
import type { SupervisedProcess } from './supervised-process.ts';

/** Editors write a file more than once, and several files at a time. */
const QUIET_MS = 100;

/**
 * Restarts a process whenever a file in one of the folders changes.
 * @returns a function that stops watching
 */
export function restartOnChange(supervised: SupervisedProcess, folders: string[]): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => supervised.restart(), QUIET_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
