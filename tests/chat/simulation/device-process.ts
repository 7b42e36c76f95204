import './wasm-hook.ts';
import { becomeBrowser, network, setClock, setOnline, wipe } from './browser-globals.ts';
import type { DeviceCalls, Reply, Request, View } from './device-words.ts';

/** A device: the client's own code, from documents and outbox down to IndexedDB and the socket, in a process of its own. */
becomeBrowser();
const { UserDocuments } = await import('../../../client/repo.ts');
const { outboxOf, sendLater } = await import('../../../client/sync/outbox.ts');
const { rememberUser } = await import('../../../client/session/remembered-user.ts');
const { openDatabase, answerOf } = await import('../../../client/sync/local-database.ts');

let user: DeviceCalls['begin']['given']['user'];
let documents: InstanceType<typeof UserDocuments>;

function open(): void {
  documents = new UserDocuments(user);
  outboxOf(documents);
  documents.start();
}

const calls: {
  [C in keyof DeviceCalls]: (
    given: DeviceCalls[C]['given'],
  ) => Promise<DeviceCalls[C]['answer']> | DeviceCalls[C]['answer'];
} = {
  begin({ user: who, api, address, cookie, skewMs }) {
    wipe();
    Object.assign(network, { origin: api, cookie, isOnline: true });
    window.location.host = address;
    setClock(skewMs);
    user = who;
    rememberUser(user);
    open();
    return null;
  },
  crash() {
    documents.close();
    open();
    return null;
  },
  setOnline(isOnline) {
    setOnline(isOnline);
    return null;
  },
  write({ friend, text }) {
    try {
      documents.threads?.get(friend)?.send(text);
      return (
        documents.threads
          ?.peek(friend)
          ?.getView()
          .messages.some((each) => each.text === text) ?? false
      );
    } catch {
      return false;
    }
  },
  type({ friend }) {
    documents.threads?.get(friend)?.presence.type(true);
    return null;
  },
  read({ friend }) {
    documents.threads?.get(friend)?.markRead();
    return null;
  },
  async block({ friend }) {
    await sendLater(documents, 'blocks.create', { body: { blocked_user_id: friend } });
    return null;
  },
  look({ friend }): View {
    const thread = documents.threads?.get(friend);
    const view = thread?.getView();
    return {
      isHere: view?.isReady ?? false,
      messages: (view?.messages ?? []).map(({ id, text, isOwn, delivery }) => ({
        id,
        text,
        isOwn,
        delivery,
      })),
    };
  },
  isSettled: () =>
    documents.getSyncState().isConfirmed && outboxOf(documents).getWaiting().length === 0,
  async keeps({ texts }) {
    const database = await openDatabase(user.id);
    const store = database.transaction('chunks').objectStore('chunks');
    const keys = (await answerOf(store.getAllKeys())) as [string][];
    database.close();
    const local = JSON.stringify(localStorage);
    return {
      documents: [...new Set(keys.map(([id]) => id))],
      texts: texts.filter((text) => local.includes(text)),
    };
  },
  end() {
    documents.close();
    return null;
  },
};

process.on('message', (request: Request) => {
  const reply = (rest: Omit<Reply, 'id'>) =>
    process.send?.({ id: request.id, ...rest } satisfies Reply);
  const call = calls[request.call] as (given: unknown) => unknown;
  Promise.resolve()
    .then(() => call(request.given))
    .then(
      (answer) => reply({ answer }),
      (error: unknown) =>
        reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
