import './wasm-hook.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { IndexedDBStorageAdapter } from '@automerge/automerge-repo-storage-indexeddb';
import { splitMessageId } from '#shared/chat/document.ts';
import { readCard } from '#shared/profile/document.ts';
import { me } from '#shared/session/contract.ts';
import { documentLimits } from '#shared/sync/limits.ts';
import { becomeBrowsers, Browser, current } from './browser-globals.ts';
import type { DeviceCalls, Reply, Request, View } from './device-protocol.ts';
import { separateReachability } from './separate-reachability.ts';

/** Simulated devices: the real client code, from documents and outbox to IndexedDB and the socket, each in its own browser. */
becomeBrowsers();
separateReachability();
const { UserDocuments } = await import('../../../client/platform/sync/documents/user-documents.ts');
const { THREADS } = await import('../../../client/features/chat/thread/threads.ts');
const { loadAutomerge } = await import('../../../client/platform/sync/documents/load-automerge.ts');
const { attachmentsOf } =
  await import('../../../client/features/chat/attachments/attachment-outbox.ts');
const { draftsOf } = await import('../../../client/features/chat/composer/draft-store.ts');
const { outboxOf, sendLater } = await import('../../../client/platform/sync/outbox/outbox.ts');
const { readStoredDocument } =
  await import('../../../client/platform/sync/documents/unsent-documents.ts');
const { change, save, stats } = await import('@automerge/automerge/slim');
const { removeEndedSession } =
  await import('../../../client/platform/sync/documents/current-user-documents.ts');
const { onAskForUser, rememberUser, settleEndedSession } =
  await import('../../../client/platform/session/remembered-user.ts');
const { call } = await import('../../../client/platform/http/api.ts');
const { sumUnsent } = await import('../../../client/platform/sync/outbox/sum-unsent.ts');
const { syncWords, unsavedWords } =
  await import('../../../client/platform/sync/state/sync-status-text.ts');
const { openDatabase } = await import('../../../client/platform/sync/storage/local-database.ts');
const { OPENING } = await import('../../../client/platform/sync/storage/local-database.ts');

// Device clocks run ten times faster than IndexedDB, and all devices open their databases at the same time.
OPENING.withinMs *= 20;

// A slow device reads its documents late.
const { loadRange } = IndexedDBStorageAdapter.prototype;
IndexedDBStorageAdapter.prototype.loadRange = async function (prefix) {
  if (current().readMs > 0) await wait(current().readMs);
  return loadRange.call(this, prefix);
};

/** A picture of one pixel, as the app reads it. */
const PICTURE = new Blob(
  [
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    ),
  ],
  { type: 'image/png' },
);

/** How long to wait for a device to settle, on its own clock. */
const RESTS_WITHIN_MS = 5_000;
/** Operations of a change that only fills a document. */
const FILLED_AT_ONCE = 55;

type Calls = {
  [C in keyof DeviceCalls]: (
    given: DeviceCalls[C]['given'],
  ) => Promise<DeviceCalls[C]['answer']> | DeviceCalls[C]['answer'];
};

