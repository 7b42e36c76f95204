import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { currentDocument } from '../documents/current-document.ts';
import type { WatchdogData } from './document-watchdog.ts';
import { ownProgram } from './own-program.ts';

/**
 * Starts the thread that ends this process when it hangs in a document, and records which one. Call it in a process of its own, from the
 * thread that works on documents.
 */
export function watchDocuments(
  settings: Omit<WatchdogData, 'shared'>,
  logger: Logger,
): { stop(): Promise<unknown> } {
  const { url, execArgv } = ownProgram('document-watchdog');
  const workerData: WatchdogData = { ...settings, shared: currentDocument.shared };
  const worker = new Worker(url, { workerData, execArgv });
  worker.on('error', (error) => logger.error({ err: error }, 'the watchdog of documents failed'));
  worker.unref();
  return { stop: () => worker.terminate() };
}
