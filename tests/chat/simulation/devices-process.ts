import './wasm-hook.ts';
import { becomeBrowsers, Browser } from './browser-globals.ts';
import type { DeviceCalls, Reply, Request, View } from './device-protocol.ts';

/** Simulated devices: the real client code, from documents and outbox to IndexedDB and the socket, each in its own browser. */
becomeBrowsers();
const { UserDocuments } = await import('../../../client/sync/documents/user-documents.ts');
const { loadAutomerge } = await import('../../../client/sync/documents/load-automerge.ts');
const { outboxOf, sendLater } = await import('../../../client/sync/outbox/outbox.ts');
const { rememberUser } = await import('../../../client/session/remembered-user.ts');
const { openDatabase } = await import('../../../client/sync/storage/local-database.ts');
const { OPENING } = await import('../../../client/sync/storage/local-database.ts');

// Device clocks run ten times faster than IndexedDB, and all devices open their databases at the same time.
OPENING.withinMs *= 20;

/** How long to wait for a device to settle, on its own clock. */
const RESTS_WITHIN_MS = 5_000;

type Calls = {
  [C in keyof DeviceCalls]: (
    given: DeviceCalls[C]['given'],
  ) => Promise<DeviceCalls[C]['answer']> | DeviceCalls[C]['answer'];
};

function newDevice({ user }: DeviceCalls['begin']['given']): Omit<Calls, 'begin'> {
  let documents = open();
  function open() {
    const opened = new UserDocuments(user);
    outboxOf(opened);
    opened.start();
    return opened;
  }
  rememberUser(user);
  const threadWith = (friend: string) => documents.threads?.get(friend) ?? null;
  const look = (friend: string): View => {
    const view = threadWith(friend)?.getView();
    return {
      isHere: view?.isReady ?? false,
      messages: (view?.messages ?? []).map(({ text, isOwn, delivery }) => ({
        text,
        isOwn,
        delivery,
      })),
    };
  };
  const isAtRest = () =>
    documents.getSyncState().isConfirmed && outboxOf(documents).getWaiting().length === 0;
  return {
    crash() {
      documents.close();
      documents = open();
      return null;
    },
    setOnline() {
      return null;
    },
    write({ friend, text }) {
      try {
        const thread = threadWith(friend);
        thread?.send(text);
        return thread?.getView().messages.some((each) => each.text === text) ?? false;
      } catch {
        return false;
      }
    },
    type({ friend }) {
      threadWith(friend)?.presence.type(true);
      return null;
    },
    read({ friend }) {
      const thread = threadWith(friend);
      thread?.markRead(thread.getView().messages);
      return null;
    },
    async block({ friend }) {
      await sendLater(documents, 'blocks.create', { body: { blocked_user_id: friend } });
      return null;
    },
    look: ({ friends }) => friends.map(look),
    async rest({ friends }) {
      if (!isAtRest()) {
        const stops: (() => void)[] = [];
        await new Promise<void>((resolve) => {
          const review = () => isAtRest() && resolve();
          stops.push(documents.subscribe(review), outboxOf(documents).subscribe(review));
          const timer = setTimeout(resolve, RESTS_WITHIN_MS);
          stops.push(() => clearTimeout(timer));
        });
        for (const stop of stops) stop();
      }
      return isAtRest() ? friends.map(look) : null;
    },
    async keeps({ texts }) {
      const database = await openDatabase(user.id);
      const chunks = await database.chunks.loadRange([]);
      database.close();
      const local = JSON.stringify(localStorage);
      return {
        documents: [...new Set(chunks.map(({ key: [id] }) => id!))],
        texts: texts.filter((text) => local.includes(text)),
      };
    },
    end() {
      documents.close();
      return null;
    },
  };
}

const devices = new Map<number, { browser: Browser; calls: Omit<Calls, 'begin'> }>();

function answer({ device, call, given }: Request): unknown {
  if (call === 'begin') {
    const beginning = given as DeviceCalls['begin']['given'];
    const browser = new Browser(beginning.network, beginning.skewMs);
    devices.set(device, { browser, calls: browser.run(() => newDevice(beginning)) });
    return null;
  }
  const { browser, calls } = devices.get(device) ?? {};
  if (!browser || !calls) throw new Error(`device ${device} has not begun`);
  if (call === 'end') devices.delete(device);
  return browser.run(() => {
    if (call === 'setOnline') browser.setOnline(given as boolean);
    return (calls[call] as (given: unknown) => unknown)(given);
  });
}

process.on('message', (request: Request) => {
  const reply = (rest: Omit<Reply, 'id'>) =>
    process.send?.({ id: request.id, ...rest } satisfies Reply);
  Promise.resolve()
    .then(() => answer(request))
    .then(
      (value) => reply({ answer: value }),
      (error: unknown) =>
        reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
});
process.on('disconnect', () => process.exit());
// Loads Automerge once, because two devices starting at the same time would each load their own wasm.
await new Browser({ origin: '', address: '', cookie: '' }, 0).run(loadAutomerge);
process.send?.('ready');
