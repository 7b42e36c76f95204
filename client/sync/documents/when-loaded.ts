import type { DocHandle } from '@automerge/automerge-repo/slim';

/** Settles when a document is here, however late: the Repo's own `whenReady` gives up after a minute, which a bad signal outlasts. */
export function whenHere<T>(handle: DocHandle<T>): Promise<void> {
  if (handle.isReady()) return Promise.resolve();
  // It says what came just before it is ready.
  return new Promise((resolve) => void handle.once('heads-changed', () => resolve()));
}
