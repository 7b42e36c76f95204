import { watch } from 'node:fs';
import type { Part } from './supervised-process.ts';

/** An editor writes a file more than once, and several files at a time. */
const QUIET_MS = 100;

/**
 * Starts a part again whenever something in one of the folders changes.
 * @returns the way to stop that
 */
export function restartOnChange(part: Part, folders: string[]): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => part.restart(), QUIET_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
