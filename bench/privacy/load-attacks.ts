import { setTimeout as wait } from 'node:timers/promises';
import { next as A } from '@automerge/automerge';
import { WebSocket } from 'ws';
import type { AccountDocument } from '#shared/account/document.ts';
import { fill, nestMaps, RawDevice } from '../../tests/sync/raw-device.ts';

const SOCKETS = 8;
const DEPTH = 2_000;
const HEADS = 4_200;
/** As many as a thread segment may have. */
const ACTORS = 4_000;
const ACTORS_AT_ONCE = 200;
/** A document and its owner's session. */
export interface Owned {
  id: string;
  cookie: string;
}

/** Goes on until it is over. */
type Attack = (isOver: () => boolean) => Promise<void>;

/** A joined device of the owner. */
export const connect = (url: string, { cookie }: Owned): Promise<RawDevice> => {
  const headers = { cookie, origin: 'http://localhost:3000' };
  const device = new RawDevice(new WebSocket(url, { perMessageDeflate: false, headers }));
  device.closed.catch(() => {});
  return device.join();
};

/** Attacks by one account, with a document of its own. They are prepared before anything is measured. */
export const ATTACKS: Record<string, (url: string, own: Owned) => Promise<Attack>> = {
  'reopens a document of maximum size': async (url, own) => {
    await fill(await connect(url, own), own.id, 0);
    return reopening(url, own);
  },
  [`reopens a document of ${ACTORS} actors`]: async (url, own) => {
    const device = await connect(url, own);
    let doc = await device.read<AccountDocument>(own.id);
    for (let made = 0; made < ACTORS;) {
      const before = A.getHeads(doc);
      for (const end = made + ACTORS_AT_ONCE; made < end; made++) {
        const former = doc;
        doc = A.change(A.clone(doc), { time: 0 }, ({ settings }) => void (settings['n'] = made));
        A.free(former);
      }
      device.answers.length = 0;
      device.push(own.id, A.getHeads(doc), A.getChangesSince(doc, before), 'v1');
      await device.next(({ type }) => type === 'sync');
    }
    device.close();
    return reopening(url, own);
  },
  [`sends objects nested ${DEPTH} deep`]: (url, own) =>
    sending(url, own, (doc) => {
      const { core, changes } = nestMaps(A.save(doc), DEPTH, 'settings');
      const heads = core.getHeads();
      core.free();
      return { heads, changes };
    }),
  [`sends ${HEADS} concurrent changes`]: (url, own) =>
    sending(url, own, (doc) => {
      const made = Array.from({ length: HEADS }, (_, n) =>
        A.change(A.clone(doc), { time: 0 }, ({ settings }) => void (settings['n'] = n)),
      );
      return {
        heads: made.flatMap((each) => A.getHeads(each)),
        changes: made.map((each) => A.getLastLocalChange(each)!),
      };
    }),
};

/** Opens a document again and again, so that the server loads it each time. */
function reopening(url: string, own: Owned): Attack {
  const reopen = async (isOver: () => boolean) => {
    while (!isOver())
      try {
        const device = await connect(url, own);
        device.request(own.id);
        await device.next(({ documentId }) => documentId === own.id);
        device.close();
      } catch {
        // Too fast for the rate limit.
        await wait(10);
      }
  };
  return async (isOver) => {
    await Promise.all(Array.from({ length: SOCKETS }, () => reopen(isOver)));
  };
}

/** Sends the same changes again and again. */
async function sending(
  url: string,
  own: Owned,
  make: (doc: A.Doc<AccountDocument>) => { heads: string[]; changes: Uint8Array[] },
): Promise<Attack> {
  const first = await connect(url, own);
  const { heads, changes } = make(await first.read<AccountDocument>(own.id));
  first.close();
  const send = async (isOver: () => boolean) => {
    while (!isOver())
      try {
        const device = await connect(url, own);
        await device.read(own.id);
        while (!isOver()) {
          device.answers.length = 0;
          device.push(own.id, heads, changes, 'v1');
          await Promise.race([device.next(({ documentId }) => documentId === own.id), wait(1_000)]);
        }
        device.close();
      } catch {
        await wait(10);
      }
  };
  return async (isOver) => {
    await Promise.all(Array.from({ length: SOCKETS }, () => send(isOver)));
  };
}