function newDevice(beginning: DeviceCalls['begin']['given']): Omit<Calls, 'begin'> {
  let { user } = beginning;
  rememberUser(user);
  const seen = new Set<string>();
  const refusedCalls: string[] = [];
  let documents = open();
  let isOpen = true;
  const browser = current();
  // Devices share the module that asks: only the one that asked fetches its user.
  const stopAsking = onAskForUser(() => void (current() === browser && fetchUser()));
  void fetchUser();
  /** Keys of messages that the user unsent, and new texts of those that they edited. */
  let withdrawn = new Set<string>();
  let edits = new Map<string, string>();
  const showOwnChanges = () => documents.part(THREADS)?.showOwnChanges(withdrawn, edits);

  function open() {
    const opened = new UserDocuments(user, async () => [THREADS]);
    // As the app does at its start: it may have pictures to send.
    attachmentsOf(opened);
    outboxOf(opened).onOutcome(({ call, refusal }) => {
      if (!refusal) return;
      refusedCalls.push(`${call.name}: ${refusal.status} ${refusal.message}`);
      if (call.name === 'messages.edit') {
        edits = new Map(edits);
        edits.delete(splitMessageId(call.input.params.id).key);
        showOwnChanges();
      }
    });
    opened.subscribe(() => {
      for (const thread of opened.part(THREADS)?.all() ?? [])
        for (const { text, isOwn } of thread.getView().messages) if (!isOwn) seen.add(text);
    });
    opened.start();
    return opened;
  }
  /** As `AuthProvider` does at the start, and when it is asked to. */
  async function fetchUser(): Promise<void> {
    const { id } = user;
    const fetched = await call(me).catch(() => null);
    if (fetched?.id !== id || user.id !== id) return;
    user = fetched;
    rememberUser(user);
    if (isOpen) documents.moveTo(user);
  }
  const kill = () => {
    if (isOpen) documents.close();
    isOpen = false;
    return null;
  };
  const start = () => {
    if (isOpen) return null;
    withdrawn = new Set();
    edits = new Map();
    documents = open();
    isOpen = true;
    void fetchUser();
    return null;
  };
  const threadWith = (friend: string) =>
    (isOpen ? documents.part(THREADS)?.get(friend) : null) ?? null;
  const look = (friend: string): View => {
    const view = threadWith(friend)?.getView();
    const unread = new Set(view?.unread);
    const messages = view?.messages ?? [];
    return {
      isHere: view?.isReady ?? false,
      messages: messages.map(({ text, isOwn, delivery, photo }) => ({
        text,
        isOwn,
        delivery,
        hasPhoto: Boolean(photo?.image_key),
      })),
      unread: messages.filter(({ id }) => unread.has(id)).map(({ text }) => text),
    };
  };
  const isAtRest = () =>
    isOpen && documents.getSyncState().isConfirmed && outboxOf(documents).getWaiting().length === 0;
  /** Whether a change of a document is made. */
  const isMade = (change: () => void): boolean => {
    if (!isOpen) return false;
    try {
      change();
      return true;
    } catch {
      return false;
    }
  };
  return {
    crash() {
      kill();
      return start();
    },
    kill,
    start,
    async lose(what) {
      if (what === 'everything') current().loseIndexedDB();
      else await forgetDatabase('leashwise-documents');
      return null;
    },
    async forgetJournal() {
      const database = await openDatabase(user.id);
      const ids = await database.read('journal', (store) => store.getAllKeys());
      await database.commit(
        'journal',
        ids.map((id) => (store) => store.delete(id)),
      );
      database.close();
      return null;
    },
    async readStored({ documentId }) {
      const database = await openDatabase(user.id);
      const stored = await readStoredDocument(database, documentId);
      database.close();
      return stored ? Buffer.from(save(stored.doc)).toString('base64') : '';
    },
    async writeStored({ documentId, bytes }) {
      const database = await openDatabase(user.id);
      await database.chunks.write({ removeRange: [documentId] });
      const data = new Uint8Array(Buffer.from(bytes, 'base64'));
      await database.chunks.write({ save: [documentId, 'snapshot', 'stored'], data });
      database.close();
      return null;
    },
    async endSession() {
      await documents.flush();
      kill();
      rememberUser(null);
      // As in the app, what can't be stored stays where it is.
      await removeEndedSession({ user, at: Date.now() }).catch(console.error);
      return null;
    },
    signIn(next) {
      kill();
      user = next.user;
      current().network.cookie = next.cookie;
      rememberUser(user);
      settleEndedSession(user.id);
      return start();
    },
    setReadMs(ms) {
      current().readMs = ms;
      return null;
    },
    setSlowdown(slowdown) {
      current().slowdown = slowdown;
      return null;
    },
    holdCalls(ms) {
      current().callsHeldUntil = performance.now() + ms;
      return null;
    },
    async damage(chance) {
      const database = await openDatabase(user.id);
      const stored = (await database.chunks.loadRange([])).filter(({ key }) =>
        ['snapshot', 'incremental'].includes(key[1]!),
      );
      const chunk = stored[Math.floor(chance * stored.length)];
      const data = chunk?.data?.map((byte, i) => (i % 50 === 9 ? ~byte : byte));
      // A full disk keeps it as it is.
      if (chunk && data)
        await database.chunks.write({ save: chunk.key, data }).catch(console.error);
      database.close();
      return null;
    },
    setFull(isFull) {
      current().isFull = isFull;
      return null;
    },
    setOnline(isOnline) {
      if (isOnline) void fetchUser();
      return null;
    },
    write({ friend, text }) {
      const thread = threadWith(friend);
      if (!thread || !isMade(() => thread.send(text))) return false;
      return thread.getView().messages.some((each) => each.text === text);
    },
    writePhoto({ friend, text }) {
      const thread = threadWith(friend);
      const isSent = isMade(() => {
        const sent = thread?.send(text, { photo: { width: 1, height: 1 } });
        if (sent) attachmentsOf(documents).add(friend, sent, PICTURE).catch(console.error);
      });
      return isSent && (thread?.getView().messages.some((each) => each.text === text) ?? false);
    },
    type({ friend }) {
      threadWith(friend)?.presence.type(true);
      return null;
    },
    async unsend({ friend, text }) {
      const messages = threadWith(friend)?.getView().messages ?? [];
      const message = messages.find((each) => each.isOwn && each.text === text);
      if (!message || message.delivery === 'device') return false;
      withdrawn = new Set([...withdrawn, splitMessageId(message.id).key]);
      showOwnChanges();
      await sendLater(documents, 'messages.unsend', { params: { id: message.id } });
      return true;
    },
    async edit({ friend, text, to }) {
      const messages = threadWith(friend)?.getView().messages ?? [];
      const message = messages.find((each) => each.isOwn && each.text === text);
      // The menu doesn't offer it, either.
      const isWithoutPhoto = message?.photo?.image_key === null;
      if (!message || message.delivery === 'device' || isWithoutPhoto) return false;
      edits = new Map([...edits, [splitMessageId(message.id).key, to]]);
      showOwnChanges();
      const body = { message_text: to };
      await sendLater(documents, 'messages.edit', { params: { id: message.id }, body });
      return true;
    },
    addDog: ({ name }) =>
      isMade(() =>
        documents.change('card', 'dog.add', {
          id: name.replaceAll(' ', '-'),
          name,
          sound_type: 'leash_on',
          created_at: new Date().toISOString(),
        }),
      ),
    change: ({ kind, name, input }) => isMade(() => documents.change(kind, name as never, input)),
    own() {
      const plain = (kind: 'card' | 'account') =>
        JSON.parse(JSON.stringify(documents.getDocument(kind).doc)) as unknown;
      return { card: plain('card'), account: plain('account') };
    },
    draft: ({ friend, text }) =>
      isMade(() =>
        // As the composer does after each pause in typing.
        draftsOf(documents).write(friend, text),
      ),
    fillAccount(room) {
      const handle = isOpen ? documents.own?.get('account') : null;
      if (!handle?.isReady()) return null;
      const { operations } = documentLimits.account;
      let left = operations - room - stats(handle.doc()).numOps;
      // Stored and sent together: one at a time, they would take most of a history's work.
      handle.update((account) => {
        let filled = account;
        while (left > 0) {
          const count = Math.min(left, FILLED_AT_ONCE);
          left -= count;
          filled = change(filled, { time: 0 }, (doc) => {
            // An operation for the text, and one for each character, far faster than one change of a value after the other.
            (doc as { settings: Record<string, string> }).settings['filled'] = 'x'.repeat(
              count - 1,
            );
          });
        }
        return filled;
      });
      return null;
    },
    changeRefused() {
      const handle = isOpen ? documents.own?.get('account') : null;
      if (!handle?.isReady()) return false;
      const tooDeep = { a: { b: { c: {} } } };
      handle.change(
        (account) => Object.assign((account as { settings: object }).settings, tooDeep),
        {
          time: 0,
        },
      );
      return true;
    },
    read({ friend }) {
      const thread = threadWith(friend);
      thread?.markRead(thread.getView().messages);
      const messages = thread?.getView().messages ?? [];
      return messages.filter(({ isOwn }) => !isOwn).map(({ text }) => text);
    },
    async block({ friend }) {
      if (isOpen)
        await sendLater(documents, 'blocks.create', { body: { blocked_user_id: friend } });
      return null;
    },
    look: ({ friends }) => friends.map(look),
    claims({ friends }) {
      if (!isOpen) return null;
      const sync = documents.getSyncState();
      const unsent = sumUnsent([
        ['actions', outboxOf(documents)],
        ['pictures', attachmentsOf(documents)],
        ['drafts', draftsOf(documents)],
      ]);
      const { label, explanation } = syncWords(sync, unsent);
      const card = documents.getDocument('card');
      return {
        threads: friends.map(look),
        dogs: card.status === 'ready' ? readCard(card.doc).dogs.map(({ name }) => name) : null,
        chip: { label, explanation },
        unsaved: unsavedWords(sync, unsent),
        isLossSaid: sync.hasLostStorage,
        refusedCalls: [
          ...refusedCalls,
          ...[...attachmentsOf(documents).getPictures().values()].flatMap(({ problem }) =>
            problem ? [`picture: ${problem}`] : [],
          ),
        ],
      };
    },
    seen: () => [...seen],
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
      stopAsking();
      kill();
      return null;
    },
  };
}

/** Deletes a database, also while the app uses it. */
async function forgetDatabase(name: string): Promise<void> {
  const { indexedDB: factory } = current();
  factory.closeAll(name);
  await new Promise((resolve) => {
    const request = factory.deleteDatabase(name);
    request.addEventListener('success', resolve);
    request.addEventListener('error', resolve);
  });
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
