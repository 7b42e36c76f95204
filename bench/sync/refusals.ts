import { generateAutomergeUrl, parseAutomergeUrl } from '@automerge/automerge-repo';
import { median } from '../quantiles.ts';
import { AutomergeDevice } from './automerge-device.ts';
import type { BenchServer } from './servers.ts';

/** Median times until a device learns that a document does not exist. */
export interface RefusalTimes {
  othersMs: number;
  nobodysMs: number;
}

const ASKED = 600;

/** Requests, in turn, an open document of another user and one that does not exist. */
export async function refusalTimes(server: BenchServer): Promise<RefusalTimes> {
  const [theirs, mine] = await server.documents(2);
  if (!theirs || !mine) throw new Error('the server made no documents');
  const owner = await new AutomergeDevice(server.url, theirs.cookie).join();
  await owner.open(theirs.id);
  const spy = await new AutomergeDevice(server.url, mine.cookie).join();
  const others: number[] = [];
  const nobodys: number[] = [];
  for (let i = 0; i < ASKED; i++)
    for (const times of [others, nobodys]) {
      const id =
        times === others ? theirs.id : parseAutomergeUrl(generateAutomergeUrl()).documentId;
      const started = performance.now();
      await spy.open(id);
      times.push(performance.now() - started);
    }
  await Promise.all([owner.close(), spy.close()]);
  return { othersMs: median(others), nobodysMs: median(nobodys) };
}
