import { setTimeout as wait } from 'node:timers/promises';
import { AutomergeDevice } from './automerge-device.ts';
import type { LoadTask } from './load.ts';
import type { BenchServer } from './servers.ts';

export interface Memory {
  bytesPerDocument: number;
  /** The growth after the third round; null if not all rounds finished in time. */
  growthBytes: number | null;
  roundsDone: number;
}

export const MESSAGES = 20;
const AT_ONCE = 100;
const ROUND_DOCUMENTS = 1000;
/** Open and quiet, as nearly all documents are at any moment. */
const IDLE_MS = 5000;
/** Rounds after which a process has its one-time allocations. */
const SETTLING_ROUNDS = 3;
/** A server that has not opened a hundred documents by then is not waited for. */
const OPEN_MS = 10_000;
/** The maximum time of all rounds, so that a rival that slows down still has its row. */
const ROUNDS_MS = 60_000;

/** Measures the memory of open documents, and whether opening and closing a thousand of them repeatedly leaks any. */
export async function memory(
  server: BenchServer,
  openDocuments: number,
  rounds: number,
  over: AbortSignal,
): Promise<Memory> {
  const documents = await server.documents(openDocuments, true);
  // The first ones are for one-time allocations.
  const first = await server.documents(ROUND_DOCUMENTS, true);
  await (await open(server, first, true, over)).close();
  await wait(1000, undefined, { signal: over });
  const empty = await server.heldBytes(over);
  const device = await open(server, documents, true, over);
  await wait(IDLE_MS, undefined, { signal: over });
  const bytesPerDocument = ((await server.heldBytes(over)) - empty) / openDocuments;
  await device.close();
  let settled = 0;
  let round = 0;
  for (const deadline = Date.now() + ROUNDS_MS; round < rounds && Date.now() < deadline; round++) {
    await (await open(server, documents.slice(0, ROUND_DOCUMENTS), false, over)).close();
    await wait(500, undefined, { signal: over });
    if (round + 1 === SETTLING_ROUNDS) settled = await server.heldBytes(over);
  }
  const growthBytes = round === rounds ? (await server.heldBytes(over)) - settled : null;
  return { bytesPerDocument, growthBytes, roundsDone: round };
}

async function open(
  { url, creates }: BenchServer,
  documents: LoadTask['documents'],
  fill: boolean,
  over: AbortSignal,
): Promise<AutomergeDevice> {
  const device = await new AutomergeDevice(url, documents[0]!.cookie).join();
  for (let i = 0; i < documents.length; i += AT_ONCE) {
    const batch = documents.slice(i, i + AT_ONCE);
    if (fill && creates) for (const { id } of batch) device.create(id);
    else
      await Promise.race([
        Promise.all(batch.map(({ id }) => device.open(id))),
        wait(OPEN_MS, undefined, { signal: over }),
      ]);
    if (fill)
      for (const { id } of batch)
        for (let n = 0; n < MESSAGES; n++) device.append(id, 'm'.repeat(80));
    await wait(50, undefined, { signal: over });
  }
  await wait(1000, undefined, { signal: over });
  return device;
}
